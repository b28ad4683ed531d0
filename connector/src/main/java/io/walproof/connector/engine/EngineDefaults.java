package io.walproof.connector.engine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Debezium's settings where Walproof differs from its defaults or leaves no choice. */
final class EngineDefaults {

  /** Values for what is not set. */
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("database.port", "5432"),
          Map.entry("topic.prefix", "walproof"),
          // Debezium's own default names might be those of the pipeline under test.
          Map.entry("slot.name", "walproof"),
          Map.entry("publication.name", "walproof"),
          Map.entry("publication.autocreate.mode", "filtered"),
          Map.entry("snapshot.mode", "no_data"),
          Map.entry("heartbeat.interval.ms", "10000"),
          Map.entry(
              "heartbeat.action.query",
              "SELECT pg_catalog.pg_logical_emit_message(true, 'walproof-heartbeat', '')"),
          Map.entry("offset.flush.interval.ms", "1000"),
          Map.entry("max.queue.size", "8192"),
          Map.entry("max.batch.size", "2048"),
          Map.entry("poll.interval.ms", "100"),
          Map.entry("errors.max.retries", "10"),
          Map.entry("executor.shutdown.timeout.ms", "1000"),
          // The second covers a server that takes the connection and never answers.
          Map.entry("driver.connectTimeout", "10"),
          Map.entry("driver.loginTimeout", "20"),
          Map.entry("record.processing.threads", "1"));

  /** Values that may not be changed, and why. */
  static final Map<String, Fixed> FIXED = fixed();

  /** Those of them that are free where rows are handed on, but for custom converters. */
  private static final Set<String> FREE_WITH_ROWS =
      Set.of(
          "tombstones.on.delete",
          "decimal.handling.mode",
          "event.converting.failure.handling.mode",
          "binary.handling.mode");

  /** What has no default. */
  static final List<String> REQUIRED =
      List.of("database.hostname", "database.user", "database.dbname");

  /** Snapshot modes in which Debezium reads no rows. */
  static final Set<String> MODES_WITHOUT_DATA = Set.of("no_data", "never");

  /** The name of the converter that {@link EngineProperties} defines. */
  static final String CONVERTER = "walproof_careful";

  private static final Set<String> SNAPSHOT_MODES =
      Set.of("no_data", "never", "initial", "always", "when_needed");

  private static final Set<String> AUTOCREATE_MODES = Set.of("filtered", "all_tables", "disabled");

  private EngineDefaults() {}

  /** The values that a setting may have here, empty where that is for Debezium. */
  static List<String> choice(String key) {
    return switch (key) {
      case "snapshot.mode" -> SNAPSHOT_MODES.stream().sorted().toList();
      case "publication.autocreate.mode" -> AUTOCREATE_MODES.stream().sorted().toList();
      default ->
          FIXED.containsKey(key) && fixed(Feed.ROWS).containsKey(key)
              ? List.of(FIXED.get(key).value())
              : List.of();
    };
  }

  /**
   * A fixed value.
   *
   * @param value the value
   * @param why the reason, for the refusal
   */
  record Fixed(String value, String why) {}

  /** The defaults of a feed. */
  static Map<String, String> defaults(Feed feed) {
    Map<String, String> defaults = new HashMap<>(DEFAULTS);
    if (feed == Feed.ROWS) {
      // A value that cannot be converted may not be handed on as if it were NULL.
      defaults.put("event.converting.failure.handling.mode", "fail");
    }
    return defaults;
  }

  /** What may not be changed in a feed. */
  static Map<String, Fixed> fixed(Feed feed) {
    Map<String, Fixed> fixed = new LinkedHashMap<>(FIXED);
    if (feed == Feed.ROWS) {
      fixed.keySet().removeAll(FREE_WITH_ROWS);
      fixed.put("converters", new Fixed("", "custom converters are not supported"));
    }
    return fixed;
  }

  /** Adds a problem for each mode that has no meaning here. */
  static void checkModes(Map<String, String> settings, List<SettingProblem> problems) {
    check(settings, "snapshot.mode", SNAPSHOT_MODES, problems);
    check(settings, "publication.autocreate.mode", AUTOCREATE_MODES, problems);
  }

  private static void check(
      Map<String, String> settings,
      String key,
      Set<String> allowed,
      List<SettingProblem> problems) {
    if (!allowed.contains(settings.get(key))) {
      problems.add(SettingProblem.of(key, "must be one of " + allowed.stream().sorted().toList()));
    }
  }

  private static Map<String, Fixed> fixed() {
    Map<String, Fixed> fixed = new LinkedHashMap<>();
    String shape = "shapes are read from this protocol";
    fixed.put("plugin.name", new Fixed("pgoutput", shape));
    String order = "every change must arrive as one record, unaltered";
    fixed.put("tombstones.on.delete", new Fixed("false", order));
    fixed.put("skipped.operations", new Fixed("none", order));
    fixed.put("skip.messages.without.change", new Fixed("false", order));
    fixed.put("event.processing.failure.handling.mode", new Fixed("fail", order));
    fixed.put("transforms", new Fixed("", order));
    fixed.put("predicates", new Fixed("", order));
    // Nothing but a snapshot's keys is made of converted values.
    String values = "no value may end the stream or be logged";
    fixed.put("decimal.handling.mode", new Fixed("string", values));
    fixed.put("event.converting.failure.handling.mode", new Fixed("skip", values));
    fixed.put("converters", new Fixed(CONVERTER, values));
    fixed.put("binary.handling.mode", new Fixed("bytes", "a snapshot's keys are made of it"));
    String slot = "the slot may follow durable positions only";
    fixed.put("lsn.flush.mode", new Fixed("connector", slot));
    fixed.put("slot.drop.on.stop", new Fixed("false", slot));
    fixed.put("offset.mismatch.strategy", new Fixed("no_validation", slot));
    fixed.put(
        "offset.commit.policy",
        new Fixed("io.debezium.engine.spi.OffsetCommitPolicy$PeriodicCommitOffsetPolicy", slot));
    return Map.copyOf(fixed);
  }
}
