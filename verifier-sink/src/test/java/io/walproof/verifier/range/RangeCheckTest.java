package io.walproof.verifier.range;

import static io.walproof.verifier.range.SteeredChecks.decision;
import static io.walproof.verifier.range.SteeredChecks.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.walproof.contract.TableId;
import io.walproof.verifier.core.FakeReplay;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a check of one table ends, and what it tells (design section 10, invariants A and I). */
class RangeCheckTest {

  private static final TableId TABLE = SimulatedSides.table();
  private static final String NOT_READ = "not read";

  @TempDir private Path ledgers;

  private final ManualTime time = new ManualTime();
  private final Deadline deadline = Deadline.in(time, Duration.ofDays(1));
  private final Cancellation cancel = new Cancellation();
  private final Findings findings = new Findings(10);
  private final SteeredChecks checks = new SteeredChecks(findings);
  private RangeLimits limits = RangeFixture.limits(4);
  private boolean restart;
  private Catalogs opening = Catalogs.REAL;

  /** What the catalogs say. */
  private enum Catalogs {
    REAL,
    SKIPPED,
    UNAVAILABLE
  }

  private IncompleteReason unavailable = IncompleteReason.SOURCE_READ_FAILED;
  private BoundsAnswer bounds = BoundsAnswer.ACCEPTED;

  private enum BoundsAnswer {
    ACCEPTED,
    REFUSED,
    FAILED
  }

  private final SimulatedSides sides =
      new SimulatedSides(Keys.ALIKE, true, true) {
        @Override
        public synchronized Opening open(TableId table, Deadline until, Cancellation stop) {
          return switch (opening) {
            case REAL -> super.open(table, until, stop);
            case SKIPPED -> new Opening.Skipped("no_key", "it has no usable key");
            case UNAVAILABLE -> new Opening.Unavailable(unavailable, NOT_READ);
          };
        }

        @Override
        public BoundCheck check(RangePlan plan, KeyRange range, Deadline until, Cancellation stop) {
          return switch (bounds) {
            case ACCEPTED -> super.check(plan, range, until, stop);
            case REFUSED -> new BoundCheck.Refused();
            case FAILED -> new BoundCheck.Failed(IncompleteReason.SOURCE_READ_FAILED, NOT_READ);
          };
        }
      };

  private void rows(int from, int to) {
    for (int key = from; key <= to; key++) {
      sides.putSource(key, "v" + key);
      sides.putTarget(key, "v" + key);
    }
  }

  private RangeCheck check() {
    return new RangeCheck(
        new RangeCheck.Parts(
            time,
            limits,
            sides,
            FakeReplay.confirming(() -> {}),
            checks,
            findings,
            ledgers,
            "two databases",
            restart,
            Optional.empty()));
  }

  private RangeResult run(Claim claim) throws Exception {
    return check().run(List.of(claim), deadline, cancel).get(0);
  }

  private RangeResult run() throws Exception {
    return run(Claim.whole(TABLE));
  }

  private static Claim claim(String from, String to, Claim.Origin origin) {
    return new Claim(
        TABLE,
        new KeyRange(
            Optional.ofNullable(from).map(key -> new KeyRange.Bound(List.of(key), true)),
            Optional.ofNullable(to).map(key -> new KeyRange.Bound(List.of(key), false))),
        origin);
  }

  private AuditEntry.RangeStart start() {
    return (AuditEntry.RangeStart) checks.recorded().get(0);
  }

  private AuditEntry.RangeEnd end() {
    return (AuditEntry.RangeEnd) checks.recorded().get(checks.recorded().size() - 1);
  }

