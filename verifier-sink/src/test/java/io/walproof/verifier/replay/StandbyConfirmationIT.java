package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.Standby;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TablePlan;
import io.walproof.verifier.row.TargetNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** O10: the target is a hot standby of the source. */
@ParameterizedClass
@MethodSource("io.walproof.embedded.Majors#underTest")
class StandbyConfirmationIT {

  private static final Time TIME = Time.system();
  private static final Cancellation NEVER = new Cancellation();
  private static final TableId TABLE = TableId.parse("public.t");

  private static PostgresServer primary;
  private static PostgresServer standby;
  private static Database source;
  private static Database target;

  StandbyConfirmationIT(int major) {
    assertThat(major).isPositive();
  }

  @BeforeParameterizedClassInvocation
  static void start(int major) throws Exception {
    primary = PostgresServer.start(major);
    // A default that a standby refuses must not reach our transactions.
    primary.execute(
        "postgres",
        "CREATE DATABASE app",
        "ALTER DATABASE app SET default_transaction_isolation = 'serializable'");
    primary.execute("app", "CREATE TABLE t (id int PRIMARY KEY, v text)");
    standby = Standby.of(primary);
    source = open(Side.SOURCE, primary);
    target = open(Side.TARGET, standby);
  }

  private static Database open(Side side, PostgresServer server) {
    return Databases.open(
        DatabaseSettings.of(side, server.jdbcUrl("app"), PostgresServer.SUPERUSER, ""), TIME);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    source.close();
    target.close();
    standby.close();
    primary.close();
  }

  @Test
  void replayIsConfirmedAndRowsAreReadOnTheStandby() throws Exception {
    DatabaseIdentity here = Databases.check(source, TIME, new Cancellation());
    DatabaseIdentity there = Databases.check(target, TIME, new Cancellation());
    assertThat(there.inRecovery()).isTrue();
    Databases.requireDistinct(here, there);
    ReplayConfirmation confirmation = create(ConfirmationStrategy.AUTO);
    assertThat(confirmation.strategy()).isEqualTo("standby");
    RowAccess access = RowAccesses.create(source, target, RowSettings.defaults(), TIME);
    for (int i = 0; i < 10; i++) {
      primary.execute("app", "INSERT INTO t VALUES (" + i + ", 'x')");
      assertThat(await(confirmation, 10_000)).isEqualTo(new Result.Confirmed(Set.of()));
      RowAccess.Opening opening = access.open(TABLE, List.of("id"), in(10_000), new Cancellation());
      assertThat(opening).isInstanceOf(RowAccess.Opening.Ready.class);
      RowAccess.BatchRead read =
          access.read(
              Side.TARGET,
              ((RowAccess.Opening.Ready) opening).plan(),
              List.of(new RowKey(List.of(new RowKey.Column("id", Integer.toString(i))))),
              in(10_000),
              new Cancellation());
      assertThat(((RowAccess.BatchRead.Rows) read).rows())
          .singleElement()
          .isInstanceOf(KeyRead.Found.class);
    }
  }

  /** Lends one connection of the first server and then some of the second, as a balancer may. */
  private static final class InTurn implements Database {
    private final Database first;
    private final Database second;
    private final AtomicBoolean lent = new AtomicBoolean();

    private InTurn(Database first, Database second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public DatabaseSettings settings() {
      return first.settings();
    }

    @Override
    public Connection borrow(Deadline deadline, Cancellation cancel) throws SQLException {
      return (lent.getAndSet(true) ? second : first).borrow(deadline, cancel);
    }

    @Override
    public void evict(Connection connection) {
      throw new AssertionError("no connection breaks here");
    }

    @Override
    public void close() {}
  }

