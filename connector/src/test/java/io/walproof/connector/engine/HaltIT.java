package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.embedded.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The policies halt and evolve: gated on durability, quiet after the restart, and with nothing of
 * any table behind the deciding change (invariants B, D and E). A capture that is killed leaves
 * what was durable; so a kill is a stop with a position that became durable earlier, or not.
 */
class HaltIT {

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void eachChangeOfShapeHaltsOnceAndTheRestartDeliversIt(int major) throws Exception {
    try (CaptureFixture fixture = tables(Servers.of(major), "halt")) {
      Captured first = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      fixture.transaction(
          "INSERT INTO s VALUES (1)",
          "INSERT INTO t VALUES (2)",
          "ALTER TABLE t ADD w int",
          "INSERT INTO s VALUES (2)",
          "INSERT INTO t VALUES (3)",
          "INSERT INTO s VALUES (3)");
      // A second change of shape while the first is pending.
      fixture.sql(
          "ALTER TABLE t ADD x int", "INSERT INTO t VALUES (4)", "INSERT INTO s VALUES (4)");
      CaptureException halted = fixture.awaitFailure();
      assertThat(halted.reason()).isEqualTo(Reason.HALTED);
      assertThat(halted).hasMessageContainingAll("public.t", "shape_changed", "drift.policy=halt");
      assertThat(first.texts("public.t")).containsExactly("1", "2");
      assertThat(first.texts("public.s")).containsExactly("1", "2");
      DriftEvent event = onlyHalt(first, Occurrence.IN_PROCESS);
      Delivery last = first.all().get(first.all().size() - 1);
      assertThat(last.drift()).containsExactly(event);
      assertThat(last.skip().orElseThrow().reason()).isEqualTo(Skip.Reason.HALT);
      assertThat(newestHash(fixture)).isEqualTo(event.current().orElseThrow().hex());
      assertThat(fixture.engine().running()).isFalse();
      fixture.stop();

      Captured second = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      assertThat(second.texts("public.t")).containsExactly("2", "3");
      assertThat(second.texts("public.s")).containsExactly("1", "2", "3");
      DriftEvent another = onlyHalt(second, Occurrence.ACROSS_RESTART);
      assertThat(another.previous()).isEqualTo(event.current());
      fixture.stop();

      Captured third = fixture.start();
      fixture.settle();
      assertThat(third.drift()).isEmpty();
      assertThat(third.texts("public.t")).containsExactly("4");
      assertThat(third.texts("public.s")).containsExactly("4");
      fixture.stop();

      // The same across a restart, of a change that nothing in this process has seen begin.
      fixture.sql("ALTER TABLE t DROP w", "INSERT INTO t VALUES (5)");
      Captured fourth = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      onlyHalt(fourth, Occurrence.ACROSS_RESTART);
      fixture.stop();
      Captured fifth = fixture.start();
      fixture.settle();
      assertThat(fifth.drift()).isEmpty();
      assertThat(fifth.texts("public.t")).containsExactly("5");
    }
  }

  @Test
  void killedBetweenDetectionAndEmissionItHaltsAgainWithTheOneEvent() throws Exception {
    try (CaptureFixture fixture = drifted()) {
      Captured killed = fixture.start(true, 0);
      fixture.until(() -> killed.offered() > 0);
      fixture.stop();
      assertThat(killed.drift()).isEmpty();
      Captured next = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      onlyHalt(next, Occurrence.ACROSS_RESTART);
      assertGoesOn(fixture);
    }
  }

  @Test
  void killedBetweenEmissionAndDurabilityItHaltsAgainWithTheSameEvent() throws Exception {
    try (CaptureFixture fixture = drifted()) {
      Captured killed = fixture.start(false, Integer.MAX_VALUE);
      fixture.until(() -> fixture.engine().halting());
      assertThat(fixture.engine().failure()).as("nothing is durable yet").isEmpty();
      fixture.stop();
      DriftEvent event = onlyHalt(killed, Occurrence.ACROSS_RESTART);
      Captured next = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      assertThat(onlyHalt(next, Occurrence.ACROSS_RESTART)).isEqualTo(event);
      assertGoesOn(fixture);
    }
  }

  @Test
  void killedBetweenDurabilityAndHaltItIsAcceptedByTheRestart() throws Exception {
    try (CaptureFixture fixture = drifted()) {
      Captured killed = fixture.start(false, Integer.MAX_VALUE);
      fixture.until(() -> fixture.engine().halting());
      Position last = killed.lastPosition();
      fixture.stop();
      fixture.write(last);
      assertGoesOn(fixture);
    }
  }

  @Test
  void anEarlierPositionThatBecomesDurableDoesNotAcceptTheShape() throws Exception {
    try (CaptureFixture fixture = drifted()) {
      Captured captured = fixture.start(false, Integer.MAX_VALUE);
      fixture.until(() -> fixture.engine().halting());
      List<Delivery> all = captured.all();
      fixture.write(all.get(all.size() - 2).position());
      assertThat(fixture.engine().failure()).isEmpty();
      fixture.stop();
      Captured next = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      onlyHalt(next, Occurrence.ACROSS_RESTART);
    }
  }

