package io.walproof.embedded;

import io.walproof.contract.Time;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real PgBouncer on a free port of 127.0.0.1 before one server, for tests. It lets everybody in
 * whom the server lets in. {@link #close()} ends it; a shutdown hook does the same when the JVM
 * ends.
 */
public final class PgBouncer implements AutoCloseable {

  private static final Duration START_WAIT = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(20);

  /** It refuses to run as root; this user is everywhere and owns nothing. */
  private static final String UNPRIVILEGED = "nobody";

  private final Process process;
  private final Path home;
  private final int port;

  private PgBouncer(Process process, Path home, int port) {
    this.process = process;
    this.home = home;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "pgbouncer-closer"));
  }

  /** When a client gives its server connection back. */
  public enum Mode {
    /** When it disconnects. */
    SESSION,
    /** At the end of each transaction. */
    TRANSACTION,
    /** At the end of each statement. */
    STATEMENT
  }

  /** The program, if it is installed. */
  public static Optional<Path> program() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one.
   *
   * @param connections how many connections to the server all clients of a role share
   * @param users who may come
   */
  public static PgBouncer start(
      PostgresServer server, Mode mode, int connections, List<String> users)
      throws IOException, InterruptedException {
    Path program = program().orElseThrow(() -> new IOException("pgbouncer is not installed"));
    Path home =
        Files.createTempDirectory(
            "walproof-pgbouncer",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    int port = FreePort.next();
    StringBuilder known = new StringBuilder();
    users.forEach(user -> known.append('"').append(user).append("\" \"\"\n"));
    Path userFile = Files.writeString(home.resolve("users.txt"), known);
    Path config =
        Files.writeString(
            home.resolve("pgbouncer.ini"),
            """
            [databases]
            * = host=127.0.0.1 port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = trust
            auth_file = %s
            pool_mode = %s
            default_pool_size = %d
            max_client_conn = 100
            """
                .formatted(
                    server.port(),
                    port,
                    userFile,
                    mode.name().toLowerCase(Locale.ROOT),
                    connections));
    List<String> command = new ArrayList<>(List.of(program.toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-u", UNPRIVILEGED));
    }
    command.add(config.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("pgbouncer.log").toFile())
            .start();
    PgBouncer bouncer = new PgBouncer(process, home, port);
    bouncer.awaitListening();
    return bouncer;
  }

  private void awaitListening() throws IOException, InterruptedException {
    Time time = Time.system();
    long end = time.nanoTime() + START_WAIT.toNanos();
    while (true) {
      try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (time.nanoTime() - end > 0 || !process.isAlive()) {
          String log = Files.readString(home.resolve("pgbouncer.log"));
          close();
          throw new IOException("PgBouncer did not start: " + log, e);
        }
      }
      time.sleep(POLL);
    }
  }

  /** The TCP port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** A JDBC URL without credentials. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** Ends it and deletes its files. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    for (String file : List.of("users.txt", "pgbouncer.ini", "pgbouncer.log")) {
      Files.deleteIfExists(home.resolve(file));
    }
    Files.deleteIfExists(home);
  }
}
