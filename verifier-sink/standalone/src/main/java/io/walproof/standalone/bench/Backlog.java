package io.walproof.standalone.bench;

import io.walproof.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Changes that wait in a slot. The slot is never read; each run reads a fresh copy of it, and so
 * the same changes from the same position. Not thread-safe.
 */
final class Backlog implements AutoCloseable {

  static final String DATABASE = "bench";
  static final String PUBLICATION = "bench";

  private static final String SLOT = "bench_backlog";

  private final PostgresServer server;
  private final long changes;
  private int copies;

  private Backlog(PostgresServer server, long changes) {
    this.server = server;
    this.changes = changes;
  }

  /**
   * Makes a backlog of inserts and updates in equal parts.
   *
   * @param transactions how many, even
   * @param rows changes per transaction
   */
  static Backlog make(int transactions, int rows) throws SQLException {
    PostgresServer server =
        PostgresServer.builder()
            .setting("max_wal_size", "4GB")
            .setting("autovacuum", "off")
            .start();
    boolean made = false;
    try {
      server.execute("postgres", "CREATE DATABASE " + DATABASE);
      server.execute(
          DATABASE,
          BenchTable.CREATE,
          "CREATE PUBLICATION " + PUBLICATION + " FOR TABLE " + BenchTable.ID.sql(),
          "SELECT pg_catalog.pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')",
          "DO $$ BEGIN FOR t IN 0.."
              + (transactions / 2 - 1)
              + " LOOP "
              + BenchTable.insert("t * " + rows + " + 1", "(t + 1) * " + rows)
              + "; COMMIT; UPDATE public.bench SET status = 'paid', paid = true WHERE id BETWEEN t * "
              + rows
              + " + 1 AND (t + 1) * "
              + rows
              + "; COMMIT; END LOOP; END $$",
          "CHECKPOINT");
      made = true;
      return new Backlog(server, (long) transactions * rows);
    } finally {
      if (!made) {
        closeQuietly(server);
      }
    }
  }

  /** How many changes wait. */
  long changes() {
    return changes;
  }

  int port() {
    return server.port();
  }

  /** A slot of its own for one run. */
  String copySlot() throws SQLException {
    String copy = SLOT + "_" + ++copies;
    call("SELECT pg_catalog.pg_copy_logical_replication_slot(?, ?)", SLOT, copy);
    return copy;
  }

  /** Where every copy of the slot starts, and the cluster's identifier. */
  String start() throws SQLException {
    try (Connection connection = server.connect(DATABASE);
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT confirmed_flush_lsn FROM pg_catalog.pg_replication_slots"
                    + " WHERE slot_name = '"
                    + SLOT
                    + "'")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Removes a run's slot; waits for the server to notice that its reader is gone. */
  void dropSlot(String slot) throws SQLException {
    call(
        "SELECT pg_catalog.pg_terminate_backend(active_pid, 10000) FROM"
            + " pg_catalog.pg_replication_slots WHERE slot_name = ? AND active_pid IS NOT NULL",
        slot);
    call("SELECT pg_catalog.pg_drop_replication_slot(?)", slot);
  }

  private void call(String sql, String... parameters) throws SQLException {
    try (Connection connection = server.connect(DATABASE);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      statement.execute();
    }
  }

  private static void closeQuietly(PostgresServer server) {
    try {
      server.close();
    } catch (java.io.IOException e) {
      // What failed before is under way and says more.
    }
  }

  @Override
  public void close() throws java.io.IOException {
    server.close();
  }
}
