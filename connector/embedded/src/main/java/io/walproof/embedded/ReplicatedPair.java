package io.walproof.embedded;

import io.walproof.contract.Time;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Two servers joined by PostgreSQL's own logical replication: what is committed in {@link
 * #DATABASE} on the source is applied to the same tables on the target, as long as the applier is
 * not paused. Not thread-safe.
 */
public final class ReplicatedPair implements AutoCloseable {

  /** The database that is replicated, on both servers. */
  public static final String DATABASE = "app";

  /** The publication on the source, for all tables. */
  public static final String PUBLICATION = "pipeline";

  /** The subscription on the target, and its slot on the source. */
  public static final String SUBSCRIPTION = "pipeline";

  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final PostgresServer source;
  private final PostgresServer target;
  private final Time time;

  private ReplicatedPair(PostgresServer source, PostgresServer target, Time time) {
    this.source = source;
    this.target = target;
    this.time = time;
  }

  /** Two new servers of the major, each with an empty database, not joined yet. */
  public static ReplicatedPair start(int major) throws IOException, SQLException {
    return start(PostgresServer.builder().major(major), PostgresServer.builder().major(major));
  }

  /** Two new servers, each with an empty database, not joined yet. */
  public static ReplicatedPair start(PostgresServer.Builder source, PostgresServer.Builder target)
      throws IOException, SQLException {
    PostgresServer from = source.start();
    try {
      PostgresServer to = target.start();
      try {
        from.execute("postgres", "CREATE DATABASE " + DATABASE);
        to.execute("postgres", "CREATE DATABASE " + DATABASE);
        return new ReplicatedPair(from, to, Time.system());
      } catch (SQLException e) {
        to.close();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      from.close();
      throw e;
    }
  }

  /** The server that is written to. */
  public PostgresServer source() {
    return source;
  }

  /** The server that the applier writes to. */
  public PostgresServer target() {
    return target;
  }

  /** Runs statements in {@link #DATABASE} on the source. */
  public void onSource(String... statements) throws SQLException {
    source.execute(DATABASE, statements);
  }

  /** Runs statements in {@link #DATABASE} on the target, past the applier. */
  public void onTarget(String... statements) throws SQLException {
    target.execute(DATABASE, statements);
  }

  /** Runs the same statements on both: for DDL, which logical replication does not carry. */
  public void onBoth(String... statements) throws SQLException {
    onSource(statements);
    onTarget(statements);
  }

  /**
   * Publishes all tables, subscribes to them, and waits until their initial copy is done.
   *
   * @throws TimeoutException if that takes longer than a minute
   */
  public void join() throws SQLException, TimeoutException, InterruptedException {
    onSource("CREATE PUBLICATION " + PUBLICATION + " FOR ALL TABLES");
    subscribe(SUBSCRIPTION, PUBLICATION);
    awaitCopied();
  }

  /** Adds a subscription, whose slot has its name; does not wait for its initial copy. */
  public void subscribe(String subscription, String publication) throws SQLException {
    onTarget(
        "CREATE SUBSCRIPTION "
            + subscription
            + " CONNECTION '"
            + connectionInfo()
            + "' PUBLICATION "
            + publication);
  }

  /** How the target reaches the source, as libpq wants it. */
  public String connectionInfo() {
    return "host=127.0.0.1 port="
        + source.port()
        + " dbname="
        + DATABASE
        + " user="
        + PostgresServer.SUPERUSER;
  }

  /** Takes tables that were created after joining into the subscription, and waits for the copy. */
  public void refresh() throws SQLException, TimeoutException, InterruptedException {
    onTarget("ALTER SUBSCRIPTION " + SUBSCRIPTION + " REFRESH PUBLICATION");
    awaitCopied();
  }

  /** Stops the applier; changes wait in the slot. Returns once its worker is gone. */
  public void pauseApplier() throws SQLException, TimeoutException, InterruptedException {
    onTarget("ALTER SUBSCRIPTION " + SUBSCRIPTION + " DISABLE");
    await(
        "the applier to stop",
        () ->
            isZero(target, "SELECT count(*) FROM pg_stat_subscription WHERE pid IS NOT NULL")
                && isZero(
                    source,
                    "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '"
                        + SUBSCRIPTION
                        + "'"));
  }

  /** Starts the applier again. */
  public void resumeApplier() throws SQLException {
    onTarget("ALTER SUBSCRIPTION " + SUBSCRIPTION + " ENABLE");
  }

  /** Waits until every subscribed table's initial copy is done. */
  public void awaitCopied() throws SQLException, TimeoutException, InterruptedException {
    await(
        "the initial copy",
        () -> isZero(target, "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'"));
  }

  /** Waits until the target has applied everything that is committed on the source now. */
  public void awaitApplied() throws SQLException, TimeoutException, InterruptedException {
    onSource("SELECT pg_logical_emit_message(true, 'walproof-pair', '')");
    String lsn = one(source, "SELECT pg_current_wal_flush_lsn()");
    await(
        "the applier to catch up",
        () ->
            isZero(
                source,
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                    + SUBSCRIPTION
                    + "' AND confirmed_flush_lsn < '"
                    + lsn
                    + "'"));
  }

  /** Stops both servers and deletes their data. */
  @Override
  public void close() throws IOException {
    try {
      // The subscriber first: a publisher waits for its walsenders on shutdown.
      target.close();
    } finally {
      source.close();
    }
  }

  private interface Condition {
    boolean holds() throws SQLException;
  }

  private void await(String what, Condition condition)
      throws SQLException, TimeoutException, InterruptedException {
    long end = time.nanoTime() + BOUND.toNanos();
    while (!condition.holds()) {
      if (time.nanoTime() - end > 0) {
        throw new TimeoutException("waited " + BOUND.toSeconds() + " s for " + what);
      }
      time.sleep(POLL);
    }
  }

  private static boolean isZero(PostgresServer server, String sql) throws SQLException {
    return one(server, sql).equals("0");
  }

  private static String one(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