  /**
   * A batch that is read in parts is taken to see no more than the server that is furthest behind.
   */
  @Test
  void rowsOfAServerThatIsBehindAreNotTakenForNewer() throws Exception {
    primary.execute("app", "INSERT INTO t VALUES (9000, 'old')");
    assertThat(await(create(ConfirmationStrategy.STANDBY), 10_000))
        .isEqualTo(new Result.Confirmed(Set.of()));
    standby.execute("postgres", "SELECT pg_wal_replay_pause()");
    try {
      long writer;
      try (Connection connection = primary.connect("app");
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("UPDATE t SET v = 'new' WHERE id = 9000");
        try (ResultSet id = statement.executeQuery("SELECT pg_current_xact_id()")) {
          id.next();
          writer = id.getLong(1);
        }
        connection.commit();
      }
      RowAccess plain = RowAccesses.create(source, target, RowSettings.defaults(), TIME);
      TablePlan plan =
          ((RowAccess.Opening.Ready)
                  plain.open(TABLE, List.of("id"), in(10_000), new Cancellation()))
              .plan();
      RowAccess balanced =
          RowAccesses.create(new InTurn(source, target), target, RowSettings.defaults(), TIME);
      // The first key is none, so that the batch is read again in two parts.
      RowAccess.BatchRead.Rows read =
          (RowAccess.BatchRead.Rows)
              balanced.read(
                  Side.SOURCE,
                  plan,
                  List.of(key("no number"), key("9000")),
                  in(10_000),
                  new Cancellation());
      KeyRead.Found stale = (KeyRead.Found) read.rows().get(1);
      assertThat(stale.xmin()).as("the row as the standby has it").isNotEqualTo(writer);
      assertThat(read.visible().orElseThrow().shows(writer)).isFalse();
      assertThat(
              ((RowAccess.BatchRead.Rows)
                      plain.read(
                          Side.SOURCE, plan, List.of(key("9000")), in(10_000), new Cancellation()))
                  .visible()
                  .orElseThrow()
                  .shows(writer))
          .isTrue();
    } finally {
      standby.execute("postgres", "SELECT pg_wal_replay_resume()");
    }
  }

  private static RowKey key(String id) {
    return new RowKey(List.of(new RowKey.Column("id", id)));
  }

  /** A table of another name is one that the source has too, and somebody fills it there. */
  @Test
  void ofATableUnderAnotherNameReplaySaysNothing() {
    ConfirmationSettings plain = ConfirmationSettings.of(ConfirmationStrategy.STANDBY);
    ReplayConfirmation confirmation =
        ReplayConfirmations.create(
            new ConfirmationSettings(
                plain.strategy(),
                plain.subscription(),
                plain.pollInterval(),
                plain.markerTable(),
                plain.instance(),
                plain.kafka(),
                new TargetNames(Map.of(), Map.of(TABLE, TableId.parse("public.t_copy")), Map.of())),
            source,
            target,
            TIME,
            new Cancellation());
    assertThat(await(confirmation, 10_000)).isEqualTo(new Result.Confirmed(Set.of(TABLE)));
  }

  @Test
  void aPausedReplayIsNotConfirmed() throws Exception {
    ReplayConfirmation confirmation = create(ConfirmationStrategy.STANDBY);
    standby.execute("postgres", "SELECT pg_wal_replay_pause()");
    try {
      primary.execute("app", "INSERT INTO t VALUES (100, 'x')");
      assertThat(await(confirmation, 1_000))
          .isInstanceOfSatisfying(
              Result.NotConfirmed.class,
              not -> {
                assertThat(not.reason()).isEqualTo(IncompleteReason.REPLAY_NOT_CONFIRMED);
                assertThat(not.detail()).contains("short of the boundary");
              });
    } finally {
      standby.execute("postgres", "SELECT pg_wal_replay_resume()");
    }
    assertThat(await(confirmation, 10_000)).isEqualTo(new Result.Confirmed(Set.of()));
  }

