package io.walproof.verifier.range;

import static io.walproof.verifier.range.RangeFixture.keys;
import static io.walproof.verifier.range.RangeFixture.limits;
import static io.walproof.verifier.range.RangeFixture.targetOnly;
import static io.walproof.verifier.range.RangeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.walproof.contract.Time;
import io.walproof.embedded.PgBouncer;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ConfirmationStrategy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real PgBouncer lies before the server; other clients of it share its connections with us. */
class PoolerIT {

  /** What a client of the same pool may leave in a session that is handed on to us. */
  private static final List<String> MISCHIEF =
      List.of(
          "SET TimeZone = 'Asia/Tokyo'",
          "SET DateStyle = 'ISO, DMY'",
          "SET IntervalStyle = 'iso_8601'",
          "SET extra_float_digits = -10",
          "SET bytea_output = 'escape'",
          "CREATE TEMP TABLE IF NOT EXISTS t (id int PRIMARY KEY)",
          "CREATE TEMP TABLE IF NOT EXISTS pg_class (relname text)",
          "SET search_path = pg_temp, shadow, pg_catalog",
          "SET statement_timeout = '60s'",
          "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE, ISOLATION LEVEL SERIALIZABLE");

  @TempDir private static Path ledgers;
  private static RangeFixture db;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        PgBouncer.program().isPresent(), "no pgbouncer is installed: no pooler is tried for real");
    db = new RangeFixture(ledgers);
    db.onBoth(
        "CREATE SCHEMA shadow",
        "CREATE TABLE shadow.t (id int PRIMARY KEY)",
        "CREATE TABLE t (id int PRIMARY KEY, at timestamptz, span interval, f float8, b bytea,"
            + " d date)",
        "INSERT INTO t SELECT i, TIMESTAMPTZ '2026-01-01 00:00+00' + i * INTERVAL '1 h',"
            + " i * INTERVAL '7 h', i / 3.0::float8, decode(md5(i::text), 'hex'),"
            + " DATE '2026-01-01' + i FROM generate_series(1, 3000) AS i");
    db.onTarget(
        "UPDATE t SET f = f + 1 WHERE id = 77",
        "DELETE FROM t WHERE id = 1234",
        "INSERT INTO t VALUES (5000)");
  }

  @AfterAll
  static void stop() throws Exception {
    if (db != null) {
      db.close();
    }
  }

  private static DatabaseSettings through(PgBouncer pooler, Side side) {
    return DatabaseSettings.of(
        side,
        pooler.jdbcUrl(side == Side.SOURCE ? RangeFixture.HERE : RangeFixture.THERE),
        PostgresServer.SUPERUSER,
        "");
  }

  private static PgBouncer pooler(PgBouncer.Mode mode, int connections) throws Exception {
    return PgBouncer.start(db.server, mode, connections, List.of(PostgresServer.SUPERUSER));
  }

  private static RangeResult check(PgBouncer pooler, RangeLimits limits) throws Exception {
    AssembledRangeCheck assembled =
        db.start(
            limits,
            through(pooler, Side.SOURCE),
            through(pooler, Side.TARGET),
            ConfirmationStrategy.NONE);
    try {
      return assembled
          .check()
          .run(
              List.of(whole("public.t")),
              Deadline.in(Time.system(), Duration.ofMinutes(2)),
              new Cancellation())
          .get(0);
    } finally {
      assembled.stop(Duration.ofSeconds(10));
    }
  }

  /** In transaction mode three server processes serve us and the others alike. */
  @ParameterizedTest
  @CsvSource({"SESSION, 20", "TRANSACTION, 3"})
  void verdictsAreThoseOfTheServer(PgBouncer.Mode mode, int connections) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger left = new AtomicInteger();
    try (PgBouncer pooler = pooler(mode, connections)) {
      // On one side only: what changed texts on both would not be seen.
      Thread other = new Thread(() -> mischief(pooler.jdbcUrl(RangeFixture.THERE), done, left));
      other.start();
      try {
        for (DigestPlace place : List.of(DigestPlace.CLIENT, DigestPlace.SERVER)) {
          int before = left.get();
          RangeResult result = check(pooler, limits(200, place, 1.0));
          assertThat(left).as("others were busy").hasValueGreaterThan(before);
          assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.FAILED);
          assertThat(keys(result, "unresolved_different")).containsExactly("77");
          assertThat(keys(result, "unresolved_missing")).containsExactly("1234");
          assertThat(targetOnly(result)).containsExactly("5000");
          assertThat(result.keys().suspects()).isEqualTo(2);
          assertThat(result.progress().rows()).isEqualTo(3000);
          assertThat(result.progress().complete()).isTrue();
        }
      } finally {
        done.set(true);
        other.join();
      }
    }
    assertThat(idleInTransaction()).isZero();
  }

  private static void mischief(String url, AtomicBoolean done, AtomicInteger left) {
    Properties properties = new Properties();
    properties.setProperty("user", PostgresServer.SUPERUSER);
    properties.setProperty("prepareThreshold", "0");
    try (Connection connection = DriverManager.getConnection(url, properties);
        Statement statement = connection.createStatement()) {
      while (!done.get()) {
        for (String sql : MISCHIEF) {
          statement.execute(sql);
        }
        left.incrementAndGet();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int idleInTransaction() throws SQLException {
    try (Connection connection = db.server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** A temporary slot would stay with the pooler, and hold WAL back. */
  @ParameterizedTest
  @CsvSource({"SESSION, 20", "TRANSACTION, 3"})
  void noSlotIsLeftToAPooler(PgBouncer.Mode mode, int connections) throws Exception {
    try (PgBouncer pooler = pooler(mode, connections)) {
      RangeResult result = check(pooler, limits(5000).withExact(true));
      assertThat(result.strength()).contains(Strength.LIVE);
      assertThat(result.detail().orElse("")).contains("live, not exact", "connection pooler");
      try (Connection connection = db.server.connect("postgres");
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_replication_slots")) {
        rows.next();
        assertThat(rows.getInt(1)).isZero();
      }
    }
  }

  /** There are no transactions in it, so no two reads belong together. */
  @Test
  void statementModeIsRefusedByName() throws Exception {
    try (PgBouncer pooler = pooler(PgBouncer.Mode.STATEMENT, 3);
        Database target = Databases.open(through(pooler, Side.TARGET), Time.system())) {
      assertThatThrownBy(() -> Databases.check(target, Time.system(), new Cancellation()))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("a connection pooler must be in session or transaction mode")
          .hasMessageContaining("verify.target.jdbc.url");
    }
  }
}
