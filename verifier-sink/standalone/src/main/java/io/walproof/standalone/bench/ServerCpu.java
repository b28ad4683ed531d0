package io.walproof.standalone.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * CPU time that processes of a PostgreSQL server on this machine took since they began. Not a
 * number where the platform does not tell.
 */
final class ServerCpu {

  /** Walproof's connections that read rows; they are new with each run. */
  private static final String WALPROOF =
      "SELECT pid FROM pg_catalog.pg_stat_activity WHERE application_name = 'walproof'";

  private ServerCpu() {}

  /** Of Walproof's connections that are open, in seconds. */
  static double ofWalproof(Connection watcher) throws SQLException {
    return sum(watcher, WALPROOF);
  }

  /** Of the process that decodes and sends a slot's changes, in seconds. */
  static double ofSender(Connection watcher, String slot) throws SQLException {
    return sum(
        watcher,
        "SELECT active_pid FROM pg_catalog.pg_replication_slots WHERE slot_name = '"
            + slot
            + "' AND active_pid IS NOT NULL");
  }

  /** Of a connection's own process, in seconds. */
  static double ofItself(Connection connection) throws SQLException {
    return sum(connection, "SELECT pg_catalog.pg_backend_pid()");
  }

  private static double sum(Connection watcher, String pids) throws SQLException {
    double sum = 0;
    boolean any = false;
    try (Statement statement = watcher.createStatement();
        ResultSet rows = statement.executeQuery(pids)) {
      while (rows.next()) {
        any = true;
        sum += seconds(rows.getLong(1));
      }
    }
    // No process is no time: whoever asks has had work done.
    return any ? sum : Double.NaN;
  }

  /** Linux tells nanoseconds; what else there is goes by ticks of ten milliseconds. */
  private static double seconds(long pid) {
    Path precise = Path.of("/proc", Long.toString(pid), "schedstat");
    if (Files.exists(precise)) {
      try {
        return Long.parseLong(Files.readString(precise).split(" ", 2)[0]) / 1e9;
      } catch (IOException e) {
        throw new UncheckedIOException("the server's process ended while it was looked at", e);
      }
    }
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(cpu -> cpu.toNanos() / 1e9)
        .orElse(Double.NaN);
  }
}
