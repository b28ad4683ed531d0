package io.walproof.connector.engine;

import io.debezium.config.Configuration;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.embedded.async.AsyncEngineConfig;
import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.schema.HistoryLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;

/**
 * The capture's settings: Debezium's under their own names, and {@code drift.*}. Immutable. Values
 * of secrets appear in no message.
 */
public final class CaptureSettings {

  private static final Set<String> DEBEZIUM_KEYS = debeziumKeys();

  private final Map<String, String> debezium;
  private final DriftSettings drift;
  private final Feed feed;
  private final boolean keepsRows;

  private CaptureSettings(
      Map<String, String> debezium, DriftSettings drift, Feed feed, boolean keepsRows) {
    this.debezium = Map.copyOf(debezium);
    this.drift = drift;
    this.feed = feed;
    this.keepsRows = keepsRows;
  }

  /** Checks settings of a capture that hands on keys; see {@link #of(Map, Feed)}. */
  public static CaptureSettings of(Map<String, String> given) {
    return of(given, Feed.KEYS);
  }

  /**
   * Checks settings and fills in defaults.
   *
   * @param given by key; keys that are not known here are refused
   * @throws CaptureException naming every key that is missing or has a bad value
   */
  public static CaptureSettings of(Map<String, String> given, Feed feed) {
    List<SettingProblem> problems = new ArrayList<>();
    CaptureSettings settings = read(given, feed, problems);
    if (!problems.isEmpty()) {
      throw new CaptureException(
          Reason.SETTING,
          "settings of the source: "
              + problems.stream().map(SettingProblem::text).collect(Collectors.joining("; ")));
    }
    return settings;
  }

  /** What {@link #of(Map, Feed)} would refuse, one by one. */
  public static List<SettingProblem> problems(Map<String, String> given, Feed feed) {
    List<SettingProblem> problems = new ArrayList<>();
    read(given, feed, problems);
    return problems;
  }

  private static CaptureSettings read(
      Map<String, String> given, Feed feed, List<SettingProblem> problems) {
    for (String key : given.keySet()) {
      if (!isKnownKey(key)) {
        problems.add(SettingProblem.of(key, "is not a setting of the source"));
      }
    }
    Map<String, String> ours = new TreeMap<>();
    Map<String, String> debezium = new TreeMap<>(EngineDefaults.defaults(feed));
    given.forEach(
        (key, value) -> (key.startsWith("drift.") ? ours : debezium).put(key, value.trim()));
    DriftSettings drift = DriftSettings.of(ours, problems);
    EngineDefaults.fixed(feed)
        .forEach(
            (key, fixed) -> {
              String value = debezium.put(key, fixed.value());
              if (value != null && !value.equals(fixed.value())) {
                problems.add(
                    SettingProblem.of(key, "is fixed to '" + fixed.value() + "': " + fixed.why()));
              }
            });
    // For Debezium an empty list of names is one empty name.
    debezium.values().removeIf(String::isEmpty);
    for (String key : EngineDefaults.REQUIRED) {
      if (debezium.getOrDefault(key, "").isEmpty()) {
        problems.add(SettingProblem.of(key, "is missing; set " + key + "=..."));
      }
    }
    EngineDefaults.checkModes(debezium, problems);
    debeziumProblems(debezium, problems);
    return new CaptureSettings(debezium, drift, feed, false);
  }

  /** Whether the key is one of the source's, Debezium's or ours. */
  public static boolean isKnownKey(String key) {
    return DEBEZIUM_KEYS.contains(key)
        || key.startsWith("driver.")
        || key.startsWith("database.ssl")
        || DriftSettings.KEYS.contains(key);
  }

  /** The same, with the gap between the stored position and the slot accepted once. */
  public CaptureSettings acceptGap() {
    return new CaptureSettings(debezium, drift.withGapAccepted(), feed, keepsRows);
  }

  /**
   * The same, with more shapes of diverted tables accepted.
   *
   * @param shapes as {@code drift.accept} has them
   * @throws IllegalArgumentException if the text is anything else
   */
  public CaptureSettings accept(String shapes) {
    return new CaptureSettings(
        debezium, drift.withAccepted(AcceptedShapes.parse(shapes)), feed, keepsRows);
  }

  /** The same, with the rows of changes handed on beside their keys, where these are not long. */
  public CaptureSettings keepingRows() {
    return new CaptureSettings(debezium, drift, feed, true);
  }

  /** Whether the rows of changes are handed on. */
  boolean keepsRows() {
    return keepsRows;
  }

  /** The keys that a misspelt one may have meant. */
  public static Set<String> knownKeys() {
    Set<String> keys = new HashSet<>(DEBEZIUM_KEYS);
    keys.addAll(DriftSettings.KEYS);
    return keys;
  }

  /** The slot's name, which is this capture's alone. */
  public String slotName() {
    return debezium.get("slot.name");
  }

  /** What is handed on. */
  Feed feed() {
    return feed;
  }

  /** Ours. */
  DriftSettings drift() {
    return drift;
  }

  /** How long the schema history, and a reading of the catalog, may be in an offset, in bytes. */
  public int historyMaxBytes() {
    return drift.limits().maxBytes();
  }

  /** The history's limits. */
  HistoryLimits limits() {
    return drift.limits();
  }

  /** A setting of Debezium's, null where it is not set. */
  String get(String key) {
    return debezium.get(key);
  }

  int number(String key) {
    return Integer.parseInt(debezium.get(key));
  }

  /** All settings of Debezium's, defaults filled in, as its engine takes them. Holds secrets. */
  public Map<String, String> debezium() {
    return debezium;
  }

  /** Debezium's own view, for its filters and connections. */
  PostgresConnectorConfig connectorConfig() {
    return new PostgresConnectorConfig(Configuration.from(debezium));
  }

  /** Whether Debezium reads tables at the first start. */
  boolean readsSnapshot() {
    return !EngineDefaults.MODES_WITHOUT_DATA.contains(debezium.get("snapshot.mode"));
  }

  /** How long a close may take ({@code drift.shutdown.timeout.ms}). */
  public Duration shutdownTimeout() {
    return drift.shutdownTimeout();
  }

  private static void debeziumProblems(
      Map<String, String> debezium, List<SettingProblem> problems) {
    Set<String> told = problems.stream().map(SettingProblem::key).collect(Collectors.toSet());
    Map<String, ConfigValue> checked =
        Configuration.from(debezium).validate(PostgresConnectorConfig.ALL_FIELDS);
    for (ConfigValue value : checked.values()) {
      if (!value.errorMessages().isEmpty() && !told.contains(value.name())) {
        // Debezium's own text may quote the value, so only its presence is told.
        problems.add(SettingProblem.of(value.name(), "has a value that Debezium does not accept"));
      }
    }
  }

  private static Set<String> debeziumKeys() {
    Set<String> keys = new HashSet<>(PostgresConnectorConfig.ALL_FIELDS.allFieldNames());
    keys.addAll(AsyncEngineConfig.ALL_FIELDS.allFieldNames());
    keys.removeIf(key -> key.startsWith("offset.storage"));
    keys.add("errors.max.retries");
    keys.addAll(EngineDefaults.FIXED.keySet());
    return Set.copyOf(keys);
  }

  /** Names of keys only: values may be secret. */
  @Override
  public String toString() {
    return "CaptureSettings" + new TreeMap<>(debezium).keySet();
  }
}
