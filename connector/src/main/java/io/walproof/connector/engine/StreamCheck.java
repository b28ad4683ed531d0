package io.walproof.connector.engine;

import io.debezium.jdbc.JdbcConfiguration;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.relation.TappingConnectionFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Whether changes can be streamed where statements can be run: most connection poolers refuse. */
final class StreamCheck {

  private StreamCheck() {}

  /**
   * Where another process answers than the one that greeted the connection, tries to replicate.
   *
   * @throws CaptureException if that is refused
   */
  static void check(Connection connection, CaptureSettings settings) throws SQLException {
    if (isDirect(connection)) {
      return;
    }
    JdbcConfiguration replicating =
        JdbcConfiguration.adapt(
            settings
                .connectorConfig()
                .getJdbcConfig()
                .edit()
                .with("ApplicationName", "walproof capture")
                .with("replication", "database")
                .with("preferQueryMode", "simple")
                .build());
    try (Connection stream = TappingConnectionFactory.plain(replicating)) {
      return;
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith("08")) {
        // Without the cause, which would make it look like an outage that passes.
        throw new CaptureException(
            Reason.SERVER,
            "database.hostname and database.port lead to a connection pooler that passes no"
                + " replication (SQLSTATE "
                + e.getSQLState()
                + "); let them lead to the server itself. Rows may be read through the pooler:"
                + " verify.source.jdbc.url");
      }
      throw e;
    }
  }

  private static boolean isDirect(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_catalog.pg_backend_pid()")) {
      return row.next() && row.getInt(1) == connection.unwrap(PGConnection.class).getBackendPID();
    }
  }
}
