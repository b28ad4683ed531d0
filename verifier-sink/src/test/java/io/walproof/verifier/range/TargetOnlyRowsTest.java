package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.FakeReplay;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmation.Boundary;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row is only the target's if the same one stood there all the time, long rows too. */
class TargetOnlyRowsTest {

  private static final int KEY = 100;

  private final ManualTime time = new ManualTime();
  private final Deadline deadline = Deadline.in(time, Duration.ofDays(1));
  private final Cancellation cancel = new Cancellation();
  private final SimulatedSides sides = new SimulatedSides(Keys.ALIKE, true, true);
  private int calls;

  private TargetOnlyRows rows(boolean tooLong, Runnable untilReplayed) {
    sides.putTarget(KEY, "v");
    if (tooLong) {
      sides.unreadable(KEY);
    }
    TargetOnlyRows rows = rows(FakeReplay.confirming(untilReplayed), KeyRange.ALL);
    rows.add(List.of(key(KEY)));
    return rows;
  }

  private static RowKey key(int key) {
    return new RowKey(List.of(new RowKey.Column("id", Integer.toString(key))));
  }

  private TargetOnlyRows rows(ReplayConfirmation replay, KeyRange claimed) {
    RangeLimits limits =
        new RangeLimits(
            10,
            1 << 10,
            1.0,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            8,
            DigestPlace.CLIENT,
            Duration.ofHours(1),
            2);
    RangePlan plan =
        ((RangeAccess.Opening.Ready) sides.open(SimulatedSides.table(), deadline, cancel)).plan();
    PassProgress progress = new PassProgress();
    return new TargetOnlyRows(
        time,
        limits,
        sides,
        replay,
        new SideReader(time, limits, sides, progress, plan, deadline),
        progress,
        claimed,
        cancel);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRowThatStaysIsCounted(boolean tooLong) {
    TargetOnlyRows rows = rows(tooLong, () -> {});
    rows.confirm();
    assertThat(rows.found().count()).isEqualTo(1);
    assertThat(rows.unknown()).isZero();
  }

  /** The source deleted it, inserts it again while replay is waited for, and deletes it again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatComesAndGoesIsNotCounted(boolean tooLong) {
    TargetOnlyRows rows =
        rows(
            tooLong,
            () -> {
              sides.putSource(KEY, "w");
              sides.putTarget(KEY, "w");
            });
    sides.weather(
        call -> {
          // Behind one look at each side, and the target's second.
          if (++calls > 3) {
            sides.putSource(KEY, null);
            if (call.endsWith("target")) {
              sides.putTarget(KEY, null);
            }
          }
          return Trouble.NONE;
        });
    rows.confirm();
    assertThat(rows.found().count()).isZero();
    assertThat(rows.unknown()).isZero();
    assertThat(calls).isGreaterThan(3);
  }

  /** Such a commit may have inserted it: the target has it, and the source does not show it. */
  @Test
  void nothingIsCountedWhileACommitWaitsForAStandby() {
    sides.hold(new HeldCommits.Known(Set.of("1", "2")));
    TargetOnlyRows rows = rows(false, () -> sides.hold(new HeldCommits.Known(Set.of("2", "3"))));
    rows.confirm();
    assertThat(rows.found().count()).isZero();
    assertThat(rows.unknown()).isEqualTo(1);
    assertThat(rows.whyUnknown()).contains(HeldCommits.WAITED);
  }

  @Test
  void commitsThatCameToTheirEndAreNoDoubt() {
    sides.hold(new HeldCommits.Known(Set.of("1")));
    TargetOnlyRows rows = rows(false, () -> sides.hold(new HeldCommits.Known(Set.of("2"))));
    rows.confirm();
    assertThat(rows.found().count()).isEqualTo(1);
    assertThat(rows.unknown()).isZero();
  }

  /** What may not be told is neither counted nor taken for nothing (invariants A and H). */
  private void assertUnknown(ReplayConfirmation replay, KeyRange claimed, String why) {
    sides.putTarget(KEY, "v");
    sides.putTarget(KEY + 1, "v");
    TargetOnlyRows rows = rows(replay, claimed);
    rows.add(List.of(key(KEY), key(KEY + 1)));
    rows.confirm();
    assertThat(rows.found()).isEqualTo(RangeResult.Names.NONE);
    assertThat(rows.unknown()).isEqualTo(2);
    assertThat(rows.whyUnknown().orElseThrow()).contains(why);
  }

  private static ReplayConfirmation answering(Emission emission, Result result) {
    return new ReplayConfirmation() {
      @Override
      public String strategy() {
        return "fake";
      }

      @Override
      public Emission emit(Deadline until, Cancellation stop) {
        return emission;
      }

      @Override
      public Result await(
          Boundary boundary, Set<TableId> tables, Deadline until, Cancellation stop) {
        assertThat(tables).containsExactly(SimulatedSides.table());
        // verify.replay.timeout.ms
        assertThat(until.remaining(Duration.ofDays(1))).isEqualTo(Duration.ofSeconds(10));
        return result;
      }

      @Override
      public void close() {}
    };
  }

  private static final Emission EMITTED =
      new Emission.Emitted(new Boundary(Optional.of(new Lsn(1)), ""));

  @Test
  void withoutConfirmedReplayNothingIsCounted() {
    Result confirmed = new Result.Confirmed(Set.of());
    assertUnknown(
        answering(
            new Emission.Failed(IncompleteReason.CONFIRMATION_FAILED, "no boundary"), confirmed),
        KeyRange.ALL,
        "no boundary");
    assertUnknown(
        answering(
            EMITTED,
            new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, "the applier stands")),
        KeyRange.ALL,
        "the applier stands");
    assertUnknown(
        answering(EMITTED, new Result.Confirmed(Set.of(SimulatedSides.table()))),
        KeyRange.ALL,
        "not for this table");
    TargetOnlyRows told = rows(answering(EMITTED, confirmed), KeyRange.ALL);
    told.add(List.of(key(KEY)));
    told.confirm();
    assertThat(told.found().count()).isEqualTo(1);
    assertThat(told.whyUnknown()).isEmpty();
  }

