package io.walproof.standalone.settings;

import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.StatusSettingsTable;
import java.time.Duration;
import java.util.Map;

/**
 * What the status page's model keeps and the page shows at most; what is beyond is counted and
 * said. Each is the setting of that meaning, {@link StatusSettingsTable}.
 *
 * @param tables tables shown, the worst first
 * @param failuresPerTable failures kept of a table, the newest
 * @param failures failures kept of a run before further tables keep only one each
 * @param shownFailures failures shown
 * @param notJudgedPerTable checks without a judgement kept of a table, the newest
 * @param drift drift events kept
 * @param runs runs kept
 * @param ranges range checks kept
 * @param measured keys on hold whose time is measured
 * @param silentAfter for how long a run may write nothing before it counts as gone
 */
public record StatusLimits(
    int tables,
    int failuresPerTable,
    int failures,
    int shownFailures,
    int notJudgedPerTable,
    int drift,
    int runs,
    int ranges,
    int measured,
    Duration silentAfter) {

  private static final Duration SILENT_AFTER = Duration.ofMinutes(5);

  /** What fits on a page and into a few megabytes. */
  public static StatusLimits defaults() {
    return of(new SettingValues(Map.of()));
  }

  /** From checked settings; defaults where there are none. */
  public static StatusLimits of(SettingValues values) {
    return new StatusLimits(
        values.get(StatusSettingsTable.TABLES),
        values.get(StatusSettingsTable.FAILURES_PER_TABLE),
        values.get(StatusSettingsTable.FAILURES),
        values.get(StatusSettingsTable.FAILURES_SHOWN),
        values.get(StatusSettingsTable.NOT_JUDGED_PER_TABLE),
        values.get(StatusSettingsTable.DRIFT),
        values.get(StatusSettingsTable.RUNS),
        values.get(StatusSettingsTable.RANGES),
        values.get(StatusSettingsTable.MEASURED),
        SILENT_AFTER);
  }

  /** The same with another patience. */
  public StatusLimits silentAfter(Duration other) {
    return new StatusLimits(
        tables,
        failuresPerTable,
        failures,
        shownFailures,
        notJudgedPerTable,
        drift,
        runs,
        ranges,
        measured,
        other);
  }
}
