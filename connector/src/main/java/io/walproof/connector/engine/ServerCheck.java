package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.WalOrigin;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What must be true of the server and the role before anything else. */
final class ServerCheck {

  private static final int OLDEST = 140000;

  private static final String FACTS =
      """
      SELECT pg_catalog.current_setting('server_version_num')::int,
             pg_catalog.current_setting('wal_level'),
             pg_catalog.pg_is_in_recovery(),
             r.rolsuper OR r.rolreplication OR EXISTS (
               SELECT FROM pg_catalog.pg_roles m
               WHERE m.rolname = 'rds_replication'
                 AND pg_catalog.pg_has_role(r.oid, m.oid, 'MEMBER')),
             r.rolname
      FROM pg_catalog.pg_roles r WHERE r.rolname = CURRENT_USER
      """;

  private ServerCheck() {}

  /**
   * The server.
   *
   * @param version {@code server_version_num}
   * @param standby whether it is in recovery
   * @param origin whose WAL it has
   */
  record Server(int version, boolean standby, WalOrigin origin) {

    /**
     * What positions say of their LSNs. A standby follows its primary onto another timeline while
     * its stream goes on, so what it is on now is not noted; it cannot follow onto one that left
     * before what it has streamed.
     */
    WalOrigin noted() {
      return standby ? origin.withoutTimelines() : origin;
    }
  }

  /**
   * Checks.
   *
   * @throws CaptureException naming what is not as it must be, and the SQL to run
   */
  static Server check(Connection connection, CaptureSettings settings) throws SQLException {
    int version;
    String walLevel;
    boolean standby;
    boolean mayReplicate;
    String role;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FACTS)) {
      row.next();
      version = row.getInt(1);
      walLevel = row.getString(2);
      standby = row.getBoolean(3);
      mayReplicate = row.getBoolean(4);
      role = row.getString(5);
    }
    if (version < OLDEST) {
      throw new CaptureException(
          Reason.SERVER,
          "the source's server_version_num is " + version + "; PostgreSQL 14 or newer is needed");
    }
    if (!walLevel.equals("logical")) {
      throw new CaptureException(
          Reason.SERVER,
          "the source's wal_level is "
              + walLevel
              + ", logical is needed; run ALTER SYSTEM SET wal_level = 'logical' and restart the"
              + " server");
    }
    if (!mayReplicate) {
      throw new CaptureException(
          Reason.ROLE,
          "database.user '"
              + role
              + "' may not replicate; run as a superuser: ALTER ROLE "
              + Sql.quoted(role)
              + " REPLICATION");
    }
    return new Server(version, standby, SourceOrigin.read(connection, settings));
  }
}
