package io.walproof.standalone.status;

import java.time.Duration;

/**
 * What the model keeps and the page shows at most; what is beyond is counted and said.
 *
 * @param tables tables shown, the worst first
 * @param failuresPerTable failures kept of a table, the newest
 * @param failures failures kept of a run before further tables keep only one each
 * @param shownFailures failures shown
 * @param drift drift events kept
 * @param runs runs kept
 * @param ranges range checks kept
 * @param silentAfter for how long a run may write nothing before it counts as gone
 */
public record StatusLimits(
    int tables,
    int failuresPerTable,
    int failures,
    int shownFailures,
    int drift,
    int runs,
    int ranges,
    Duration silentAfter) {

  /** What fits on a page and into a few megabytes. */
  public static StatusLimits defaults() {
    return new StatusLimits(500, 100, 2_000, 100, 100, 64, 500, Duration.ofMinutes(5));
  }

  /** The same with another patience. */
  public StatusLimits silentAfter(Duration other) {
    return new StatusLimits(
        tables, failuresPerTable, failures, shownFailures, drift, runs, ranges, other);
  }
}
