package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.verifier.core.FakeReplay;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.row.HeldCommits;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.time.Duration;
import java.util.List;
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
            100);
    RangePlan plan =
        ((RangeAccess.Opening.Ready) sides.open(SimulatedSides.table(), deadline, cancel)).plan();
    PassProgress progress = new PassProgress();
    TargetOnlyRows rows =
        new TargetOnlyRows(
            time,
            limits,
            sides,
            FakeReplay.confirming(untilReplayed),
            new SideReader(time, limits, sides, progress, plan, deadline),
            progress,
            KeyRange.ALL,
            cancel);
    rows.add(List.of(new RowKey(List.of(new RowKey.Column("id", Integer.toString(KEY))))));
    return rows;
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
}