  /**
   * What the primary does cancels our reads on the standby, again and again: each ends with every
   * row as it is, or as not read with the reason.
   */
  @Test
  void aRecoveryConflictIsRetriedAndNeverFalsifies() throws Exception {
    primary.execute(
        "app",
        "CREATE TABLE fought (id int PRIMARY KEY, v text)",
        "INSERT INTO fought SELECT i, repeat('x', 500) FROM generate_series(1, 5000) AS i");
    standby.execute(
        "postgres", "ALTER SYSTEM SET max_standby_streaming_delay = 0", "SELECT pg_reload_conf()");
    assertThat(await(create(ConfirmationStrategy.STANDBY), 10_000))
        .isEqualTo(new Result.Confirmed(Set.of()));
    AtomicBoolean done = new AtomicBoolean();
    Thread writer = new Thread(() -> lockAgainAndAgain(done));
    writer.start();
    try {
      RowAccess rows = RowAccesses.create(source, target, RowSettings.defaults(), TIME);
      RangeAccess ranges = RowAccesses.createRanges(source, target, RowSettings.defaults(), TIME);
      TableId fought = TableId.parse("public.fought");
      TablePlan plan =
          ((RowAccess.Opening.Ready) rows.open(fought, List.of("id"), in(10_000), NEVER)).plan();
      RangePlan range = ((RangeAccess.Opening.Ready) ranges.open(fought, in(10_000), NEVER)).plan();
      List<RowKey> keys =
          IntStream.rangeClosed(1, 5000)
              .mapToObj(i -> new RowKey(List.of(new RowKey.Column("id", Integer.toString(i)))))
              .toList();
      Deadline enough = in(240_000);
      int keyReads = 0;
      int rangeReads = 0;
      while (conflicts() < 10 || keyReads < 3 || rangeReads < 3) {
        assertThat(enough.hasPassed())
            .as(conflicts() + " conflicts, " + keyReads + " and " + rangeReads + " reads")
            .isFalse();
        RowAccess.BatchRead read = rows.read(Side.TARGET, plan, keys, in(20_000), NEVER);
        if (read instanceof RowAccess.BatchRead.Failed failed) {
          assertConflict(failed.reason(), failed.detail());
        } else {
          assertThat(((RowAccess.BatchRead.Rows) read).rows())
              .hasSize(5000)
              .allMatch(KeyRead.Found.class::isInstance);
          keyReads++;
        }
        RangeAccess.Read copied =
            ranges.read(
                Side.TARGET,
                range,
                KeyRange.ALL,
                10_000,
                RangeAccess.Content.LINES,
                in(20_000),
                NEVER);
        if (copied instanceof RangeAccess.Read.Failed failed) {
          assertConflict(failed.reason(), failed.detail());
        } else {
          assertThat(((RangeAccess.Read.Rows) copied).chunk().size()).isEqualTo(5000);
          rangeReads++;
        }
      }
    } finally {
      done.set(true);
      writer.join();
      standby.execute(
          "postgres", "ALTER SYSTEM RESET max_standby_streaming_delay", "SELECT pg_reload_conf()");
    }
  }

  /** The server cancels the statement, or ends the session, whose last words may be lost. */
  private static void assertConflict(IncompleteReason reason, String detail) {
    assertThat(reason).isEqualTo(IncompleteReason.TARGET_READ_FAILED);
    assertThat(detail).contains("in 3 attempts");
    assertThat(detail).containsAnyOf("in conflict with recovery", "SQLSTATE 08006");
  }

