package io.walproof.standalone.bench;

import io.walproof.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Copies of a slot that nobody reads, so that each run reads the same changes from the same
 * position. Not thread-safe.
 */
final class SlotCopies {

  private final PostgresServer server;
  private final String database;
  private final String slot;
  private int copies;

  private SlotCopies(PostgresServer server, String database, String slot) {
    this.server = server;
    this.database = database;
    this.slot = slot;
  }

  /** Makes the slot: what is changed from now on waits in it. */
  static SlotCopies of(PostgresServer server, String database, String slot) throws SQLException {
    server.execute(
        database,
        "SELECT pg_catalog.pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    return new SlotCopies(server, database, slot);
  }

  /** A slot of its own for one run. */
  String copy() throws SQLException {
    String copy = slot + "_" + ++copies;
    call("SELECT pg_catalog.pg_copy_logical_replication_slot(?, ?)", slot, copy);
    return copy;
  }

  /** Where every copy of the slot starts. */
  String start() throws SQLException {
    try (Connection connection = server.connect(database);
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT confirmed_flush_lsn FROM pg_catalog.pg_replication_slots"
                    + " WHERE slot_name = '"
                    + slot
                    + "'")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Removes a run's slot; waits for the server to notice that its reader is gone. */
  void drop(String copy) throws SQLException {
    call(
        "SELECT pg_catalog.pg_terminate_backend(active_pid, 10000) FROM"
            + " pg_catalog.pg_replication_slots WHERE slot_name = ? AND active_pid IS NOT NULL",
        copy);
    call("SELECT pg_catalog.pg_drop_replication_slot(?)", copy);
  }

  private void call(String sql, String... parameters) throws SQLException {
    try (Connection connection = server.connect(database);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      statement.execute();
    }
  }
}
