package io.walproof.connector.engine;

import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.engine.SettingCatalog.Described;
import io.walproof.connector.schema.HistoryLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
 * @param catalogInterval {@code drift.catalog.interval.ms}
 * @param accepted {@code drift.accept}: the shapes of diverted tables that an operator accepts
 */
record DriftSettings(
    DriftPolicy policy,
    HistoryLimits limits,
    boolean acceptGap,
    Duration startTimeout,
    Duration shutdownTimeout,
    Duration slotWait,
    Duration haltWait,
    Duration catalogInterval,
    AcceptedShapes accepted) {

  private static final String POLICY = "drift.policy";
  private static final String VERSIONS = "drift.history.versions.max";
  private static final String BYTES = "drift.history.max.bytes";
  private static final String ACCEPT_GAP = "drift.accept.gap";
  private static final String START = "drift.start.timeout.ms";
  private static final String SHUTDOWN = "drift.shutdown.timeout.ms";
  private static final String SLOT_WAIT = "drift.slot.wait.ms";
  private static final String HALT_WAIT = "drift.halt.timeout.ms";
  private static final String ACCEPT = "drift.accept";
  private static final String CATALOG_INTERVAL = "drift.catalog.interval.ms";

  private static final int VERSIONS_DEFAULT = 10;
  private static final int BYTES_DEFAULT = 512 * 1024;
  private static final int START_DEFAULT = 120_000;
  private static final int SHUTDOWN_DEFAULT = 15_000;
  private static final int SLOT_WAIT_DEFAULT = 30_000;
  private static final int HALT_WAIT_DEFAULT = 300_000;
  private static final int CATALOG_INTERVAL_DEFAULT = 60_000;

  /** All of them, described. */
  static final List<Described> DESCRIBED =
      List.of(
          new Described(
              POLICY,
              "report",
              Stream.of(DriftPolicy.values()).map(DriftPolicy::text).toList(),
              "What to do about drift. 'report' tells and goes on; 'halt' tells, and ends before the"
                  + " change that brought it, which the next start delivers; 'evolve' goes on after"
                  + " what only adds, and halts on everything else; 'dlq' diverts the table's records"
                  + " until drift.accept has its new shape, and leaves other tables alone."),
          new Described(
              ACCEPT,
              "",
              List.of(),
              "Shapes of diverted tables that are accepted from this start on, as table=hash or"
                  + " table=hash@LSN with commas between. The drift event and the log name what to"
                  + " write. An entry may stay; it accepts once."),
          described(
              VERSIONS,
              VERSIONS_DEFAULT,
              "How many shapes of one table the schema history keeps, newest first."),
          described(
              BYTES,
              BYTES_DEFAULT,
              "How large the schema history in the source offset may grow, and in Connect the catalog's"
                  + " last reading beside it, each. What does not fit is dropped, column sets first,"
                  + " and a warning says so; a start with more tables than it can hold is refused."),
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
                  + " was just killed."),
          described(
              HALT_WAIT,
              HALT_WAIT_DEFAULT,
              "How long a halt on drift waits until the offset with the new shape is durable; after"
                  + " that the next start halts there again. So long a start waits, too, until the"
                  + " offset that remembers an accepted gap is durable."),
          described(
              CATALOG_INTERVAL,
              CATALOG_INTERVAL_DEFAULT,
              "How often the catalog is looked at for what the stream does not show; 0 for only at"
                  + " the start."));

  /** Their keys. */
  static final Set<String> KEYS =
      DESCRIBED.stream().map(Described::key).collect(Collectors.toUnmodifiableSet());

  private static Described described(String key, int fallback, String text) {
    return new Described(key, Integer.toString(fallback), List.of(), text);
  }

  /** Reads them; adds a problem for each bad value. */
  static DriftSettings of(Map<String, String> given, List<SettingProblem> problems) {
    Optional<DriftPolicy> policy = DriftPolicy.parse(given.getOrDefault(POLICY, "report"));
    if (policy.isEmpty()) {
      problems.add(SettingProblem.of(POLICY, "must be report, evolve, halt or dlq"));
    }
    String accept = given.getOrDefault(ACCEPT_GAP, "false");
    if (!accept.equals("true") && !accept.equals("false")) {
      problems.add(SettingProblem.of(ACCEPT_GAP, "must be true or false"));
    }
    return new DriftSettings(
        policy.orElse(DriftPolicy.REPORT),
        new HistoryLimits(
            number(given, VERSIONS, VERSIONS_DEFAULT, 1, 1000, problems),
            number(given, BYTES, BYTES_DEFAULT, 4096, 64 * 1024 * 1024, problems)),
        accept.equals("true"),
        millis(given, START, START_DEFAULT, problems),
        millis(given, SHUTDOWN, SHUTDOWN_DEFAULT, problems),
        millis(given, SLOT_WAIT, SLOT_WAIT_DEFAULT, problems),
        millis(given, HALT_WAIT, HALT_WAIT_DEFAULT, problems),
        Duration.ofMillis(
            number(given, CATALOG_INTERVAL, CATALOG_INTERVAL_DEFAULT, 0, 3_600_000, problems)),
        accepted(given.getOrDefault(ACCEPT, ""), problems));
  }

  DriftSettings withGapAccepted() {
    return new DriftSettings(
        policy,
        limits,
        true,
        startTimeout,
        shutdownTimeout,
        slotWait,
        haltWait,
        catalogInterval,
        accepted);
  }

  DriftSettings withAccepted(AcceptedShapes more) {
    return new DriftSettings(
        policy,
        limits,
        acceptGap,
        startTimeout,
        shutdownTimeout,
        slotWait,
        haltWait,
        catalogInterval,
        accepted.and(more));
  }

  private static AcceptedShapes accepted(String text, List<SettingProblem> problems) {
    try {
      return AcceptedShapes.parse(text);
    } catch (IllegalArgumentException e) {
      problems.add(SettingProblem.of(ACCEPT, e.getMessage()));
      return AcceptedShapes.NONE;
    }
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
