package io.walproof.connector.engine;

import io.walproof.contract.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A replication slot as {@code pg_replication_slots} shows it.
 *
 * @param plugin the output plugin, empty for a physical slot
 * @param database the database, empty for a physical slot
 * @param activePid the process that holds it, 0 if none
 * @param confirmed {@code confirmed_flush_lsn}, {@link Lsn#NONE} if there is none
 * @param walStatus {@code reserved}, {@code extended}, {@code unreserved} or {@code lost}
 * @param invalidation why it was invalidated, empty if it was not
 * @param end the end of the server's WAL, empty on a standby, whose end moves back when it restarts
 */
record SlotState(
    String plugin,
    String database,
    int activePid,
    Lsn confirmed,
    String walStatus,
    String invalidation,
    Optional<Lsn> end) {

  /** Reads a slot, empty if there is none of the name. Columns differ between server versions. */
  static Optional<SlotState> read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT s.*, CASE WHEN NOT pg_catalog.pg_is_in_recovery()"
                + " THEN pg_catalog.pg_current_wal_insert_lsn() END AS wal_end"
                + " FROM pg_catalog.pg_replication_slots AS s WHERE s.slot_name = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(of(row)) : Optional.empty();
      }
    }
  }

  /** Whether the slot can no longer deliver what it reserved. */
  boolean isLost() {
    return walStatus.equals("lost") || !invalidation.isEmpty();
  }

  /** The bytes of WAL from what the slot confirmed to the end, empty where the end is not known. */
  Optional<Long> lag() {
    return end.map(last -> Math.max(0, last.value() - confirmed.value()));
  }

  private static SlotState of(ResultSet row) throws SQLException {
    Set<String> columns = new HashSet<>();
    ResultSetMetaData meta = row.getMetaData();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      columns.add(meta.getColumnName(i).toLowerCase(Locale.ROOT));
    }
    String invalidation =
        columns.contains("invalidation_reason") ? text(row, "invalidation_reason") : "";
    if (invalidation.isEmpty()
        && columns.contains("conflicting")
        && row.getBoolean("conflicting")) {
      invalidation = "conflict with recovery";
    }
    String confirmed = text(row, "confirmed_flush_lsn");
    return new SlotState(
        text(row, "plugin"),
        text(row, "database"),
        row.getInt("active_pid"),
        confirmed.isEmpty() ? Lsn.NONE : Lsn.parse(confirmed),
        text(row, "wal_status"),
        invalidation,
        Optional.ofNullable(row.getString("wal_end")).map(Lsn::parse));
  }

  private static String text(ResultSet row, String column) throws SQLException {
    String value = row.getString(column);
    return value == null ? "" : value;
  }
}
