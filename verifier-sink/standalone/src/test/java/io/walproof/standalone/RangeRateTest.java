package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.standalone.run.UndecidedRows;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.RangeStage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RangeRateTest {

  private static final long SECOND = 1_000_000_000L;

  private final RangeRate rate = new RangeRate();

  @Test
  void whileItReadsItSaysHowFastAndHowLong() {
    assertThat(rate.figures(status(1_000, false), UndecidedRows.NONE, 0))
        .isEqualTo(
            "table 2 of 2, public.orders: 1,000 rows of about 6,000, 3 chunks equal, 1 differing");
    UndecidedRows some = new UndecidedRows(4, 4, Optional.of(Duration.ofSeconds(50)));
    assertThat(rate.figures(status(3_000, false), some, 10 * SECOND))
        .endsWith("1 differing, 200 rows/s, about 15 s left, 4 rows differ so far");
  }

  @Test
  void whatItWaitsForBeforeTheEndIsSaid() {
    for (RangeStage stage : List.of(RangeStage.WITNESS, RangeStage.RESTING, RangeStage.REPLAY)) {
      assertThat(rate.figures(status(1_000, false, stage), UndecidedRows.NONE, 0))
          .endsWith("1 differing, " + stage.sentence());
    }
  }

  /** 0 rows a second for a minute would look like a fault. */
  @Test
  void whenAllIsReadItSaysWhatItWaitsFor() {
    rate.figures(status(6_000, false), UndecidedRows.NONE, 0);
    UndecidedRows held = new UndecidedRows(1_204, 1_200, Optional.of(Duration.ofMillis(42_100)));
    assertThat(rate.figures(status(6_000, true), held, 10 * SECOND))
        .isEqualTo(
            "2 of 2 tables read, 1,204 rows differ and are not decided: 1,200 on hold, the first for"
                + " 43 s more (verify.recheck.delay.ms), 4 being read, or waiting for replay"
                + " (verify.replay.timeout.ms)");
    assertThat(rate.figures(status(6_000, true), new UndecidedRows(4, 0, Optional.empty()), 0))
        .isEqualTo(
            "2 of 2 tables read, 4 rows differ and are not decided: 4 being read, or waiting for"
                + " replay (verify.replay.timeout.ms)");
  }

  private static RangeCheck.Status status(long rows, boolean allRead) {
    return status(rows, allRead, allRead ? RangeStage.VERDICTS : RangeStage.READING);
  }

  private static RangeCheck.Status status(long rows, boolean allRead, RangeStage stage) {
    return new RangeCheck.Status(
        new TableId("public", "orders"),
        2,
        2,
        new RangeResult.Progress(rows, 50_000, 3, 1, false, Optional.empty()),
        6_000,
        allRead,
        stage);
  }
}
