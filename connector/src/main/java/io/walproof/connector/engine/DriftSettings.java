package io.walproof.connector.engine;

import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.schema.HistoryLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings {@code drift.*}.
 *
 * @param policy {@code drift.policy}
 * @param limits {@code drift.history.versions.max} and {@code drift.history.max.bytes}
 * @param acceptGap {@code drift.accept.gap}: go on where the slot is, and report the gap
 * @param startTimeout {@code drift.start.timeout.ms}: preparation and Debezium's start
 * @param shutdownTimeout {@code drift.shutdown.timeout.ms}: how long a close may take
 * @param slotWait {@code drift.slot.wait.ms}: how long to wait for the slot while another process
 *     still has it, such as one that was just killed
 * @param haltWait {@code drift.halt.timeout.ms}: how long a halt waits until its position is
 *     durable
 */
record DriftSettings(
    DriftPolicy policy,
    HistoryLimits limits,
    boolean acceptGap,
    Duration startTimeout,
    Duration shutdownTimeout,
    Duration slotWait,
    Duration haltWait,
    Duration catalogInterval) {

  private static final String POLICY = "drift.policy";
  private static final String VERSIONS = "drift.history.versions.max";
  private static final String BYTES = "drift.history.max.bytes";
  private static final String ACCEPT_GAP = "drift.accept.gap";
  private static final String START = "drift.start.timeout.ms";
  private static final String SHUTDOWN = "drift.shutdown.timeout.ms";
  private static final String SLOT_WAIT = "drift.slot.wait.ms";
  private static final String HALT_WAIT = "drift.halt.timeout.ms";
  private static final String CATALOG_INTERVAL = "drift.catalog.interval.ms";

  /** All of them. */
  static final Set<String> KEYS =
      Set.of(
          POLICY,
          VERSIONS,
          BYTES,
          ACCEPT_GAP,
          START,
          SHUTDOWN,
          SLOT_WAIT,
          HALT_WAIT,
          CATALOG_INTERVAL);

  /** Reads them; adds a problem for each bad value. */
  static DriftSettings of(Map<String, String> given, List<String> problems) {
    Optional<DriftPolicy> policy = DriftPolicy.parse(given.getOrDefault(POLICY, "report"));
    if (policy.isEmpty()) {
      problems.add("'" + POLICY + "' must be report, evolve or halt; dlq is not available yet");
    }
    String accept = given.getOrDefault(ACCEPT_GAP, "false");
    if (!accept.equals("true") && !accept.equals("false")) {
      problems.add("'" + ACCEPT_GAP + "' must be true or false");
    }
    return new DriftSettings(
        policy.orElse(DriftPolicy.REPORT),
        new HistoryLimits(
            number(given, VERSIONS, 10, 1, 1000, problems),
            number(given, BYTES, 512 * 1024, 4096, 64 * 1024 * 1024, problems)),
        accept.equals("true"),
        millis(given, START, 120_000, problems),
        millis(given, SHUTDOWN, 15_000, problems),
        millis(given, SLOT_WAIT, 30_000, problems),
        millis(given, HALT_WAIT, 300_000, problems),
        Duration.ofMillis(number(given, CATALOG_INTERVAL, 60_000, 0, 3_600_000, problems)));
  }

  DriftSettings withGapAccepted() {
    return new DriftSettings(
        policy, limits, true, startTimeout, shutdownTimeout, slotWait, haltWait, catalogInterval);
  }

  private static Duration millis(
      Map<String, String> given, String key, int fallback, List<String> problems) {
    return Duration.ofMillis(number(given, key, fallback, 1, 3_600_000, problems));
  }

  private static int number(
      Map<String, String> given,
      String key,
      int fallback,
      int least,
      int most,
      List<String> problems) {
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
    problems.add("'" + key + "' must be a whole number from " + least + " to " + most);
    return fallback;
  }
}
