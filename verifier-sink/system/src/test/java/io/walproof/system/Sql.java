package io.walproof.system;

import io.walproof.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Single values from a server. */
final class Sql {

  private Sql() {}

  /** The query's first column of its first row. */
  static String text(PostgresServer server, String database, String query) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** The same as a number. */
  static long number(PostgresServer server, String database, String query) throws SQLException {
    return Long.parseLong(text(server, database, query));
  }
}