  @Test
  void aLookThatFailsLeavesTheKeysOpen() {
    ReplayConfirmation replay = FakeReplay.confirming(() -> {});
    for (String failing : List.of("lookup on the target", "lookup on the source")) {
      sides.weather(call -> call.equals(failing) ? Trouble.FAILED : Trouble.NONE);
      assertUnknown(replay, KeyRange.ALL, "");
      sides.weather(call -> call.equals(failing) ? Trouble.STALE : Trouble.NONE);
      assertUnknown(replay, KeyRange.ALL, "kept changing");
    }
    sides.weather(call -> call.equals("within") ? Trouble.FAILED : Trouble.NONE);
    assertUnknown(replay, through(KEY + 50), "");
  }

  private static KeyRange through(int key) {
    return KeyRange.ALL.through(List.of(Integer.toString(key)));
  }

  @Test
  void onlyRowsOfTheClaimCount() {
    sides.putTarget(KEY, "v");
    sides.putTarget(KEY + 1, "v");
    TargetOnlyRows rows = rows(FakeReplay.confirming(() -> {}), through(KEY));
    rows.add(List.of(key(KEY + 1), key(KEY), key(KEY - 1)));
    rows.confirm();
    assertThat(rows.found()).isEqualTo(new RangeResult.Names(1, List.of(key(KEY))));
    assertThat(rows.unknown()).isZero();
  }

  /** Replay is waited for once a batch, and not for rows that are gone or on both sides. */
  @Test
  void candidatesAreLookedAtInBatches() {
    int[] waits = new int[1];
    TargetOnlyRows rows = rows(FakeReplay.confirming(() -> waits[0]++), KeyRange.ALL);
    for (int i = 0; i < 9; i++) {
      sides.putTarget(KEY + i, "v");
    }
    for (int i = 0; i < 7; i++) {
      rows.add(List.of(key(KEY + i)));
    }
    assertThat(waits[0]).isZero();
    rows.add(List.of(key(KEY + 7)));
    assertThat(waits[0]).isEqualTo(1);
    assertThat(rows.found().count()).isEqualTo(8);
    // All are counted, the first are named.
    assertThat(rows.found().named()).containsExactly(key(KEY), key(KEY + 1));
    sides.putSource(KEY + 8, "v");
    rows.add(List.of(key(KEY + 8), key(KEY + 9)));
    rows.confirm();
    rows.confirm();
    assertThat(waits[0]).isEqualTo(1);
    assertThat(rows.found().count()).isEqualTo(8);
    assertThat(rows.onBothSides()).isEmpty();
  }

  @Test
  void aRowThatIsReplacedEachTimeIsNotTold() {
    int[] versions = new int[1];
    TargetOnlyRows rows = rows(false, () -> sides.putTarget(KEY, "v" + versions[0]++));
    rows.confirm();
    assertThat(versions[0]).isEqualTo(3);
    assertThat(rows.found().count()).isZero();
    assertThat(rows.unknown()).isEqualTo(1);
    assertThat(rows.whyUnknown().orElseThrow()).contains("each time");
  }

  @Test
  void aRowThatIsReplacedOnceIsCountedAtItsNextLook() {
    int[] waits = new int[1];
    TargetOnlyRows rows =
        rows(
            false,
            () -> {
              if (waits[0]++ == 0) {
                sides.putTarget(KEY, "w");
              }
            });
    rows.confirm();
    assertThat(waits[0]).isEqualTo(2);
    assertThat(rows.found().count()).isEqualTo(1);
    assertThat(rows.unknown()).isZero();
  }
}
