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
    config.setDataSource(new DriverSource(settings));
    config.setAutoCommit(false);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(settings.maxConnections());
    config.setConnectionTimeout(SLICE.toMillis());
    config.setValidationTimeout(SLICE.toMillis());
    // The pool opens without a server; the start-up check and every read report one by themselves.
    config.setInitializationFailTimeout(-1);
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
        throw new StoppedException("cancelled");
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
