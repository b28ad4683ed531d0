package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.row.KeyRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings and results for tests. */
final class Schedules {

  static final TableId A = new TableId("public", "a");
  static final TableId B = new TableId("public", "b");
  static final TableId C = new TableId("public", "c");

  private Schedules() {}

  static ScheduleSettings of(boolean onResume, Duration interval, int waitingMax, int retries) {
    return new ScheduleSettings(
        onResume,
        Optional.ofNullable(interval),
        true,
        Duration.ofHours(1),
        waitingMax,
        Duration.ofSeconds(30),
        retries,
        Optional.empty(),
        OffsetClaims.Known.NOTHING);
  }

  static Claim through(TableId table, String key) {
    return new Claim(table, KeyRange.ALL.through(List.of(key)), Claim.Origin.SNAPSHOT_CURSOR);
  }

  static RangeResult result(Claim claim, RangeOutcome outcome) {
    return RangeResult.unread(claim, outcome, Optional.empty(), Optional.empty(), Duration.ZERO);
  }
}
