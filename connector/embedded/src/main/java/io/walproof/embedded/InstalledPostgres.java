package io.walproof.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * A PostgreSQL that the machine has, for tests of what the embedded archives lack: messages in
 * other languages than English, and {@code pg_resetwal}. Thread-safe.
 */
public final class InstalledPostgres {

  /** Where Debian's packages have a folder for each major version. */
  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

  /** What a server is made and run with. */
  private static final List<String> SERVER_PROGRAMS = List.of("initdb", "pg_ctl", "postgres");

  private static final String RESET = "pg_resetwal";

  /** Below 2^31 transactions, and below where a server stops taking more of them. */
  private static final long LONGEST_STEP = 2_000_000_000L;

  private static final int TRANSACTIONS_A_SEGMENT = 32 * 8192 * 4;
  private static final int SEGMENT_BYTES = 32 * 8192;

  private final Path bin;

  private InstalledPostgres(Path bin) {
    this.bin = bin;
  }

  /** The newest one, if there is one. */
  public static Optional<InstalledPostgres> find() {
    if (!Files.isDirectory(PACKAGES)) {
      return Optional.empty();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> majors = Files.newDirectoryStream(PACKAGES, "[0-9][0-9]")) {
      majors.forEach(major -> found.add(major.resolve("bin")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream()
        .filter(InstalledPostgres::isComplete)
        .max(Comparator.comparing(Path::toString))
        .map(InstalledPostgres::new);
  }

  private static boolean isComplete(Path bin) {
    return Stream.concat(SERVER_PROGRAMS.stream(), Stream.of(RESET))
        .allMatch(program -> Files.isExecutable(bin.resolve(program)));
  }

  /** Settings for a server that runs these programs. */
  public PostgresServer.Builder server() {
    return PostgresServer.builder().binaries((system, machine) -> archive());
  }

  /** What an archive of programs would hold, as links to them. */
  private InputStream archive() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(
            new XZOutputStream(bytes, new LZMA2Options()), StandardCharsets.UTF_8.name())) {
      TarArchiveEntry folder = new TarArchiveEntry("bin/");
      folder.setModTime(0);
      tar.putArchiveEntry(folder);
      tar.closeArchiveEntry();
      for (String program : SERVER_PROGRAMS) {
        TarArchiveEntry link = new TarArchiveEntry("bin/" + program, TarConstants.LF_SYMLINK);
        link.setLinkName(bin.resolve(program).toString());
        // The same archive each time: it is unpacked once.
        link.setModTime(0);
        tar.putArchiveEntry(link);
        tar.closeArchiveEntry();
      }
    }
    return new java.io.ByteArrayInputStream(bytes.toByteArray());
  }

  /** Lets every new session of the server have its messages in the locale's language. */
  public static void speak(PostgresServer server, String locale) throws SQLException {
    server.execute(
        "postgres",
        "ALTER SYSTEM SET lc_messages = '" + locale + "'",
        "SELECT pg_catalog.pg_reload_conf()");
  }

  /**
   * Ages a running server without replication slots: its next transaction has this id. Goes there
   * in steps, each as long as a server may live without freezing its rows, and freezes them each
   * time.
   *
   * @param next below 2^32
   */
  public void age(PostgresServer server, long next) throws IOException, SQLException {
    long at = nextTransaction(server);
    while (at < next) {
      freeze(server);
      at = Math.min(next, at + LONGEST_STEP);
      server.stop();
      reset(server.dataDirectory(), at);
      server.start();
    }
  }

  private static long nextTransaction(PostgresServer server) throws SQLException {
    return Long.parseLong(
        first(server, "postgres", "SELECT pg_snapshot_xmax(pg_current_snapshot())").get(0));
  }

  private static void freeze(PostgresServer server) throws SQLException {
    server.execute("postgres", "ALTER DATABASE template0 ALLOW_CONNECTIONS true");
    for (String database : first(server, "postgres", "SELECT datname FROM pg_database")) {
      server.execute(database, "VACUUM (FREEZE)");
    }
    server.execute("postgres", "ALTER DATABASE template0 ALLOW_CONNECTIONS false");
  }

  private static List<String> first(PostgresServer server, String database, String query)
      throws SQLException {
    List<String> column = new ArrayList<>();
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        column.add(rows.getString(1));
      }
    }
    return column;
  }

  private void reset(Path data, long next) throws IOException {
    // The server looks up what became of the transactions just before, of which there are none.
    Path segment = data.resolve("pg_xact").resolve("%04X".formatted(next / TRANSACTIONS_A_SEGMENT));
    if (!Files.exists(segment)) {
      Files.write(segment, new byte[SEGMENT_BYTES]);
    }
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(
        List.of(bin.resolve(RESET).toString(), "-x", Long.toString(next), "-D", data.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(RESET + " failed: " + said);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + RESET + " ran", e);
    }
  }
}
