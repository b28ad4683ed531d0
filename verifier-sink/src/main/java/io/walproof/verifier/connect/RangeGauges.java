package io.walproof.verifier.connect;

import io.walproof.metrics.Gauges;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.schedule.RangeFigures;
import java.time.Instant;
import java.util.Map;

/** What a sink task shows of its range checks; nothing if none are configured. */
final class RangeGauges {

  private RangeGauges() {}

  static void register(Gauges gauges, SinkRanges ranges) {
    if (!ranges.isOn()) {
      return;
    }
    RangeFigures figures = ranges.figures();
    gauges.gauge(
        "range-active",
        "1 if range checks are this task's work, 0 if another task has the drift topic",
        () -> ranges.isActive() ? 1 : 0);
    gauges.gauge(
        "range-checks-running",
        "Tables under a range check; one is read, the others wait for verdicts",
        ranges::runningChecks);
    gauges.gauge(
        "range-checks-waiting",
        "Tables, and reasons to check, that wait for their turn",
        ranges::waitingChecks);
    for (RangeOutcome outcome : RangeOutcome.values()) {
      gauges.gauge(
          "range-checks-total",
          "Range checks that ended, by outcome",
          Map.of("outcome", outcome.text()),
          () -> figures.ended(outcome));
    }
    gauges.gauge("range-rows-total", "Source rows that range checks compared", figures::rows);
    gauges.gauge(
        "range-failing-rows-total",
        "Rows that range checks found missing or different, confirmed",
        figures::failingRows);
    gauges.gauge(
        "range-target-only-rows-total",
        "Rows that only the target has; counted, not judged",
        figures::targetOnlyRows);
    gauges.gauge("range-tables", "Tables of the last look at everything", figures::tables);
    gauges.gauge(
        "range-tables-covered",
        "Those of them whose last range check reached the end of its range",
        figures::tablesCovered);
    gauges.gauge(
        "range-last-end-ms",
        "When the last range check ended, in milliseconds since 1970; 0 if none has",
        () -> figures.lastEnd().map(Instant::toEpochMilli).orElse(0L));
    gauges.gauge(
        "range-failed-attempts-total",
        "Attempts to begin range checks that failed; verify.range.retries.max bounds them",
        figures::failedRounds);
    gauges.gauge(
        "range-given-up-total",
        "Reasons to check that were given up, because no attempt succeeded",
        figures::givenUp);
  }
}
