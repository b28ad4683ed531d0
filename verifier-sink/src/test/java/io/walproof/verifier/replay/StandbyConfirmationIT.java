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
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.RowSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** O10: the target is a hot standby of the source. */
@ParameterizedClass
@ValueSource(ints = {16, 17, 18})
class StandbyConfirmationIT {

  private static final Time TIME = Time.system();
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
