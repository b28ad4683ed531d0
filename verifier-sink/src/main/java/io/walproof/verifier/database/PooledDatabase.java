package io.walproof.verifier.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A HikariCP pool of bounded size. */
final class PooledDatabase implements Database {

  /** One wait for a connection; between two of them deadline and cancellation are looked at. */
  private static final Duration SLICE = Duration.ofMillis(300);

  private final DatabaseSettings settings;
  private final Time time;
  private final HikariDataSource pool;

  PooledDatabase(DatabaseSettings settings, Time time) {
    this.settings = settings;
    this.time = time;
    this.pool = new HikariDataSource(config(settings));
  }

  private static HikariConfig config(DatabaseSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("walproof-" + settings.side().text());
    config.setDriverClassName("org.postgresql.Driver");
    config.setJdbcUrl(settings.jdbcUrl());
    if (!settings.user().isEmpty()) {
      config.setUsername(settings.user());
    }
    if (!settings.password().isEmpty()) {
      config.setPassword(settings.password());
    }
    config.setAutoCommit(false);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(settings.maxConnections());
    config.setConnectionTimeout(SLICE.toMillis());
    config.setValidationTimeout(SLICE.toMillis());
    // The pool opens without a server; the start-up check and every read report one by themselves.
    config.setInitializationFailTimeout(-1);
    String seconds = Long.toString(Math.max(1, settings.connectTimeout().toSeconds()));
    config.addDataSourceProperty("ApplicationName", "walproof");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("connectTimeout", seconds);
    config.addDataSourceProperty("loginTimeout", seconds);
    config.addDataSourceProperty("cancelSignalTimeout", seconds);
    // Unnamed statements only: they are planned for the arrays at hand, cannot go stale when a
    // column's type changes, and work through a transaction pooler.
    config.addDataSourceProperty("prepareThreshold", "0");
    // Rows are compared as PostgreSQL's text.
    config.addDataSourceProperty("binaryTransfer", "false");
    return config;
  }

  @Override
  public DatabaseSettings settings() {
    return settings;
  }

  @Override
  public Connection borrow(Deadline deadline, Cancellation cancel) throws SQLException {
    Deadline connect = deadline.earlierOf(Deadline.in(time, settings.connectTimeout()));
    while (true) {
      if (cancel.isCancelled()) {
        throw new StoppedException();
      }
      try {
        return pool.getConnection();
      } catch (SQLException e) {
        if (connect.hasPassed() || !SqlFailure.of(e).mayPass()) {
          throw e;
        }
      }
    }
  }

  @Override
  public void evict(Connection connection) {
    pool.evictConnection(connection);
  }

  @Override
  public void close() {
    pool.close();
  }

  @Override
  public String toString() {
    return settings.toString();
  }
}
