package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ReplayConfirmation.Boundary;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.row.TargetNames;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Confirmation by a subscription and by a marker table, on each supported major. */
@ParameterizedClass
@MethodSource("io.walproof.embedded.Majors#underTest")
class ReplayConfirmationIT {

  private static final Time TIME = Time.system();
  private static final TableId TABLE = TableId.parse("public.t");
  private static final TableId MARKER = TableId.parse("public.marker");

  /** Far above every bound that is set here, and far below not ending at all. */
  private static final Duration ENDS = Duration.ofMinutes(3);

  private static ReplicatedPair pair;
  private static Database source;
  private static Database target;

  ReplayConfirmationIT(int major) {
    assertThat(major).isPositive();
  }

  @BeforeParameterizedClassInvocation
  static void start(int major) throws Exception {
    pair = ReplicatedPair.start(major);
    pair.onBoth(
        "CREATE TABLE t (id int PRIMARY KEY, v text)",
        "CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20)",
        "CREATE TABLE marker (instance text PRIMARY KEY, token text NOT NULL)",
        "CREATE ROLE reader LOGIN",
        "GRANT SELECT ON t TO reader");
    pair.join();
    pair.onBoth("CREATE TABLE late (id int PRIMARY KEY)");
    // An ordinary role: no superuser, no membership in any pg_ role.
    source = open(Side.SOURCE, pair.source(), "reader");
    target = open(Side.TARGET, pair.target(), "reader");
  }

  private static Database open(Side side, PostgresServer server, String user) {
    return Databases.open(
        DatabaseSettings.of(side, server.jdbcUrl(ReplicatedPair.DATABASE), user, ""), TIME);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    source.close();
    target.close();
    pair.close();
  }

  @AfterEach
  void resume() throws Exception {
    pair.resumeApplier();
    pair.awaitApplied();
  }

  private static ReplayConfirmation confirmation(ConfirmationStrategy strategy) {
    return ReplayConfirmations.create(
        ConfirmationSettings.of(strategy), source, target, TIME, new Cancellation());
  }

  private static Boundary emit(ReplayConfirmation confirmation) {
    Emission emission = confirmation.emit(in(10_000), new Cancellation());
    if (emission instanceof Emission.Emitted emitted) {
      return emitted.boundary();
    }
    throw new AssertionError(emission.toString());
  }

  private static Deadline in(long millis) {
    return Deadline.in(TIME, Duration.ofMillis(millis));
  }

