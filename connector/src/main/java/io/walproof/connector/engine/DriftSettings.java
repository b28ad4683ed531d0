package io.walproof.connector.engine;

import io.walproof.connector.engine.SettingCatalog.Described;
import io.walproof.connector.schema.HistoryLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings {@code drift.*}.
 *
 * @param policy {@code drift.policy}; only {@code report} so far
 * @param limits {@code drift.history.versions.max} and {@code drift.history.max.bytes}
 * @param acceptGap {@code drift.accept.gap}: go on where the slot is, and report the gap
 * @param startTimeout {@code drift.start.timeout.ms}: preparation and Debezium's start
 * @param shutdownTimeout {@code drift.shutdown.timeout.ms}: how long a close may take
 * @param slotWait {@code drift.slot.wait.ms}: how long to wait for the slot while another process
 *     still has it, such as one that was just killed
 */
record DriftSettings(
    String policy,
    HistoryLimits limits,
    boolean acceptGap,
    Duration startTimeout,
    Duration shutdownTimeout,
    Duration slotWait) {

  private static final String POLICY = "drift.policy";
  private static final String VERSIONS = "drift.history.versions.max";
  private static final String BYTES = "drift.history.max.bytes";
  private static final String ACCEPT_GAP = "drift.accept.gap";
  private static final String START = "drift.start.timeout.ms";
  private static final String SHUTDOWN = "drift.shutdown.timeout.ms";
  private static final String SLOT_WAIT = "drift.slot.wait.ms";

  private static final int VERSIONS_DEFAULT = 10;
  private static final int BYTES_DEFAULT = 512 * 1024;
  private static final int START_DEFAULT = 120_000;
  private static final int SHUTDOWN_DEFAULT = 15_000;
  private static final int SLOT_WAIT_DEFAULT = 30_000;

  /** All of them, described. */
  static final List<Described> DESCRIBED =
      List.of(
          new Described(
              POLICY,
              "report",
              List.of("report"),
              "What to do about drift. 'report' tells and goes on."),
          described(
              VERSIONS,
              VERSIONS_DEFAULT,
              "How many shapes of one table the schema history keeps, newest first."),
          described(
              BYTES,
              BYTES_DEFAULT,
              "How large the schema history in the source offset may grow. What does not fit is"
                  + " dropped, column sets first, and a warning says so."),
          new Described(
              ACCEPT_GAP,
              "false",
              List.of("false", "true"),
              "Go on where the slot is although it cannot deliver everything since the stored"
                  + " offset, and report the gap as a drift event. Meant for one start: set it back"
                  + " afterwards."),
          described(
              START, START_DEFAULT, "How long the preparation and Debezium's start may take."),
          described(SHUTDOWN, SHUTDOWN_DEFAULT, "How long a stop may take."),
          described(
              SLOT_WAIT,
              SLOT_WAIT_DEFAULT,
              "How long to wait for the slot while another process still has it, such as one that"
                  + " was just killed."));

  /** Their keys. */
  static final Set<String> KEYS =
      DESCRIBED.stream().map(Described::key).collect(Collectors.toUnmodifiableSet());

  private static Described described(String key, int fallback, String text) {
    return new Described(key, Integer.toString(fallback), List.of(), text);
  }

  /** Reads them; adds a problem for each bad value. */
  static DriftSettings of(Map<String, String> given, List<SettingProblem> problems) {
    String policy = given.getOrDefault(POLICY, "report");
    if (!policy.equals("report")) {
      problems.add(
          SettingProblem.of(POLICY, "must be report; halt, evolve and dlq are not available yet"));
    }
    String accept = given.getOrDefault(ACCEPT_GAP, "false");
    if (!accept.equals("true") && !accept.equals("false")) {
      problems.add(SettingProblem.of(ACCEPT_GAP, "must be true or false"));
    }
    return new DriftSettings(
        policy,
        new HistoryLimits(
            number(given, VERSIONS, VERSIONS_DEFAULT, 1, 1000, problems),
            number(given, BYTES, BYTES_DEFAULT, 4096, 64 * 1024 * 1024, problems)),
        accept.equals("true"),
        millis(given, START, START_DEFAULT, problems),
        millis(given, SHUTDOWN, SHUTDOWN_DEFAULT, problems),
        millis(given, SLOT_WAIT, SLOT_WAIT_DEFAULT, problems));
  }

  DriftSettings withGapAccepted() {
    return new DriftSettings(policy, limits, true, startTimeout, shutdownTimeout, slotWait);
  }

  private static Duration millis(
      Map<String, String> given, String key, int fallback, List<SettingProblem> problems) {
    return Duration.ofMillis(number(given, key, fallback, 1, 3_600_000, problems));
  }

  private static int number(
      Map<String, String> given,
      String key,
      int fallback,
      int least,
      int most,
      List<SettingProblem> problems) {
    String text = given.get(key);
    if (text == null) {
      return fallback;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below: a bad number and one out of range have the same remedy.
    }
    problems.add(SettingProblem.of(key, "must be a whole number from " + least + " to " + most));
    return fallback;
  }
}
