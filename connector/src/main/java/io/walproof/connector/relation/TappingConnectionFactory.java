package io.walproof.connector.relation;

import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.BaseConnection;

/**
 * Opens Debezium's connections ({@code database.connection.factory.class}) and wraps the one that
 * replicates, so that the tap sees every message before Debezium decodes it.
 */
public final class TappingConnectionFactory implements JdbcConnection.ConnectionFactory {

  private static final JdbcConnection.ConnectionFactory PLAIN =
      JdbcConnection.patternBasedFactory(
          "jdbc:postgresql://${hostname}:${port}/${dbname}",
          org.postgresql.Driver.class.getName(),
          TappingConnectionFactory.class.getClassLoader(),
          JdbcConfiguration.PORT.withDefault(PostgresConnectorConfig.PORT.defaultValueAsString()));

  /**
   * Text output as the row equality rules want it. Set after connecting, because pgjdbc sends the
   * JVM's time zone at startup, which would win over startup options.
   */
  private static final String TEXT_FORM =
      "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres';"
          + " SET extra_float_digits = 1; SET bytea_output = 'hex'; SET lc_monetary = 'C';"
          + " SET xmloption = 'content'; SET quote_all_identifiers = off;"
          + " SET search_path = pg_catalog";

  /** For Debezium, which instantiates by class name. */
  public TappingConnectionFactory() {}

  /** Debezium's own statements name catalogs without a schema; nothing may shadow these. */
  private static final String CATALOG_FIRST =
      "SELECT pg_catalog.set_config('search_path', 'pg_catalog, '"
          + " || pg_catalog.current_setting('search_path'), false)";

  /** A connection without the tap, on which nothing shadows the catalog. */
  public static Connection plain(JdbcConfiguration settings) throws SQLException {
    return connect(settings, CATALOG_FIRST);
  }

  @Override
  public Connection connect(JdbcConfiguration settings) throws SQLException {
    if (!"database".equals(settings.getString("replication"))) {
      Connection connection = plain(settings);
      tap(settings).gate().openedBeside(connection);
      return connection;
    }
    Tap tap = tap(settings);
    Connection connection = connect(settings, TEXT_FORM);
    tap.gate().opened(connection);
    return TappedConnection.wrap(connection.unwrap(BaseConnection.class), tap);
  }

  private static Tap tap(JdbcConfiguration settings) {
    return TapRegistry.require(settings.getString(TapRegistry.ID));
  }

  private static Connection connect(JdbcConfiguration settings, String first) throws SQLException {
    Connection connection = PLAIN.connect(settings);
    try (Statement statement = connection.createStatement()) {
      statement.execute(first);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }
}