  @Test
  void autoFindsTheSubscriptionAndConfirmsQuickly() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.AUTO);
    assertThat(confirmation.strategy()).isEqualTo("subscription");
    for (int i = 0; i < 20; i++) {
      pair.onSource("INSERT INTO t VALUES (" + (1000 + i) + ", 'x')");
      Boundary boundary = emit(confirmation);
      Result result = confirmation.await(boundary, Set.of(TABLE), in(5_000), new Cancellation());
      assertThat(result).isEqualTo(new Result.Confirmed(Set.of()));
      assertThat(count("SELECT count(*) FROM t WHERE id = " + (1000 + i))).isEqualTo(1);
    }
  }

  @Test
  void aStoppedApplierIsNotConfirmedByTimeNorByAnUnrelatedWrite() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.SUBSCRIPTION);
    pair.pauseApplier();
    pair.onSource("INSERT INTO t VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET v = 'y'");
    Boundary boundary = emit(confirmation);
    pair.onTarget(
        "INSERT INTO t VALUES (500, 'unrelated') ON CONFLICT (id) DO UPDATE SET v = t.v || 'x'",
        "SELECT pg_logical_emit_message(true, 'x', 'y')",
        "CHECKPOINT");
    long began = TIME.nanoTime();
    Result result = confirmation.await(boundary, Set.of(TABLE), in(1_500), new Cancellation());
    assertThat(Duration.ofNanos(TIME.nanoTime() - began)).isBetween(Duration.ofMillis(1_500), ENDS);
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class,
            not -> {
              assertThat(not.reason()).isEqualTo(IncompleteReason.REPLAY_NOT_CONFIRMED);
              assertThat(not.detail()).contains("disabled").contains("short of the boundary");
            });
    pair.resumeApplier();
    assertThat(confirmation.await(boundary, Set.of(TABLE), in(20_000), new Cancellation()))
        .isEqualTo(new Result.Confirmed(Set.of()));
    assertThat(count("SELECT count(*) FROM t WHERE id = 1")).isEqualTo(1);
  }

  @Test
  void anApplierThatIsBlockedIsNotConfirmed() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.SUBSCRIPTION);
    try (var connection = pair.target().connect(ReplicatedPair.DATABASE);
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE t IN EXCLUSIVE MODE");
      pair.onSource("INSERT INTO t VALUES (2, 'x') ON CONFLICT (id) DO UPDATE SET v = 'y'");
      Boundary boundary = emit(confirmation);
      assertThat(confirmation.await(boundary, Set.of(TABLE), in(1_000), new Cancellation()))
          .isInstanceOf(Result.NotConfirmed.class);
      connection.rollback();
      assertThat(confirmation.await(boundary, Set.of(TABLE), in(20_000), new Cancellation()))
          .isEqualTo(new Result.Confirmed(Set.of()));
    }
  }

  @Test
  void aCancellationEndsTheWait() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.SUBSCRIPTION);
    pair.pauseApplier();
    Boundary boundary = emit(confirmation);
    Cancellation cancel = new Cancellation();
    Thread canceller = new Thread(cancel::cancel);
    long began = TIME.nanoTime();
    canceller.start();
    Result result = confirmation.await(boundary, Set.of(TABLE), in(300_000), cancel);
    canceller.join();
    assertThat(Duration.ofNanos(TIME.nanoTime() - began)).isLessThan(ENDS);
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class,
            not -> assertThat(not.reason()).isEqualTo(IncompleteReason.CANCELLED));
  }

  @Test
  void tablesThatTheSubscriptionDoesNotCarryAreNamed() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.SUBSCRIPTION);
    TableId late = TableId.parse("public.late");
    TableId gone = TableId.parse("public.gone");
    TableId root = TableId.parse("public.parts");
    TableId leaf = TableId.parse("public.parts_1");
    Result result =
        confirmation.await(
            emit(confirmation),
            Set.of(TABLE, late, gone, root, leaf),
            in(10_000),
            new Cancellation());
    assertThat(result).isEqualTo(new Result.Confirmed(Set.of(late, gone)));
  }

  @Test
  void theMarkerArrivesAndAnOldOneProvesNothing() throws Exception {
    pair.onBoth("GRANT SELECT, INSERT, UPDATE ON marker TO reader");
    ConfirmationSettings settings =
        new ConfirmationSettings(
            ConfirmationStrategy.MARKER_TABLE,
            Optional.empty(),
            Duration.ofMillis(20),
            Optional.of(MARKER),
            "me");
    ReplayConfirmation confirmation =
        ReplayConfirmations.create(settings, source, target, TIME, new Cancellation());
    Boundary first = emit(confirmation);
    assertThat(confirmation.await(first, Set.of(TABLE), in(10_000), new Cancellation()))
        .isEqualTo(new Result.Confirmed(Set.of()));
    pair.pauseApplier();
    Boundary second = emit(confirmation);
    pair.onTarget(
        "INSERT INTO marker VALUES ('other', '" + second.token() + "') ON CONFLICT DO NOTHING");
    assertThat(confirmation.await(second, Set.of(TABLE), in(800), new Cancellation()))
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class,
            not -> assertThat(not.reason()).isEqualTo(IncompleteReason.REPLAY_NOT_CONFIRMED));
    Boundary third = emit(confirmation);
    pair.resumeApplier();
    assertThat(confirmation.await(third, Set.of(TABLE), in(20_000), new Cancellation()))
        .isEqualTo(new Result.Confirmed(Set.of()));
    assertThat(confirmation.await(second, Set.of(TABLE), in(20_000), new Cancellation()))
        .isEqualTo(new Result.Confirmed(Set.of()));
    pair.onTarget("DELETE FROM marker WHERE instance = 'other'");
  }

  /** What a subscription writes into is asked of the target's own table, whatever its name. */
  @Test
  void aRenamedTableIsCoveredIfTheSubscriptionWritesIntoIt() {
    TableId late = TableId.parse("public.late");
    TableId root = TableId.parse("public.parts");
    TargetNames names =
        new TargetNames(
            Map.of(),
            TargetNames.parseTables("public.t:public.late,public.late:public.parts_1"),
            Map.of());
    ReplayConfirmation confirmation =
        ReplayConfirmations.create(
            new ConfirmationSettings(
                ConfirmationStrategy.SUBSCRIPTION,
                Optional.empty(),
                Duration.ofMillis(20),
                Optional.empty(),
                "me",
                Optional.empty(),
                names),
            source,
            target,
            TIME,
            new Cancellation());
    Result result =
        confirmation.await(
            emit(confirmation), Set.of(TABLE, late, root), in(10_000), new Cancellation());
    assertThat(result).isEqualTo(new Result.Confirmed(Set.of(TABLE)));
  }

  @Test
  void aMissingMarkerTableIsRefusedWithItsDdl() {
    ConfirmationSettings settings =
        new ConfirmationSettings(
            ConfirmationStrategy.MARKER_TABLE,
            Optional.empty(),
            Duration.ofMillis(20),
            Optional.of(TableId.parse("public.nowhere")),
            "me");
    assertThatThrownBy(
            () -> ReplayConfirmations.create(settings, source, target, TIME, new Cancellation()))
        .isInstanceOf(ConfirmationException.class)
        .hasMessageContaining("CREATE TABLE \"public\".\"nowhere\" (instance text PRIMARY KEY");
  }

  @Test
  void autoRefusesWhereNothingCanBeProven() {
    // The other way round: the publisher has no subscription of its own.
    assertThatThrownBy(
            () ->
                ReplayConfirmations.create(
                    ConfirmationSettings.of(ConfirmationStrategy.AUTO),
                    target,
                    source,
                    TIME,
                    new Cancellation()))
        .isInstanceOf(ConfirmationException.class)
        .hasMessageContaining("no subscription")
        .hasMessageContaining("not in recovery")
        .hasMessageContaining("marker_table");
  }

  @Test
  void noneNeitherEmitsNorWaits() throws Exception {
    ReplayConfirmation confirmation = confirmation(ConfirmationStrategy.NONE);
    Boundary boundary = emit(confirmation);
    assertThat(boundary.lsn()).isEmpty();
    assertThat(confirmation.await(boundary, Set.of(TABLE), in(0), new Cancellation()))
        .isEqualTo(new Result.Confirmed(Set.of()));
  }

  private static long count(String sql) throws Exception {
    try (var connection = pair.target().connect(ReplicatedPair.DATABASE);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
