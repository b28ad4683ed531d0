package io.walproof.verifier.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Connects by pgjdbc's driver. The pool gets this instead of URL and properties, so that it has no
 * secret to log, and does not set the JVM's global login timeout.
 */
final class DriverSource implements DataSource {

  private static final int CLOSE_SECONDS = 5;

  private final Driver driver = new org.postgresql.Driver();
  private final DatabaseSettings settings;

  DriverSource(DatabaseSettings settings) {
    this.settings = settings;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = driver.connect(settings.jdbcUrl(), properties());
    if (connection == null) {
      throw new SQLException(settings.urlSetting() + " is no valid URL", "08001");
    }
    return connection;
  }

  private Properties properties() {
    Properties properties = new Properties();
    if (!settings.user().isEmpty()) {
      properties.setProperty("user", settings.user());
    }
    if (!settings.password().isEmpty()) {
      properties.setProperty("password", settings.password());
    }
    String seconds = Long.toString(Math.max(1, settings.connectTimeout().toSeconds()));
    properties.setProperty("ApplicationName", "walproof");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    properties.setProperty("cancelSignalTimeout", seconds);
    // Unnamed statements only: they are planned for the arrays at hand, cannot go stale when a
    // column's type changes, and work through a transaction pooler.
    properties.setProperty("prepareThreshold", "0");
    // Rows are compared as PostgreSQL's text.
    properties.setProperty("binaryTransfer", "false");
    return properties;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the settings say who connects");
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  /** The pool takes this for the seconds that its own threads get to end when it is closed. */
  @Override
  public int getLoginTimeout() {
    return CLOSE_SECONDS;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("pgjdbc logs for itself");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  /** For the pool's log. */
  @Override
  public String toString() {
    return settings.toString();
  }
}
