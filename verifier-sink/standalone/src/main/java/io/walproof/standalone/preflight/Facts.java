package io.walproof.standalone.preflight;

import io.walproof.verifier.database.Session;
import java.sql.SQLException;
import java.time.Instant;

/**
 * What a server says about itself in one row.
 *
 * @param encoding the database's encoding
 * @param collation how the database orders texts: locale, provider and version, as far as its
 *     version knows them
 * @param clock the server's time
 * @param slots replication slots in use
 * @param slotsMax {@code max_replication_slots}
 * @param senders WAL senders in use
 * @param sendersMax {@code max_wal_senders}
 * @param keptBytes the most WAL that one slot holds back, 0 on a standby or without slots
 * @param keptBy that slot's name, empty if there is none
 * @param keepLimit {@code max_slot_wal_keep_size} as the server prints it; {@code -1} is no limit
 */
record Facts(
    String encoding,
    String collation,
    Instant clock,
    int slots,
    int slotsMax,
    int senders,
    int sendersMax,
    long keptBytes,
    String keptBy,
    String keepLimit) {

  private static final String SQL =
      """
      SELECT pg_catalog.current_setting('server_encoding'),
             (SELECT pg_catalog.concat_ws(' ', d.j ->> 'datcollate', d.j ->> 'datlocprovider',
                       d.j ->> 'datlocale', d.j ->> 'daticulocale', d.j ->> 'datcollversion')
              FROM (SELECT pg_catalog.to_jsonb(db) AS j FROM pg_catalog.pg_database AS db
                    WHERE db.datname = pg_catalog.current_database()) AS d),
             (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) * 1000)::int8,
             (SELECT pg_catalog.count(*) FROM pg_catalog.pg_replication_slots),
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
  static Facts read(Session session) throws SQLException {
    return session.query(
        SQL,
        Session.Parameters.NONE,
        row -> {
          row.next();
          return new Facts(
              row.getString(1),
              row.getString(2),
              Instant.ofEpochMilli(row.getLong(3)),
              row.getInt(4),
              row.getInt(5),
              row.getInt(6),
              row.getInt(7),
              row.getLong(8),
              row.getString(9),
              row.getString(10));
        });
  }

  /** Whether a slot's WAL may be taken away from it. */
  boolean keepIsLimited() {
    return !keepLimit.equals("-1");
  }
}