  /** A standby replays the lock by ending whoever reads the table. */
  private static void lockAgainAndAgain(AtomicBoolean done) {
    try (Connection connection = primary.connect("app");
        Statement statement = connection.createStatement()) {
      while (!done.get()) {
        statement.execute("BEGIN");
        statement.execute("LOCK TABLE fought IN ACCESS EXCLUSIVE MODE");
        statement.execute("COMMIT");
        statement.execute("SELECT pg_sleep(0.03)");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long conflicts() throws SQLException {
    try (Connection connection = standby.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT confl_lock FROM pg_stat_database_conflicts WHERE datname = 'app'")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** It writes WAL of its own from then on, and may never have what the source wrote last. */
  @Test
  void aStandbyThatIsPromotedConfirmsNothingMore() throws Exception {
    try (PostgresServer promoted = Standby.of(primary);
        Database elsewhere = open(Side.TARGET, promoted)) {
      ReplayConfirmation confirmation =
          ReplayConfirmations.create(
              ConfirmationSettings.of(ConfirmationStrategy.AUTO),
              source,
              elsewhere,
              TIME,
              new Cancellation());
      assertThat(await(confirmation, 10_000)).isEqualTo(new Result.Confirmed(Set.of()));
      promoted.execute("postgres", "SELECT pg_promote(true, 60)");
      assertThat(await(confirmation, 10_000))
          .isInstanceOfSatisfying(
              Result.NotConfirmed.class,
              not -> {
                assertThat(not.reason()).isEqualTo(IncompleteReason.CONFIRMATION_FAILED);
                assertThat(not.detail()).contains("it was promoted");
              });
      assertThatThrownBy(
              () ->
                  ReplayConfirmations.create(
                      ConfirmationSettings.of(ConfirmationStrategy.STANDBY),
                      source,
                      elsewhere,
                      TIME,
                      new Cancellation()))
          .isInstanceOf(ConfirmationException.class)
          .hasMessageContaining("not in recovery");
    }
  }

  @Test
  void whatIsNoStandbyOrNotOfThisClusterIsRefused() throws Exception {
    assertThatThrownBy(
            () ->
                ReplayConfirmations.create(
                    ConfirmationSettings.of(ConfirmationStrategy.STANDBY),
                    source,
                    source,
                    TIME,
                    new Cancellation()))
        .isInstanceOf(ConfirmationException.class)
        .hasMessageContaining("not in recovery");
    try (PostgresServer stranger = PostgresServer.start(18);
        Database elsewhere =
            Databases.open(
                DatabaseSettings.of(
                    Side.SOURCE, stranger.jdbcUrl("postgres"), PostgresServer.SUPERUSER, ""),
                TIME)) {
      assertThatThrownBy(
              () ->
                  ReplayConfirmations.create(
                      ConfirmationSettings.of(ConfirmationStrategy.AUTO),
                      elsewhere,
                      target,
                      TIME,
                      new Cancellation()))
          .isInstanceOf(ConfirmationException.class)
          .hasMessageContaining("standby of another cluster");
    }
  }

  /** Boundaries are written to the source that rows are read from. */
  @Test
  void aSourceThatIsAStandbyIsRefusedAtOnce() {
    ConfirmationSettings marker =
        new ConfirmationSettings(
            ConfirmationStrategy.MARKER_TABLE,
            Optional.empty(),
            Duration.ofMillis(20),
            Optional.of(TableId.parse("public.marker")),
            "me");
    try (Database behind = open(Side.SOURCE, standby)) {
      assertThatThrownBy(
              () -> ReplayConfirmations.create(marker, behind, source, TIME, new Cancellation()))
          .isInstanceOf(ConfirmationException.class)
          .hasMessageContaining("the source is a standby")
          .hasMessageContaining("verify.source.jdbc.url");
    }
  }

  private static ReplayConfirmation create(ConfirmationStrategy strategy) {
    return ReplayConfirmations.create(
        ConfirmationSettings.of(strategy), source, target, TIME, new Cancellation());
  }

  private static Result await(ReplayConfirmation confirmation, long millis) {
    Emission emission = confirmation.emit(in(10_000), new Cancellation());
    assertThat(emission).isInstanceOf(Emission.Emitted.class);
    return confirmation.await(
        ((Emission.Emitted) emission).boundary(), Set.of(TABLE), in(millis), new Cancellation());
  }

  private static Deadline in(long millis) {
    return Deadline.in(TIME, Duration.ofMillis(millis));
  }
}
