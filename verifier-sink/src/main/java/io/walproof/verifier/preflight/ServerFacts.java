package io.walproof.verifier.preflight;

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
 * @param role the role that asks
 * @param synchronous whether commits wait for standbys
 * @param readsActivity whether the role sees what others' sessions wait for
 */
record ServerFacts(
    String encoding,
    String collation,
    Instant clock,
    String role,
    boolean synchronous,
    boolean readsActivity) {

  private static final String SQL =
      """
      SELECT pg_catalog.current_setting('server_encoding'),
             (SELECT pg_catalog.concat_ws(' ', d.j ->> 'datcollate', d.j ->> 'datlocprovider',
                       d.j ->> 'datlocale', d.j ->> 'daticulocale', d.j ->> 'datcollversion')
              FROM (SELECT pg_catalog.to_jsonb(db) AS j FROM pg_catalog.pg_database AS db
                    WHERE db.datname = pg_catalog.current_database()) AS d),
             (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) * 1000)::int8,
             current_user::text,
             pg_catalog.current_setting('synchronous_standby_names') <> '',
             pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')
      """;

  /** Reads it. */
  static ServerFacts read(Session session) throws SQLException {
    return session.query(
        SQL,
        Session.Parameters.NONE,
        row -> {
          row.next();
          return new ServerFacts(
              row.getString(1),
              row.getString(2),
              Instant.ofEpochMilli(row.getLong(3)),
              row.getString(4),
              row.getBoolean(5),
              row.getBoolean(6));
        });
  }
}
