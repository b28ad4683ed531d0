package io.walproof.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * One PostgreSQL server on a free port of 127.0.0.1, set up for logical replication, with durable
 * commits, UTF-8 and the C.UTF-8 locale. The superuser {@code postgres} needs no password.
 *
 * <p>{@link #close()} stops the server and deletes its data folder; a shutdown hook does the same
 * when the JVM ends. A JVM that is killed with -9 leaves the server running. Not thread-safe.
 */
public final class PostgresServer implements AutoCloseable {

  /** The superuser's name. */
  public static final String SUPERUSER = "postgres";

  private static final Duration START_WAIT = Duration.ofSeconds(60);

  private final Builder builder;

  /** Holds the data folder and the log; deleted on close. */
  private final Path home;

  private final Path dataDirectory;
  private EmbeddedPostgres process;

  /** The processes that do not run, null if they do. */
  private ServerProcesses frozen;

  private final int port = FreePort.next();

  private PostgresServer(Builder builder, Path home) throws IOException {
    this.builder = builder;
    this.home = home;
    this.dataDirectory = home.resolve("data");
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeQuietly, "postgres-closer"));
    start();
  }

  /** A server of the given major with default settings. */
  public static PostgresServer start(int major) {
    return builder().major(major).start();
  }

  /** Settings for a server. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts the stopped server again on its old port, with its data. */
  public void start() throws IOException {
    if (process != null) {
      throw new IllegalStateException("the server is running");
    }
    EmbeddedPostgres.Builder zonky =
        EmbeddedPostgres.builder()
            .setPgBinaryResolver(builder.binaries)
            .setDataDirectory(dataDirectory)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setLocaleConfig("locale", builder.locale)
            .setPGStartupWait(START_WAIT)
            .setPort(port)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(
                ProcessBuilder.Redirect.appendTo(home.resolve("server.log").toFile()));
    builder.settings.forEach(zonky::setServerConfig);
    try {
      process = zonky.start();
    } catch (IllegalStateException e) {
      throw new IOException(
          "the embedded PostgreSQL did not start ("
              + e.getMessage()
              + "); if this runs as root, 'unshare -U' must be allowed, otherwise use another user",
          e);
    }
  }

  /** Stops the server and keeps its data. */
  public void stop() throws IOException {
    if (process != null) {
      thaw();
      // Closing gives the server a few seconds, and then leaves it to end alone.
      Optional<ServerProcesses> running = ServerProcesses.running(dataDirectory);
      closeProcess();
      if (running.isPresent()) {
        running.get().awaitEnd();
      }
    }
  }

  private void closeProcess() throws IOException {
    EmbeddedPostgres stopping = process;
    process = null;
    stopping.close();
  }

  /**
   * Kills all the server's processes with SIGKILL, as a power cut does; {@link #start()} brings it
   * back with its data.
   */
  public void kill() throws IOException {
    ServerProcesses.of(dataDirectory).kill();
    frozen = null;
    closeProcess();
  }

  /** Keeps all the server's processes from running (SIGSTOP): what is connected stays connected. */
  public void freeze() throws IOException {
    frozen = ServerProcesses.of(dataDirectory);
    frozen.freeze();
  }

  /** Lets a frozen server go on. */
  public void thaw() throws IOException {
    if (frozen != null) {
      frozen.thaw();
      frozen = null;
    }
  }

  /** The TCP port on 127.0.0.1; the same after a restart. */
  public int port() {
    return port;
  }

  /** Where the server keeps its data. */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** Settings for another server like this one. */
  Builder sameSettings() {
    Builder same = builder();
    same.binaries = builder.binaries;
    same.locale = builder.locale;
    same.settings.putAll(builder.settings);
    return same;
  }

  /** A JDBC URL without credentials. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** A new connection as superuser; the caller closes it. */
  public Connection connect(String database) throws SQLException {
    return connect(database, SUPERUSER, "");
  }

  /** A new connection; the caller closes it. */
  public Connection connect(String database, String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return DriverManager.getConnection(jdbcUrl(database), properties);
  }

  /** Runs statements as superuser, each in its own transaction. */
  public void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Stops the server and deletes its data. */
  @Override
  public void close() throws IOException {
    stop();
    if (Files.exists(home)) {
      deleteTree(home);
    }
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      // The JVM is ending; the folder is below the temporary folder.
    }
  }

  private static void deleteTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private PgBinaryResolver binaries;
    private String locale = "C.UTF-8";
    private Path home;

    private Builder() {
      major(ServerBinaries.ANY_MAJOR);
      settings.put("listen_addresses", "127.0.0.1");
      settings.put("unix_socket_directories", "");
      settings.put("fsync", "on");
      settings.put("synchronous_commit", "on");
      settings.put("wal_level", "logical");
      settings.put("max_wal_senders", "20");
      settings.put("max_replication_slots", "20");
      settings.put("max_connections", "100");
      settings.put("shared_buffers", "32MB");
    }

    /** The major version, which must be on the class path; without it, the only one there. */
    public Builder major(int wanted) {
      return binaries((system, machine) -> ServerBinaries.open(wanted, system, machine));
    }

    /** Where the programs come from. */
    Builder binaries(PgBinaryResolver wanted) {
      binaries = wanted;
      return this;
    }

    /** A server setting; the value must not hold a space. */
    public Builder setting(String name, String value) {
      if (value.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("the value of " + name + " must not hold a space");
      }
      settings.put(name, value);
      return this;
    }

    /** The cluster's locale, {@code C.UTF-8} by default. */
    public Builder locale(String wanted) {
      locale = wanted;
      return this;
    }

    /**
     * A folder whose subfolder {@code data} is prepared, such as a copy of another server's for a
     * standby. It is deleted on close like any other.
     */
    public Builder home(Path prepared) {
      home = prepared;
      return this;
    }

    /** Starts the server. */
    public PostgresServer start() {
      try {
        return new PostgresServer(
            this, home != null ? home : Files.createTempDirectory("walproof-pg"));
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
  }
}
