package io.walproof.connector.engine;

import io.debezium.jdbc.JdbcConfiguration;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.relation.TappingConnectionFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Opens connections for replication commands, which most connection poolers do not pass. */
final class ReplicatingConnection {

  private ReplicatingConnection() {}

  /**
   * Opens one; the caller closes it.
   *
   * @param ordinary an ordinary connection to the same place
   * @throws CaptureException if a pooler is there and refuses it
   */
  static Connection open(Connection ordinary, CaptureSettings settings) throws SQLException {
    JdbcConfiguration jdbc =
        JdbcConfiguration.adapt(
            settings
                .connectorConfig()
                .getJdbcConfig()
                .edit()
                .with("ApplicationName", "walproof capture")
                .with("replication", "database")
                .with("preferQueryMode", "simple")
                .with("assumeMinServerVersion", "9.4")
                .build());
    try {
      return TappingConnectionFactory.plain(jdbc);
    } catch (SQLException e) {
      if (SourceError.isConnection(e) && isPooled(ordinary)) {
        // Without the cause, which would make it look like an outage that passes.
        throw new CaptureException(
            Reason.SERVER,
            "database.hostname and database.port lead to a connection pooler that passes no"
                + " replication (SQLSTATE "
                + SourceError.state(e)
                + "); let them lead to the server itself. Rows may be read through the pooler:"
                + " verify.source.jdbc.url");
      }
      throw e;
    }
  }

  /** Whether another server process answers than the one that greeted the connection. */
  private static boolean isPooled(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_catalog.pg_backend_pid()")) {
      row.next();
      return row.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
    }
  }
}
