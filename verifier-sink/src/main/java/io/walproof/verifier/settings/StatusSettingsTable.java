package io.walproof.verifier.settings;

import java.util.List;

/** The bounds of the status page's lists; what is beyond one is counted and said. */
public final class StatusSettingsTable {

  public static final Setting<Integer> TABLES =
      Setting.byDefault(
          "status.tables.max",
          SettingType.count(1, 100_000),
          "500",
          "Tables that the status page shows, the worst first; all are counted.");

  public static final Setting<Integer> FAILURES_PER_TABLE =
      Setting.byDefault(
          "status.failures.per.table.max",
          SettingType.count(1, 10_000),
          "100",
          "Open failures of a table that are kept with their evidence for the status page, and as"
              + " many checks without a judgement, the newest; all are counted.");

  public static final Setting<Integer> FAILURES =
      Setting.byDefault(
          "status.failures.max",
          SettingType.count(1, 1_000_000),
          "2000",
          "How many open failures of a run are kept with their evidence in all, and as many checks"
              + " without a judgement; beyond it each further table keeps one.");

  public static final Setting<Integer> FAILURES_SHOWN =
      Setting.byDefault(
          "status.failures.shown.max",
          SettingType.count(1, 10_000),
          "100",
          "Failures, and checks without a judgement, that the status page shows in a list,"
              + " the newest.");

  public static final Setting<Integer> NOT_JUDGED_PER_TABLE =
      Setting.byDefault(
          "status.not.judged.per.table.max",
          SettingType.count(1, 1_000),
          "5",
          "Checks without a judgement of a table that are kept with their evidence, the"
              + " newest.");

  public static final Setting<Integer> DRIFT =
      Setting.byDefault(
          "status.drift.max",
          SettingType.count(1, 10_000),
          "100",
          "Drift events and gaps that the status page shows, the newest; gaps beyond it count as ones"
              + " of the whole stream.");

  public static final Setting<Integer> RUNS =
      Setting.byDefault(
          "status.runs.max",
          SettingType.count(2, 10_000),
          "64",
          "Runs that are told apart; of older ones open failures and checks without a judgement are"
              + " only counted.");

  public static final Setting<Integer> RANGES =
      Setting.byDefault(
          "status.ranges.max",
          SettingType.count(1, 100_000),
          "500",
          "Range checks that the status page shows; proved ones make room first.");

  public static final Setting<Integer> MEASURED =
      Setting.byDefault(
          "status.measured.max",
          SettingType.count(1, 1_000_000),
          "50000",
          "Keys on hold whose time until they are seen equal is measured.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      List.of(
          TABLES,
          FAILURES_PER_TABLE,
          FAILURES,
          FAILURES_SHOWN,
          NOT_JUDGED_PER_TABLE,
          DRIFT,
          RUNS,
          RANGES,
          MEASURED);

  private StatusSettingsTable() {}
}