  @Test
  void equalSidesAreProvedAndSaidSo() throws Exception {
    rows(10, 19);
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.strength()).contains(Strength.LIVE);
    assertThat(result.pairing()).contains("by_order");
    assertThat(result.digest()).contains("client");
    assertThat(result.resumed()).isFalse();
    assertThat(result.reason()).isEmpty();
    assertThat(result.detail()).isEmpty();
    assertThat(result.progress())
        .isEqualTo(
            // Ten keys of two bytes with values of three, in chunks of four rows.
            new RangeResult.Progress(10, 50, 3, 0, true, Optional.of(key(19))));
    assertThat(result.keys()).isEqualTo(RangeResult.Keys.NONE);
    assertThat(start())
        .isEqualTo(
            new AuditEntry.RangeStart(
                TABLE,
                "request",
                Optional.empty(),
                true,
                Optional.empty(),
                true,
                "by_order",
                io.walproof.verifier.row.RowDigest.VERSION,
                false,
                false));
    assertThat(end().outcome()).isEqualTo("proved");
    assertThat(end().strength()).contains("live");
    assertThat(end().rows()).isEqualTo(10);
    assertThat(end().chunksEqual()).isEqualTo(3);
    assertThat(end().chunksDiffering()).isZero();
    assertThat(end().coveredTo()).isEmpty();
    assertThat(ledgers).isEmptyDirectory();
  }

  @Test
  void aRangesBoundsAreRecordedAsTheyAreMeant() throws Exception {
    rows(10, 19);
    RangeResult result = run(claim("12", "15", Claim.Origin.SNAPSHOT_CURSOR));
    assertThat(result.outcome()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.progress().rows()).isEqualTo(3);
    assertThat(start().origin()).isEqualTo("snapshot_cursor");
    assertThat(start().from()).contains(key(12));
    assertThat(start().fromInclusive()).isTrue();
    assertThat(start().to()).contains(key(15));
    assertThat(start().toInclusive()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(DigestPlace.class)
  void whatTheKeyChecksConfirmFailsTheTable(DigestPlace place) throws Exception {
    limits = RangeFixture.limits(4, place, 1.0);
    rows(10, 19);
    sides.putTarget(14, "damaged");
    sides.putTarget(30, "extra");
    checks.always(new Verdict.Unresolved(Verdict.Unresolved.Kind.DIFFERENT));
    RangeResult result = run();
    assertThat(checks.submitted()).containsExactly(14);
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(result.keys().suspects()).isEqualTo(1);
    assertThat(result.keys().failures()).isEqualTo(1);
    assertThat(result.keys().byOutcome().get("unresolved_different").named())
        .containsExactly(key(14));
    assertThat(result.targetOnly()).isEqualTo(new RangeResult.Names(1, List.of(key(30))));
    assertThat(result.progress().rows()).isEqualTo(10);
    assertThat(end().outcome()).isEqualTo("failed");
    assertThat(end().keys()).containsEntry("unresolved_different", 1L);
    assertThat(end().targetOnly()).isEqualTo(1);
    assertThat(end().targetOnlyKeys()).containsExactly(key(30));
    // Nothing is left to continue.
    assertThat(ledgers).isEmptyDirectory();
  }

  /** Movement is proven, correctness is not; and what could not be judged is not equal. */
  @Test
  void whatIsNotJudgedLeavesTheTableOpen() throws Exception {
    rows(10, 19);
    sides.putTarget(14, "on its way");
    checks.always(new Verdict.Advanced());
    assertOpen(run(), "advanced_keys", "1 rows kept changing");
    checks.always(new Verdict.Incomplete(IncompleteReason.ROW_TOO_LARGE));
    assertOpen(run(), "incomplete_keys", "1 rows could not be judged");
    checks.never();
    checks.decide(false);
    assertOpen(run(), "undecided", "ended before the key checks did");
    checks.decide(true);
    sides.putTarget(14, "v14");
    RangeResult mended = run();
    assertThat(mended.outcome()).isEqualTo(RangeOutcome.PROVED);
    // The key that was left open was checked again, although no chunk was read again.
    assertThat(mended.keys().suspects()).isEqualTo(1);
    assertThat(mended.resumed()).isTrue();
  }

  private void assertOpen(RangeResult result, String reason, String detail) {
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.strength()).contains(Strength.LIVE);
    assertThat(result.reason()).contains(reason);
    assertThat(result.detail().orElseThrow()).contains(detail);
    assertThat(end().outcome()).isEqualTo("incomplete");
    assertThat(ledgers).isNotEmptyDirectory();
  }

  @Test
  void anEarlierChecksProofsAreTakenOverUnlessItIsToBeginAnew() throws Exception {
    rows(10, 19);
    sides.putTarget(14, "on its way");
    checks.always(new Verdict.Advanced());
    java.time.Instant began = time.now();
    run();
    time.advance(Duration.ofMinutes(59));
    RangeResult second = run();
    assertThat(second.resumedFrom()).contains(began);
    assertThat(start().resumed()).isFalse();
    assertThat(checks.recorded())
        .filteredOn(AuditEntry.RangeStart.class::isInstance)
        .extracting(entry -> ((AuditEntry.RangeStart) entry).resumed())
        .containsExactly(false, true);
    restart = true;
    assertThat(run().resumed()).isFalse();
    restart = false;
    // verify.range.resume.max.age.ms
    time.advance(Duration.ofHours(1).plusNanos(1));
    assertThat(run().resumed()).isFalse();
  }

  @Test
  void aTableThatCannotBeCheckedIsSkippedWithTheReason() throws Exception {
    opening = Catalogs.SKIPPED;
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.SKIPPED);
    assertThat(result.reason()).contains("no_key");
    assertThat(result.detail()).contains("it has no usable key");
    assertThat(result.strength()).isEmpty();
    assertThat(result.progress()).isEqualTo(RangeResult.Progress.NONE);
    assertThat(end().outcome()).isEqualTo("skipped");
  }

  /** A table or a column that is missing on the target is a failure of its own. */
  @ParameterizedTest
  @EnumSource(IncompleteReason.class)
  void onlyWhatTheTargetLacksIsAFailure(IncompleteReason reason) throws Exception {
    opening = Catalogs.UNAVAILABLE;
    unavailable = reason;
    RangeResult result = run();
    assertThat(result.outcome())
        .isEqualTo(
            EnumSet.of(
                        IncompleteReason.TARGET_TABLE_MISSING,
                        IncompleteReason.TARGET_COLUMN_MISSING)
                    .contains(reason)
                ? RangeOutcome.FAILED
                : RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains(reason.text());
    assertThat(result.detail()).contains(NOT_READ);
  }

  @Test
  void whatTheTargetLostOnTheWayIsAFailureToo() throws Exception {
    rows(10, 19);
    unavailable = IncompleteReason.TARGET_COLUMN_MISSING;
    sides.weather(
        call -> {
          opening = Catalogs.UNAVAILABLE;
          return call.startsWith("read") ? Trouble.STALE : Trouble.NONE;
        });
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(result.reason()).contains("target_column_missing");
  }

  @Test
  void aTableThatNeverRestsIsNotProved() throws Exception {
    rows(10, 19);
    sides.weather(call -> call.startsWith("read") ? Trouble.STALE : Trouble.NONE);
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains("schema_changed");
    assertThat(result.progress().complete()).isFalse();
    // Begun anew twice.
    assertThat(checks.recorded()).filteredOn(AuditEntry.RangeStart.class::isInstance).hasSize(3);
  }

  @Test
  void timeThatIsUsedUpIsNoProof() throws Exception {
    rows(10, 19);
    Deadline soon = Deadline.in(time, Duration.ofSeconds(5));
    int[] reads = new int[1];
    sides.weather(
        call -> {
          if (call.equals("read LINES of the target") && ++reads[0] == 2) {
            time.advance(Duration.ofSeconds(6));
            return Trouble.FAILED;
          }
          return Trouble.NONE;
        });
    RangeResult result = check().run(List.of(Claim.whole(TABLE)), soon, cancel).get(0);
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains("deadline");
    assertThat(result.progress().coveredTo()).contains(key(13));
    assertThat(result.took()).isEqualTo(Duration.ofSeconds(6));
    assertThat(end().coveredTo()).contains(key(13));
    sides.weather(call -> Trouble.NONE);
    RangeResult rest = run();
    assertThat(rest.outcome()).isEqualTo(RangeOutcome.PROVED);
    assertThat(rest.progress().rows()).isEqualTo(10);
  }

  @Test
  void aFailedReadIsNamedAndIsNoProof() throws Exception {
    rows(10, 19);
    sides.weather(call -> call.equals("read LINES of the target") ? Trouble.FAILED : Trouble.NONE);
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains("target_read_failed");
    assertThat(result.progress().coveredTo()).isEmpty();
  }

  @Test
  void aStopIsNoProof() throws Exception {
    rows(10, 19);
    sides.putTarget(14, "damaged");
    checks.refuse();
    RangeResult stopped = run();
    assertThat(stopped.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(stopped.reason()).contains("cancelled");
    cancel.cancel();
    RangeResult result = run();
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains("cancelled");
  }

  @ParameterizedTest
  @EnumSource(BoundsAnswer.class)
  void boundsThatAreNoneOfTheKeyAreRefused(BoundsAnswer answer) throws Exception {
    rows(10, 19);
    bounds = answer;
    RangeResult result = run(claim("12", "15", Claim.Origin.REQUEST));
    switch (answer) {
      case ACCEPTED -> assertThat(result.outcome()).isEqualTo(RangeOutcome.PROVED);
      case REFUSED -> {
        assertRefused(result);
        assertThat(result.detail().orElseThrow()).contains("values for values of the key");
      }
      case FAILED -> {
        assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
        assertThat(result.reason()).contains("source_read_failed");
        assertThat(result.detail()).contains(NOT_READ);
      }
    }
  }

  private static void assertRefused(RangeResult result) {
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.reason()).contains("bound_refused");
    assertThat(result.progress()).isEqualTo(RangeResult.Progress.NONE);
  }

  /** It holds nothing, which must not look like a proof. */
  @Test
  void aRangeWithItsEndsSwappedIsRefused() throws Exception {
    rows(10, 19);
    RangeResult swapped = run(claim("15", "12", Claim.Origin.REQUEST));
    assertRefused(swapped);
    assertThat(swapped.detail().orElseThrow()).contains("behind its last");
    assertThat(run(claim("15", null, Claim.Origin.REQUEST)).outcome())
        .isEqualTo(RangeOutcome.PROVED);
    sides.weather(call -> call.equals("within") ? Trouble.FAILED : Trouble.NONE);
    assertThat(run(claim("12", "15", Claim.Origin.REQUEST)).reason())
        .contains("source_read_failed");
  }

  @Test
  void aBoundHasAValueForEachKeyColumn() throws Exception {
    for (Claim.Origin origin : List.of(Claim.Origin.REQUEST, Claim.Origin.SNAPSHOT_CURSOR)) {
      RangeResult result =
          run(
              new Claim(
                  TABLE,
                  new KeyRange(
                      Optional.empty(), Optional.of(new KeyRange.Bound(List.of("1", "2"), true))),
                  origin));
      assertRefused(result);
      assertThat(result.detail().orElseThrow().contains("JSON array"))
          .isEqualTo(origin == Claim.Origin.REQUEST);
    }
  }

  @Test
  void oneTableIsCheckedOnceAtATime() {
    assertThatThrownBy(
            () -> check().run(List.of(Claim.whole(TABLE), Claim.whole(TABLE)), deadline, cancel))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("named twice");
  }

  @Test
  void whoeverAsksIsToldHowFarItIs() throws Exception {
    rows(10, 19);
    sides.putTarget(14, "damaged");
    RangeCheck check = check();
    List<RangeCheck.Status> seen = new ArrayList<>();
    sides.weather(
        call -> {
          if (call.equals("read LINES of the target")) {
            seen.add(check.progress().orElseThrow());
          }
          return Trouble.NONE;
        });
    checks.meanwhile(() -> seen.add(check.progress().orElseThrow()));
    assertThat(check.progress()).isEmpty();
    check.run(List.of(Claim.whole(TABLE)), deadline, cancel);
    assertThat(check.progress()).isEmpty();
    assertThat(seen.get(0).table()).isEqualTo(TABLE);
    assertThat(seen.get(0).number()).isEqualTo(1);
    assertThat(seen.get(0).of()).isEqualTo(1);
    assertThat(seen.get(0).estimatedRows()).isEqualTo(10);
    assertThat(seen.get(0).allRead()).isFalse();
    assertThat(seen)
        .extracting(status -> status.progress().rows())
        .containsExactly(0L, 4L, 8L, 10L);
    RangeCheck.Status last = seen.get(3);
    assertThat(last.allRead()).isTrue();
    assertThat(last.stage()).isEqualTo(RangeStage.VERDICTS);
    assertThat(last.progress().chunksEqual()).isEqualTo(2);
    assertThat(last.progress().chunksDiffering()).isEqualTo(1);
  }

  /** With thousands of tables, files that stay open until all are read are too many. */
  @Test
  void aLedgerIsOpenWhileItsTableIsReadOnly() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors));
    rows(1, 10);
    sides.putTarget(5, "damaged");
    checks.always(new Verdict.Unresolved(Verdict.Unresolved.Kind.DIFFERENT));
    List<Long> open = new ArrayList<>();
    checks.meanwhile(() -> open.add(ledgersOpenIn(descriptors)));
    sides.weather(
        call -> {
          if (call.equals("read LINES of the target")) {
            open.add(ledgersOpenIn(descriptors));
          }
          return Trouble.NONE;
        });
    run();
    assertThat(open.get(0)).as("while it is read").isEqualTo(1);
    assertThat(open.get(open.size() - 1)).as("while verdicts are awaited").isZero();
    try (Stream<Path> left = Files.list(ledgers)) {
      assertThat(left).as("nothing is left to continue").isEmpty();
    }
  }

  private long ledgersOpenIn(Path descriptors) {
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.filter(this::isLedger).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isLedger(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(ledgers.toRealPath());
    } catch (IOException e) {
      // Others open and close theirs meanwhile.
      return false;
    }
  }

  /** The two sides rest one by one; waiting for something else is no rest. */
  @Test
  void aSideThatIsLeftAloneShows() {
    PassProgress progress = new PassProgress();
    assertThat(progress.stage()).isEqualTo(RangeStage.OPENING);
    assertThat(progress.enter(RangeStage.READING)).isEqualTo(RangeStage.OPENING);
    progress.rests(true);
    progress.rests(true);
    progress.rests(false);
    assertThat(progress.stage()).isEqualTo(RangeStage.RESTING);
    assertThat(progress.enter(RangeStage.REPLAY)).isEqualTo(RangeStage.READING);
    assertThat(progress.stage()).isEqualTo(RangeStage.REPLAY);
    progress.enter(RangeStage.READING);
    progress.rests(false);
    assertThat(progress.stage()).isEqualTo(RangeStage.READING);
    for (RangeStage stage : RangeStage.values()) {
      assertThat(stage.text()).matches("[a-z]+");
      assertThat(stage.sentence()).isNotBlank();
    }
  }

  /** Only decisions on range checks' keys count, and no more are named than the setting says. */
  @Test
  void findingsAreCountedAndTheFirstAreNamed() {
    Verdict missing = new Verdict.Unresolved(Verdict.Unresolved.Kind.MISSING);
    for (int key = 0; key < 12; key++) {
      findings.accept(List.of(decision(key, missing)));
    }
    RangeResult.Names names = findings.of(TABLE).get("unresolved_missing");
    assertThat(names.count()).isEqualTo(12);
    assertThat(names.named()).hasSize(10).startsWith(key(0)).endsWith(key(9));
    assertThat(findings.of(new TableId("public", "other"))).isEmpty();
    findings.forget(TABLE);
    assertThat(findings.of(TABLE)).isEmpty();
  }
}
