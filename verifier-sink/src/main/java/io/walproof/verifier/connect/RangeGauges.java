package io.walproof.verifier.connect;

import io.walproof.contract.TableId;
import io.walproof.metrics.Gauges;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.schedule.RangeFigures;
import java.time.Instant;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What range checks that nobody asks for show of themselves. */
public final class RangeGauges {

  private RangeGauges() {}

  /** Of a sink task; nothing if none are configured. */
  static void register(Gauges gauges, SinkRanges ranges) {
    if (!ranges.isOn()) {
      return;
    }
    registerTask(gauges, ranges::isActive);
    register(gauges, ranges.figures(), ranges::runningChecks, ranges::waitingChecks);
    registerKeys(gauges, ranges::keys, ranges::onHold);
  }

  /**
   * What became of the keys that the checks named, beside those of the changes.
   *
   * @param keys the counts by table, on any thread
   * @param onHold their mismatches that wait for their recheck, on any thread
   */
  public static void registerKeys(
      Gauges gauges, Supplier<Map<TableId, Coverage>> keys, Supplier<OnHold> onHold) {
    KeyGauges.register(
        gauges, AuditEntry.Stratum.RANGE, () -> Coverage.sum(keys.get().values()), onHold);
  }

  /** What only a task has. */
  public static void registerTask(Gauges gauges, BooleanSupplier active) {
    gauges.gauge(
        "range-active",
        "1 if range checks are this task's work, 0 if another task has the drift topic",
        () -> active.getAsBoolean() ? 1 : 0);
  }

  /**
   * The figures that a sink task and a run have in common.
   *
   * @param running how many tables are under a check, on any thread
   * @param waiting how many wait, on any thread
   */
  public static void register(
      Gauges gauges, RangeFigures figures, LongSupplier running, LongSupplier waiting) {
    gauges.gauge(
        "range-checks-running",
        "Tables under a range check; one is read, the others wait for verdicts",
        running);
    gauges.gauge(
        "range-checks-waiting",
        "Tables that wait for their range check, and reasons to check whose tables are not known yet",
        waiting);
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
    gauges.gauge(
        "range-tables",
        "Tables that were in scope when a check of all of them was last planned",
        figures::tables);
    gauges.gauge(
        "range-tables-covered",
        "Those of them whose last range check reached the end of its range",
        figures::tablesCovered);
    gauges.gauge(
        "range-last-end-ms",
        "When the last range check ended, as unix time; 0 if none has",
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
