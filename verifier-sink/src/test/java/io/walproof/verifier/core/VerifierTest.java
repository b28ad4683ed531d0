package io.walproof.verifier.core;

import static io.walproof.verifier.core.VerifierHarness.DELAY;
import static io.walproof.verifier.core.VerifierHarness.ORDERS;
import static io.walproof.verifier.core.VerifierHarness.PATIENCE;
import static io.walproof.verifier.core.VerifierHarness.SETTLE;
import static io.walproof.verifier.core.VerifierHarness.key;
import static io.walproof.verifier.model.Side.SOURCE;
import static io.walproof.verifier.model.Side.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Operation;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class VerifierTest {

  private static final TableId ITEMS = new TableId("public", "items");

  @Test
  void equalRowsMatchAndLeaveNoRecord() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 7);
      harness.submit(1, Operation.INSERT);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      assertThat(harness.verifier.total().outcomes()).isEqualTo(Map.of("matched", 1L));
      assertThat(harness.audit.decisions()).isEmpty();
      assertThat(harness.watermark.decidedThrough()).isEqualTo(1);
    }
  }

  @Test
  void nothingIsReadBeforeItSettledOrRecheckedBeforeTheDelay() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.submit(1, Operation.INSERT);
      harness.time.advance(SETTLE.minusNanos(1));
      neverWithin(() -> !harness.tables.reads().isEmpty());
      harness.time.advance(Duration.ofNanos(1));
      assertThat(harness.verifier.untilRecheck()).as("nothing is on hold yet").isEmpty();
      await().atMost(PATIENCE).until(() -> harness.verifier.deferred() == 1);
      assertThat(harness.verifier.untilRecheck()).contains(DELAY);
      harness.time.advance(DELAY.minusNanos(1));
      assertThat(harness.verifier.untilRecheck()).contains(Duration.ofNanos(1));
      neverWithin(() -> harness.replay.emitted() > 0);
      harness.time.advance(Duration.ofNanos(1));
      await().atMost(PATIENCE).until(() -> harness.replay.emitted() == 1);
      harness.awaitDecided(1);
      assertThat(harness.verifier.untilRecheck()).isEmpty();
      assertThat(harness.watermark.decidedThrough()).isEqualTo(1);
    }
  }

  /** The target may hold what is committed and not yet visible to the source's queries. */
  @Test
  void nobodyIsAccusedBeforeTheSourceHasSettledOnceMore() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 6);
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      // A delete that the applier has replayed, and that the source shows a moment later.
      harness.tables.delete(TARGET, ORDERS, key(1));
      int before = harness.tables.reads().size();
      harness.time.advance(DELAY);
      await().atMost(PATIENCE).until(() -> harness.tables.reads().size() == before + 3);
      neverWithin(() -> !harness.audit.decisions().isEmpty());
      harness.tables.delete(SOURCE, ORDERS, key(1));
      assertThat(harness.awaitDecided(1).get(0).verdict()).isEqualTo(new Verdict.Advanced());
    }
  }

  private static HeldCommits held(String... transactions) {
    return new HeldCommits.Known(Set.of(transactions));
  }

  /** Source 7, target 8, and what waits for a synchronous standby, look by look. */
  private static Verdict verdictWhileHeld(HeldCommits... looks) {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 8);
      harness.tables.hold(looks);
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      return harness.awaitDecided(1).get(0).verdict();
    }
  }

  private static final Verdict HIDDEN =
      new Verdict.Incomplete(IncompleteReason.TRANSACTION_NOT_VISIBLE);

  /** The key's next change waits, and the target had it already, at T or at T0. */
  @Test
  void nobodyIsAccusedWhileACommitWaitsForAStandby() {
    HeldCommits none = HeldCommits.NONE;
    // After T0; where that found none, no look before S1; after T, and before the last S2.
    assertThat(verdictWhileHeld(none, held("1", "2"), held("2", "3"))).isEqualTo(HIDDEN);
    assertThat(verdictWhileHeld(held("1"), held("1"), none)).isEqualTo(HIDDEN);
    Verdict accused = verdictWhileHeld(none);
    assertThat(accused).isInstanceOf(Verdict.Unresolved.class);
    // It was released before S1, or before the last S2: the source showed it.
    assertThat(verdictWhileHeld(held("1"), held("2"), none)).isEqualTo(accused);
    assertThat(verdictWhileHeld(none, held("1"), held("2"))).isEqualTo(accused);
    assertThat(verdictWhileHeld(none, held("1"), held("1"), held("2"))).isEqualTo(accused);
  }

  @Test
  void aCommitThatIsHeldIsWaitedForAndThenTheSourceIsReadAgain() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 8);
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      harness.tables.hold(held("1"));
      int before = harness.tables.looks();
      harness.time.advance(DELAY);
      await().atMost(PATIENCE).until(() -> harness.tables.looks() == before + 1);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.tables.looks() == before + 2);
      harness.tables.put(SOURCE, ORDERS, key(1), 8);
      harness.tables.hold(held("4"));
      assertThat(harness.awaitDecided(1).get(0).verdict()).isEqualTo(new Verdict.Converged());
    }
  }

  @Test
  void nobodyIsAccusedWhereNobodyKnowsWhatWaits() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 8);
      harness.tables.hold(new HeldCommits.Unknown(IncompleteReason.SOURCE_READ_FAILED, "away"));
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      harness.time.advance(DELAY);
      assertThat(harness.awaitDecided(1).get(0).verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.SOURCE_READ_FAILED));
    }
  }

  /** A commit that waits for a synchronous standby is in the WAL before queries see it. */
  @Test
  void aReadThatDoesNotSeeTheChangeIsNoCheckOfIt() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 7);
      harness.tables.show(new VisibleTransactions(1, 1, Set.of()));
      harness.submit(1, Operation.UPDATE);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> !harness.tables.reads().isEmpty());
      neverWithin(() -> harness.verifier.pending() == 0);
      harness.tables.show(new VisibleTransactions(1, 2, Set.of()));
      harness.tables.put(SOURCE, ORDERS, key(1), 8);
      harness.awaitObserved(1);
      harness.awaitDecided(1);
      assertThat(harness.verifier.total().outcomes()).containsKey("unresolved_different");
    }
  }

  @Test
  void aChangeThatNeverBecomesVisibleIsIncompleteInTheEnd() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 7);
      harness.tables.show(new VisibleTransactions(1, 2, Set.of(1L)));
      harness.submit(1, Operation.UPDATE);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                harness.time.advance(SETTLE);
                return harness.audit.decisions().size() == 1;
              });
      assertThat(harness.audit.decisions().get(0).verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.TRANSACTION_NOT_VISIBLE));
    }
  }

  @Test
  void theOffsetStaysBelowTheOldestUndecidedKey() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 8);
      harness.tables.put(SOURCE, ORDERS, key(2), 7);
      harness.tables.put(TARGET, ORDERS, key(2), 7);
      harness.submit(1, Operation.UPDATE);
      harness.submit(2, Operation.UPDATE);
      harness.awaitObserved(1);
      assertThat(harness.watermark.decidedThrough()).isZero();
      harness.awaitDecided(1);
      assertThat(harness.watermark.decidedThrough()).isEqualTo(2);
    }
  }

  @Test
  void deletesAndAbsentSourceRowsAreCountedNotJudged() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(TARGET, ORDERS, key(2), 7);
      harness.submit(1, Operation.DELETE);
      harness.submit(2, Operation.UPDATE);
      harness.submit(3, Operation.INSERT);
      harness.submit(3, Operation.DELETE);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      assertThat(harness.verifier.total().skipped()).isEqualTo(Map.of("source_absent", 3L));
      assertThat(harness.verifier.total().coalesced()).isEqualTo(1);
      assertThat(harness.verifier.total().observed()).isEqualTo(4);
    }
  }

  @Test
  void aReinsertedKeyIsCheckedNormally() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.submit(1, Operation.INSERT);
      harness.submit(1, Operation.DELETE);
      harness.submit(1, Operation.INSERT);
      harness.awaitObserved(1);
      assertThat(harness.awaitDecided(1).get(0).verdict())
          .isEqualTo(new Verdict.Unresolved(Kind.MISSING));
    }
  }

  @Test
  void aStoppedApplierIsIncompleteNeverMissing() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.replay.script((tables, deadline) -> FakeReplay.stopped());
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.submit(1, Operation.INSERT);
      harness.awaitObserved(1);
      Decision decision = harness.awaitDecided(1).get(0);
      assertThat(decision.verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED));
      assertThat(decision.target()).isEmpty();
    }
  }

  @Test
  void aTableThatTheConfirmationDoesNotCoverIsIncompleteAndOthersAreJudged() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.replay.script((tables, deadline) -> new Result.Confirmed(Set.of(ITEMS)));
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(SOURCE, ITEMS, key(1), 7);
      harness.submit(ORDERS, 1, Operation.INSERT);
      harness.submit(ITEMS, 1, Operation.INSERT);
      harness.awaitObserved(2);
      for (Decision decision : harness.awaitDecided(2)) {
        assertThat(decision.verdict())
            .isEqualTo(
                decision.table().equals(ITEMS)
                    ? new Verdict.Incomplete(IncompleteReason.TABLE_NOT_REPLICATED)
                    : new Verdict.Unresolved(Kind.MISSING));
      }
      assertThat(harness.replay.emitted()).isEqualTo(1);
    }
  }

  @Test
  void theBoundaryComesAfterTheFirstSourceReadOfTheRecheck() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(TARGET, ORDERS, key(1), 6);
      AtomicInteger readsAtEmit = new AtomicInteger();
      harness.replay.onEmit(() -> readsAtEmit.set(harness.tables.reads().size()));
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      int before = harness.tables.reads().size();
      harness.awaitDecided(1);
      List<String> recheck = harness.tables.reads().subList(before, harness.tables.reads().size());
      assertThat(recheck)
          .containsExactly(
              "source public.orders 1",
              "target public.orders 1",
              "source public.orders 1",
              "source public.orders 1");
      assertThat(readsAtEmit.get()).isEqualTo(before + 1);
    }
  }

  @Test
  void ownershipIsReadAfreshAtTheRecheck() {
    try (VerifierHarness harness = new VerifierHarness(Set.of(7L), 100, Duration.ZERO)) {
      harness.tables.put(SOURCE, ORDERS, key(1), 1, OptionalLong.of(7));
      harness.tables.put(SOURCE, ORDERS, key(2), 1, OptionalLong.of(8));
      harness.tables.put(SOURCE, ORDERS, key(3), 1);
      harness.submit(1, Operation.INSERT);
      harness.submit(2, Operation.INSERT);
      harness.submit(3, Operation.INSERT);
      harness.awaitObserved(3);
      harness.tables.put(SOURCE, ORDERS, key(1), 1, OptionalLong.of(8));
      harness.tables.put(SOURCE, ORDERS, key(2), 1, OptionalLong.of(7));
      Map<Object, Verdict> verdicts = new java.util.HashMap<>();
      harness.awaitDecided(3).forEach(d -> verdicts.put(d.key(), d.verdict()));
      assertThat(verdicts.get(key(1))).isEqualTo(new Verdict.Unresolved(Kind.TARGET_STALLED));
      assertThat(verdicts.get(key(2))).isEqualTo(new Verdict.IgnoredApp(7));
      assertThat(verdicts.get(key(3))).isEqualTo(new Verdict.Unresolved(Kind.MISSING));
    }
  }

  @Test
  void aShapeThatChangesBeforeTheRecheckIsNeverAMismatchAndTheKeyIsObservedAnew() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 1);
      harness.submit(1, Operation.INSERT);
      awaitOnHold(harness, 1);
      harness.tables.alter("v2");
      awaitSchemaChanged(harness, 1);
      // The offset stays below the change, so that a crash repeats the check.
      assertThat(harness.watermark.decidedThrough()).isLessThan(harness.watermark.issued());
      awaitOnHold(harness, 2);
      assertThat(harness.awaitDecided(2).get(1).verdict())
          .isEqualTo(new Verdict.Unresolved(Kind.MISSING));
      assertThat(harness.watermark.decidedThrough()).isEqualTo(harness.watermark.issued());
      assertThat(harness.verifier.total().observed()).isEqualTo(2);
      assertThat(harness.verifier.total().outcomes())
          .isEqualTo(Map.of("incomplete", 1L, "unresolved_missing", 1L));
      // Under which shape it was observed anew is not known, so none is claimed.
      assertThat(harness.audit.observations().get(0).shape()).contains(VerifierHarness.SHAPE);
      assertThat(harness.audit.observations().get(1).shape()).isEmpty();
    }
  }

  /** Whoever is to be accused is, by what holds now; whoever is not need not be asked about. */
  @Test
  void nobodyIsAccusedByAPlanThatNoLongerHolds() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 1);
      harness.submit(1, Operation.INSERT);
      awaitOnHold(harness, 1);
      harness.tables.confirm(new RowAccess.BatchRead.PlanStale());
      assertThat(awaitDecision(harness, 1))
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.SCHEMA_CHANGED));
      awaitOnHold(harness, 2);
      harness.tables.confirm(
          new RowAccess.BatchRead.Failed(IncompleteReason.SOURCE_READ_FAILED, "nobody answers"));
      assertThat(awaitDecision(harness, 2))
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.SOURCE_READ_FAILED));
    }
  }

  /** Time goes on until the so-manieth decision: whoever is to be accused is read once more. */
  private static Verdict awaitDecision(VerifierHarness harness, int decisions) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              harness.time.advance(DELAY);
              return harness.audit.decisions().size() == decisions;
            });
    return harness.audit.decisions().get(decisions - 1).verdict();
  }

  @Test
  void aKeyOfATableThatKeepsChangingIsObservedAnewABoundedNumberOfTimes() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 1);
      harness.submit(1, Operation.INSERT);
      for (int time = 1; time <= 4; time++) {
        awaitOnHold(harness, time);
        harness.tables.alter("altered " + time);
        awaitSchemaChanged(harness, time);
      }
      assertThat(harness.verifier.pending()).isZero();
      assertThat(harness.watermark.decidedThrough()).isEqualTo(harness.watermark.issued());
      assertThat(harness.verifier.total().outcomes()).isEqualTo(Map.of("incomplete", 4L));
    }
  }

  /** Waits for the key's latest observation; the ones before have ended. */
  private static void awaitOnHold(VerifierHarness harness, int observations) {
    harness.time.advance(SETTLE);
    await().atMost(PATIENCE).until(() -> harness.audit.observations().size() == observations);
    await().atMost(PATIENCE).until(() -> harness.verifier.deferred() == 1);
  }

  private static void awaitSchemaChanged(VerifierHarness harness, int decisions) {
    harness.time.advance(DELAY);
    await().atMost(PATIENCE).until(() -> harness.audit.decisions().size() == decisions);
    assertThat(harness.audit.decisions().get(decisions - 1).verdict())
        .isEqualTo(new Verdict.Incomplete(IncompleteReason.SCHEMA_CHANGED));
    // Waiting again, or over after the last time.
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                harness.verifier.total().observed() == Math.min(decisions + 1, 4)
                    && harness.verifier.pending() == (decisions < 4 ? 1 : 0));
  }

  @Test
  void aShapeThatChangesBeforeTheFirstReadIsReadWithANewPlan() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 1);
      harness.tables.put(TARGET, ORDERS, key(1), 1);
      harness.submit(1, Operation.INSERT);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      harness.tables.alter("v2");
      harness.submit(1, Operation.UPDATE);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      assertThat(harness.verifier.total().outcomes()).isEqualTo(Map.of("matched", 2L));
    }
  }

  @Test
  void failedReadsAreIncompleteAtEveryStep() {
    for (int failing = 1; failing <= 5; failing++) {
      try (VerifierHarness harness = new VerifierHarness()) {
        AtomicInteger reads = new AtomicInteger();
        int fail = failing;
        harness.tables.interfere(
            (side, keys) ->
                reads.incrementAndGet() == fail
                    ? new BatchRead.Failed(
                        side == Side.SOURCE
                            ? IncompleteReason.SOURCE_READ_FAILED
                            : IncompleteReason.TARGET_READ_FAILED,
                        "told to")
                    : null);
        harness.tables.put(SOURCE, ORDERS, key(1), 1);
        harness.tables.put(TARGET, ORDERS, key(1), 2);
        harness.submit(1, Operation.INSERT);
        if (fail > 2) {
          harness.awaitObserved(1);
        } else {
          harness.time.advance(SETTLE);
        }
        Verdict verdict = harness.awaitDecided(1).get(0).verdict();
        assertThat(verdict)
            .as("read %s fails", fail)
            .isEqualTo(
                new Verdict.Incomplete(
                    fail == 2 || fail == 4
                        ? IncompleteReason.TARGET_READ_FAILED
                        : IncompleteReason.SOURCE_READ_FAILED));
        assertThat(harness.watermark.decidedThrough()).isEqualTo(1);
      }
    }
  }

  @Test
  void tablesThatCannotBeOpenedAreSkippedOrIncomplete() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.refuseToOpen(new Opening.Skipped("no_usable_key", "no key"));
      harness.submit(1, Operation.INSERT);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      harness.tables.refuseToOpen(
          new Opening.Unavailable(IncompleteReason.TARGET_TABLE_MISSING, "no such table"));
      harness.submit(2, Operation.INSERT);
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      assertThat(harness.verifier.total().skipped()).isEqualTo(Map.of("no_usable_key", 1L));
      assertThat(harness.audit.decisions().get(0).verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.TARGET_TABLE_MISSING));
    }
  }

  @Test
  void theDelayDoesNotEatTheTablesTimeAndTheWaitDoes() {
    Duration tableTimeout = Duration.ofSeconds(10);
    for (boolean slow : new boolean[] {false, true}) {
      try (VerifierHarness harness = new VerifierHarness(Set.of(), 100, tableTimeout)) {
        harness.replay.script(
            (tables, deadline) -> {
              harness.time.advance(Duration.ofSeconds(slow ? 11 : 9));
              return new Result.Confirmed(Set.of());
            });
        harness.tables.put(SOURCE, ORDERS, key(1), 1);
        harness.submit(1, Operation.INSERT);
        harness.awaitObserved(1);
        assertThat(harness.awaitDecided(1).get(0).verdict())
            .isEqualTo(
                slow
                    ? new Verdict.Incomplete(IncompleteReason.TABLE_TIMEOUT)
                    : new Verdict.Unresolved(Kind.MISSING));
      }
    }
  }

  @Test
  void theReplayWaitIsBoundedWithoutATableTimeout() {
    try (VerifierHarness harness = new VerifierHarness()) {
      AtomicInteger seconds = new AtomicInteger();
      harness.replay.script(
          (tables, deadline) -> {
            seconds.set((int) deadline.remaining(Duration.ofDays(1)).toSeconds());
            return FakeReplay.stopped();
          });
      harness.tables.put(SOURCE, ORDERS, key(1), 1);
      harness.submit(1, Operation.INSERT);
      harness.awaitObserved(1);
      harness.awaitDecided(1);
      assertThat(seconds.get()).isEqualTo(60);
    }
  }

  @Test
  void stoppingAuditsWhatIsPendingAndKeepsTheOffsetBelowIt() throws Exception {
    VerifierHarness harness = new VerifierHarness();
    harness.tables.put(SOURCE, ORDERS, key(1), 1);
    harness.submit(1, Operation.INSERT);
    harness.awaitObserved(1);
    harness.submit(2, Operation.INSERT);
    assertThat(harness.verifier.stop(Duration.ofSeconds(10))).isTrue();
    assertThat(harness.audit.decisions())
        .hasSize(2)
        .allSatisfy(
            d ->
                assertThat(d.verdict())
                    .isEqualTo(new Verdict.Incomplete(IncompleteReason.CANCELLED)));
    assertThat(harness.watermark.decidedThrough()).isZero();
    assertThat(harness.verifier.total().pending()).isZero();
    assertThat(
            harness.verifier.submit(
                VerifierHarness.change(ORDERS, key(3), Operation.INSERT), harness.watermark))
        .isFalse();
  }

  @Test
  void stoppingDuringTheWaitForReplayEndsAsCancelled() throws Exception {
    VerifierHarness harness = new VerifierHarness();
    harness.replay.script(
        (tables, deadline) -> {
          await()
              .atMost(PATIENCE)
              .until(() -> harness.verifier.failure().isPresent() || stopped(harness));
          return FakeReplay.stopped();
        });
    harness.tables.put(SOURCE, ORDERS, key(1), 1);
    harness.submit(1, Operation.INSERT);
    harness.awaitObserved(1);
    harness.time.advance(DELAY);
    await().atMost(PATIENCE).until(() -> harness.replay.emitted() == 1);
    assertThat(harness.verifier.stop(Duration.ofSeconds(30))).isTrue();
    assertThat(harness.audit.decisions().get(0).verdict())
        .isEqualTo(new Verdict.Incomplete(IncompleteReason.CANCELLED));
    assertThat(harness.watermark.decidedThrough()).isZero();
  }

  private static boolean stopped(VerifierHarness harness) throws InterruptedException {
    return !harness.verifier.submit(
        VerifierHarness.change(ORDERS, key(99), Operation.DELETE), harness.watermark);
  }

  @Test
  void evidenceThatCannotBeWrittenStopsEverything() {
    VerifierHarness harness = new VerifierHarness();
    harness.audit.breakDown();
    harness.tables.put(SOURCE, ORDERS, key(1), 1);
    harness.submit(1, Operation.INSERT);
    harness.time.advance(SETTLE);
    await().atMost(PATIENCE).until(() -> harness.verifier.failure().isPresent());
    assertThat(harness.verifier.failure().get()).isInstanceOf(AuditException.class);
    assertThat(harness.watermark.decidedThrough()).isZero();
    assertThatThrownBy(() -> harness.submit(2, Operation.INSERT))
        .isInstanceOf(VerifierException.class);
    harness.close();
  }

  @Test
  void intakePausesAtTheBoundAndGoesOn() throws Exception {
    try (VerifierHarness harness = new VerifierHarness(Set.of(), 2, Duration.ZERO)) {
      for (int id = 1; id <= 3; id++) {
        harness.tables.put(SOURCE, ORDERS, key(id), 1);
        harness.tables.put(TARGET, ORDERS, key(id), 1);
      }
      harness.submit(1, Operation.INSERT);
      harness.submit(2, Operation.INSERT);
      assertThat(harness.verifier.hasRoom()).isFalse();
      Thread third = new Thread(() -> harness.submit(3, Operation.INSERT));
      third.start();
      neverWithin(() -> harness.verifier.total().observed() > 2);
      harness.time.advance(SETTLE);
      third.join();
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.total().checked() == 3);
    }
  }

  /** A condition that must stay false while the workers had many chances to make it true. */
  private static void neverWithin(java.util.concurrent.Callable<Boolean> condition) {
    await().during(Duration.ofMillis(100)).atMost(PATIENCE).until(() -> !condition.call());
  }
}
