package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the source has room for, and how much WAL it keeps.
 *
 * @param slots replication slots in use
 * @param slotsMax {@code max_replication_slots}
 * @param senders WAL senders in use
 * @param sendersMax {@code max_wal_senders}
 * @param keptBytes the most WAL that one slot holds back, 0 on a standby or without slots
 * @param keptBy that slot's name, empty if there is none
 * @param keepLimit {@code max_slot_wal_keep_size} as the server prints it; {@code -1} is no limit
 */
record SourceCapacity(
    int slots,
    int slotsMax,
    int senders,
    int sendersMax,
    long keptBytes,
    String keptBy,
    String keepLimit) {

  private static final long MUCH_WAL = 10L << 30;

  /** How much more a full server is told to have. */
  private static final int MORE = 5;

  private static final String SQL =
      """
      SELECT (SELECT pg_catalog.count(*) FROM pg_catalog.pg_replication_slots),
             pg_catalog.current_setting('max_replication_slots')::int4,
             (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication),
             pg_catalog.current_setting('max_wal_senders')::int4,
             COALESCE(kept.bytes, 0)::int8, COALESCE(kept.slot_name::text, ''),
             pg_catalog.current_setting('max_slot_wal_keep_size')
      FROM (SELECT 1) AS one
      LEFT JOIN LATERAL (
        SELECT s.slot_name,
               pg_catalog.pg_wal_lsn_diff(
                 CASE WHEN NOT pg_catalog.pg_is_in_recovery()
                   THEN pg_catalog.pg_current_wal_lsn() END, s.restart_lsn) AS bytes
        FROM pg_catalog.pg_replication_slots AS s
        ORDER BY 2 DESC NULLS LAST LIMIT 1) AS kept ON true
      """;

  /** Reads it. */
  static SourceCapacity read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      return new SourceCapacity(
          row.getInt(1),
          row.getInt(2),
          row.getInt(3),
          row.getInt(4),
          row.getLong(5),
          row.getString(6),
          row.getString(7));
    }
  }

  /**
   * That a capture finds room.
   *
   * @param slotExists whether its slot is among those in use
   * @param slotActive whether its WAL sender may be
   * @throws CaptureException if a start would find none
   */
  Finding room(boolean slotExists, boolean slotActive) {
    if (!slotExists && slots >= slotsMax) {
      throw new CaptureException(
          Reason.SLOT,
          "all "
              + slotsMax
              + " replication slots are in use; drop one that nobody needs (SELECT"
              + " pg_catalog.pg_drop_replication_slot('...')), or run ALTER SYSTEM"
              + " SET max_replication_slots = '"
              + (slotsMax + MORE)
              + "' and restart the server");
    }
    if (!slotActive && senders >= sendersMax) {
      throw new CaptureException(
          Reason.SERVER,
          "all "
              + sendersMax
              + " WAL senders are in use; run ALTER SYSTEM SET max_wal_senders = '"
              + (sendersMax + MORE)
              + "' and restart the server");
    }
    return Finding.ok(
        Check.SOURCE_CAPACITY,
        slots
            + " of "
            + slotsMax
            + " replication slots and "
            + senders
            + " of "
            + sendersMax
            + " WAL senders are in use");
  }

  /** Whether slots fill the disk, or may lose what they keep. */
  Finding retention() {
    if (keptBytes > MUCH_WAL) {
      return Finding.warning(
          Check.WAL_RETENTION,
          "slot '"
              + keptBy
              + "' holds back "
              + (keptBytes >> 20)
              + " MiB of WAL; see whether its consumer still runs, and if not, run: SELECT"
              + " pg_catalog.pg_drop_replication_slot("
              + Sql.literal(keptBy)
              + ")");
    }
    if (!keepLimit.equals("-1")) {
      return Finding.warning(
          Check.WAL_RETENTION,
          "max_slot_wal_keep_size is "
              + keepLimit
              + ": when more than that is written while keys wait for their recheck, the slot is"
              + " lost and the next start names a gap. Allow for settle, delay and replay"
              + " timeout at the peak rate: ALTER SYSTEM SET max_slot_wal_keep_size = '...'");
    }
    return Finding.ok(
        Check.WAL_RETENTION, "the slots hold back at most " + (keptBytes >> 20) + " MiB");
  }
}
