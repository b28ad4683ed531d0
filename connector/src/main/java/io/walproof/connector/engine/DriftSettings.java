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
  private static final String ACCEPT_GAP = "drift.accept.gap";
  private static final String ACCEPT = "drift.accept";

  private static final int HOUR_MILLIS = 3_600_000;

  /** One that is a number: what it may be is said once. */
  private record Whole(String key, int fallback, int least, int most, String text) {

    private String bounds() {
      return "a whole number from " + least + " to " + most;
    }

    Described described() {
      return new Described(key, Integer.toString(fallback), List.of(), bounds(), text);
    }

    int of(Map<String, String> given, List<SettingProblem> problems) {
      String value = given.get(key);
      if (value == null) {
        return fallback;
      }
      try {
        int number = Integer.parseInt(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Told below: a bad number and one out of range have the same remedy.
      }
      problems.add(SettingProblem.of(key, "must be " + bounds()));
      return fallback;
    }

    Duration millis(Map<String, String> given, List<SettingProblem> problems) {
      return Duration.ofMillis(of(given, problems));
    }
  }

  private static final Whole VERSIONS =
      new Whole(
          "drift.history.versions.max",
          10,
          1,
          1000,
          "How many shapes of one table the schema history keeps, newest first.");

  private static final Whole BYTES =
      new Whole(
          "drift.history.max.bytes",
          512 * 1024,
          4096,
          64 * 1024 * 1024,
          "How large the schema history in the source offset may grow, and in Connect the catalog's"
              + " last reading beside it, each. What does not fit is dropped, column sets first,"
              + " and a warning says so; a start with more tables than it can hold is refused.");

  private static final Whole START =
      new Whole(
          "drift.start.timeout.ms",
          120_000,
          1,
          HOUR_MILLIS,
          "How long the preparation and Debezium's start may take.");

  private static final Whole SHUTDOWN =
      new Whole("drift.shutdown.timeout.ms", 15_000, 1, HOUR_MILLIS, "How long a stop may take.");

  private static final Whole SLOT_WAIT =
      new Whole(
          "drift.slot.wait.ms",
          30_000,
          1,
          HOUR_MILLIS,
          "How long to wait for the slot while another process still has it, such as one that was"
              + " just killed.");

  private static final Whole HALT_WAIT =
      new Whole(
          "drift.halt.timeout.ms",
          300_000,
          1,
          HOUR_MILLIS,
          "How long a halt on drift waits until the offset with the new shape is durable; after that"
              + " the next start halts there again. So long a start waits, too, until the offset that"
              + " remembers an accepted gap is durable.");

  private static final Whole CATALOG_INTERVAL =
      new Whole(
          "drift.catalog.interval.ms",
          60_000,
          0,
          HOUR_MILLIS,
          "How often the catalog is looked at for what the stream does not show, and the slot for"
              + " whether the source still serves the stream; 0 for only at the start.");

  /** All of them, described. */
  static final List<Described> DESCRIBED =
      List.of(
          Described.choice(
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
              "table=hash or table=hash@LSN, with commas between",
              "Shapes of diverted tables that are accepted from this start on. The drift event and"
                  + " the log name what to write. An entry may stay; it accepts once."),
          VERSIONS.described(),
          BYTES.described(),
          Described.choice(
              ACCEPT_GAP,
              "false",
              List.of("false", "true"),
              "Go on where the slot is although it cannot deliver everything since the stored"
                  + " offset, and report the gap as a drift event. Meant for one start: set it back"
                  + " afterwards."),
          START.described(),
          SHUTDOWN.described(),
          SLOT_WAIT.described(),
          HALT_WAIT.described(),
          CATALOG_INTERVAL.described());

  /** Their keys. */
  static final Set<String> KEYS =
      DESCRIBED.stream().map(Described::key).collect(Collectors.toUnmodifiableSet());

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
        new HistoryLimits(VERSIONS.of(given, problems), BYTES.of(given, problems)),
        accept.equals("true"),
        START.millis(given, problems),
        SHUTDOWN.millis(given, problems),
        SLOT_WAIT.millis(given, problems),
        HALT_WAIT.millis(given, problems),
        CATALOG_INTERVAL.millis(given, problems),
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
}
