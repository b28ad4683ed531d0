package io.walproof.verifier.database;

import io.walproof.verifier.model.AuditedDatabases;

/**
 * Which database a connection leads to.
 *
 * @param systemIdentifier the cluster's; a physical standby shares it with its primary
 * @param name the database's name
 * @param startedAt when this server process started; tells a standby from its primary
 * @param inRecovery whether the server is a standby
 * @param version {@code server_version_num}
 */
public record DatabaseIdentity(
    String systemIdentifier, String name, String startedAt, boolean inRecovery, int version) {

  private static final String SQL =
      "SELECT s.system_identifier, pg_catalog.current_database(),"
          + " pg_catalog.pg_postmaster_start_time(), pg_catalog.pg_is_in_recovery(),"
          + " pg_catalog.current_setting('server_version_num')"
          + " FROM pg_catalog.pg_control_system() AS s";

  /** Reads it. */
  public static DatabaseIdentity read(Session session) throws java.sql.SQLException {
    return session.query(
        SQL,
        Session.Parameters.NONE,
        rows -> {
          rows.next();
          return new DatabaseIdentity(
              rows.getString(1),
              rows.getString(2),
              rows.getString(3),
              rows.getBoolean(4),
              Integer.parseInt(rows.getString(5)));
        });
  }

  /** What an audit says of it: the same after a restart, and on a physical standby. */
  public AuditedDatabases.Identity forAudit() {
    return new AuditedDatabases.Identity(systemIdentifier, name);
  }

  /** Whether both are the same database of the same running server. */
  public boolean sameDatabaseAs(DatabaseIdentity other) {
    return systemIdentifier.equals(other.systemIdentifier)
        && name.equals(other.name)
        && startedAt.equals(other.startedAt);
  }
}