  @Test
  void theWaitForDurabilityIsBoundedAndThenTheNextStartHaltsAgain() throws Exception {
    try (CaptureFixture fixture = drifted()) {
      fixture.with("drift.halt.timeout.ms", "50");
      fixture.start(false, Integer.MAX_VALUE);
      CaptureException halted = fixture.awaitFailure();
      assertThat(halted.reason()).isEqualTo(Reason.HALTED);
      assertThat(halted).hasMessageContainingAll("drift.halt.timeout.ms=50", "halts here again");
      fixture.stop();
      Captured next = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      onlyHalt(next, Occurrence.ACROSS_RESTART);
    }
  }

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void evolveAcceptsWhatAddsAndHaltsOnWhatNarrows(int major) throws Exception {
    try (CaptureFixture fixture = tables(Servers.of(major), "evolve")) {
      Captured first = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1)",
          "ALTER TABLE t ADD w varchar(10)",
          "INSERT INTO t VALUES (2)",
          "ALTER TABLE t ALTER w TYPE varchar(20), ALTER id TYPE bigint",
          "INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(first.realDrift()).extracting(DriftEvent::action).containsOnly("accepted");
      assertThat(first.realDrift()).hasSize(2);
      fixture.sql("ALTER TABLE t ALTER w TYPE varchar(15)", "INSERT INTO t VALUES (4)");
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      assertThat(first.texts("public.t")).containsExactly("1", "2", "3");
      fixture.stop();
      // Added while stopped: the stored columns prove that it is no more than that.
      fixture.sql("ALTER TABLE t ADD y int", "INSERT INTO t VALUES (5)");
      Captured second = fixture.start();
      fixture.settle();
      assertThat(second.texts("public.t")).containsExactly("4", "5");
      assertThat(second.realDrift())
          .extracting(DriftEvent::action, DriftEvent::occurrence)
          .containsExactly(tuple("accepted", Occurrence.ACROSS_RESTART));
    }
  }

  @Test
  void evolveHaltsAcrossARestartWithOnlyTheHashLeft() throws Exception {
    try (CaptureFixture fixture = tables(Servers.newest(), "evolve")) {
      StringBuilder wide = new StringBuilder("CREATE TABLE wide (id int PRIMARY KEY");
      for (int i = 0; i < 200; i++) {
        wide.append(", ").append("c").append("x".repeat(40)).append(i).append(" int");
      }
      // The least that is allowed: the wide table's columns do not fit.
      fixture.with("drift.history.max.bytes", "4096");
      fixture.sql(wide.append(")").toString()).start();
      fixture.sql("INSERT INTO wide VALUES (1)");
      fixture.settle();
      fixture.stop();
      fixture.sql("ALTER TABLE wide ADD y int", "INSERT INTO wide VALUES (2)");
      Captured captured = fixture.start();
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.HALTED);
      DriftEvent event = onlyHalt(captured, Occurrence.ACROSS_RESTART);
      assertThat(event.changes()).isEmpty();
      assertThat(event.narrowing()).isEmpty();
      assertThat(event.detail()).contains("only");
    }
  }

  /** Stopped, with a change of a new shape waiting in the WAL. */
  private static CaptureFixture drifted() throws Exception {
    CaptureFixture fixture = tables(Servers.newest(), "halt");
    fixture.with("max.batch.size", "1").start();
    fixture.sql("INSERT INTO t VALUES (1)");
    fixture.settle();
    fixture.stop();
    fixture.transaction(
        "INSERT INTO s VALUES (1)", "ALTER TABLE t ADD w int", "INSERT INTO t VALUES (2)");
    return fixture;
  }

  private static void assertGoesOn(CaptureFixture fixture) throws Exception {
    fixture.stop();
    Captured captured = fixture.start();
    fixture.sql("INSERT INTO t VALUES (3)");
    fixture.settle();
    assertThat(captured.realDrift()).isEmpty();
    assertThat(captured.texts("public.t")).containsExactly("2", "3");
  }

  private static CaptureFixture tables(PostgresServer server, String policy) throws Exception {
    return new CaptureFixture(server)
        .with("drift.policy", policy)
        .sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
  }

  private static DriftEvent onlyHalt(Captured captured, Occurrence occurrence) {
    assertThat(captured.realDrift()).hasSize(1);
    DriftEvent event = captured.realDrift().get(0);
    assertThat(event.kind()).isEqualTo(Kind.SHAPE_CHANGED);
    assertThat(event.action()).isEqualTo("halted");
    assertThat(event.occurrence()).isEqualTo(occurrence);
    return event;
  }

  private static String newestHash(CaptureFixture fixture) {
    return PositionFile.read(fixture.file)
        .orElseThrow()
        .history()
        .tables()
        .get("public.t")
        .newest()
        .hash()
        .hex();
  }
}
