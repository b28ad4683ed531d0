package io.walproof.verifier.connect;

import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.connect.decode.DebeziumModes;
import io.walproof.verifier.publish.VerifyTopic;
import io.walproof.verifier.settings.JdbcSettings;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.SettingsTable;
import io.walproof.verifier.settings.VerifySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;

/**
 * One task's settings.
 *
 * @param connector the connector's name
 * @param number the task's
 * @param verifier the verifier
 * @param topic the verify topic
 * @param modes what a Debezium connector's records do not tell
 * @param stateDirectory this task's own, if audit files are wanted
 * @param auditRotateBytes {@code audit.rotate.bytes}
 * @param summaryInterval {@code verify.summary.interval.ms}
 * @param shutdownTimeout {@code shutdown.timeout.ms}
 * @param ranges the range checks that the task does by itself
 */
public record SinkSettings(
    String connector,
    String number,
    VerifierSettings verifier,
    VerifyTopic topic,
    DebeziumModes modes,
    Optional<Path> stateDirectory,
    long auditRotateBytes,
    Duration summaryInterval,
    Duration shutdownTimeout,
    SinkRangeSettings ranges) {

  /** The task's number, which the connector hands to its tasks. */
  static final String TASK = "walproof.task";

  /** How many tasks there are, which it hands to them too. */
  static final String TASKS = "walproof.tasks";

  private static final String NAME = "name";

  /** All are required. */
  public SinkSettings {
    Objects.requireNonNull(connector, "connector");
    Objects.requireNonNull(number, "number");
    Objects.requireNonNull(verifier, "verifier");
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(modes, "modes");
    Objects.requireNonNull(stateDirectory, "stateDirectory");
    Objects.requireNonNull(ranges, "ranges");
  }

  /**
   * Reads a connector's or a task's properties.
   *
   * @throws ConfigException naming what is wrong, without values of secrets
   */
  public static SinkSettings of(Map<String, String> properties) {
    SinkConfig.definition().parse(properties);
    Map<String, String> wrong = SinkConfig.wrongKeys(properties.keySet());
    if (!wrong.isEmpty()) {
      throw new ConfigException(String.join("; ", wrong.values()));
    }
    SettingValues values = new SettingValues(SinkConfig.texts(properties));
    String connector = properties.getOrDefault(NAME, "walproof");
    String number = properties.getOrDefault(TASK, "0");
    String task = connector + "-" + number;
    try {
      VerifySettings verify = values.verify();
      return new SinkSettings(
          connector,
          number,
          verify.verifier(
              source(values),
              target(values),
              task,
              KafkaSinkTable.of(values, properties),
              scope(values, properties)),
          topic(values, properties),
          modes(values),
          values.find(SinkSettingsTable.STATE_DIR).map(dir -> dir.resolve(fileName(task))),
          values.get(SettingsTable.AUDIT_ROTATE_BYTES),
          verify.summaryInterval(),
          values.get(SettingsTable.SHUTDOWN_TIMEOUT),
          SinkRangeTable.of(
              values,
              properties,
              Integer.parseInt(number),
              Integer.parseInt(properties.getOrDefault(TASKS, "1"))));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
  }

  /** A task's properties: the connector's, and which task of how many it is. */
  public static Map<String, String> forTask(Map<String, String> properties, int number, int tasks) {
    Map<String, String> task = new HashMap<>(properties);
    task.put(TASKS, Integer.toString(tasks));
    task.put(TASK, Integer.toString(number));
    return task;
  }

  /** How source rows are read. */
  private static JdbcSettings source(SettingValues values) {
    return new JdbcSettings(
        values.get(SinkSettingsTable.SOURCE_URL),
        values.find(SinkSettingsTable.SOURCE_USER).orElse(""),
        values.find(SinkSettingsTable.SOURCE_PASSWORD).orElse(""));
  }

  /** How target rows are read. */
  private static JdbcSettings target(SettingValues values) {
    return new JdbcSettings(
        values.get(SettingsTable.TARGET_URL),
        values.find(SettingsTable.TARGET_USER).orElse(""),
        values.find(SettingsTable.TARGET_PASSWORD).orElse(""));
  }

  /** Where records are published. */
  private static VerifyTopic topic(SettingValues values, Map<String, String> properties) {
    int replicas = values.get(SinkSettingsTable.TOPIC_REPLICATION);
    return new VerifyTopic(
        values.get(SinkSettingsTable.TOPIC),
        values.get(SinkSettingsTable.TOPIC_CREATE),
        values.get(SinkSettingsTable.TOPIC_PARTITIONS),
        replicas < 1 ? Optional.empty() : Optional.of((short) replicas),
        values.get(SinkSettingsTable.PUBLISH_TIMEOUT),
        ProducerSettings.of(properties));
  }

  private static DebeziumModes modes(SettingValues values) {
    return new DebeziumModes(
        values
            .find(SinkSettingsTable.DEBEZIUM_BINARY)
            .map(text -> DebeziumModes.parse(DebeziumModes.Binary.class, text)),
        values
            .find(SinkSettingsTable.DEBEZIUM_TIME)
            .map(text -> DebeziumModes.parse(DebeziumModes.TimePrecision.class, text)),
        values
            .find(SinkSettingsTable.DEBEZIUM_DECIMAL)
            .map(text -> DebeziumModes.parse(DebeziumModes.Decimal.class, text)));
  }

  /** What is read decides what is judged. */
  private static Map<String, String> scope(SettingValues values, Map<String, String> properties) {
    Map<String, String> scope = new TreeMap<>(values.scope(SinkSettingsTable.all()));
    for (String name : new String[] {"topics", "topics.regex", NAME, TASK}) {
      if (properties.containsKey(name)) {
        scope.put(name, properties.get(name));
      }
    }
    return scope;
  }

  /** Connector names may hold anything. */
  private static String fileName(String task) {
    return task.replaceAll("[^A-Za-z0-9._-]", "_");
  }

  /** What tells the task's gauges from others'. */
  Map<String, String> identity() {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("type", "verifier-sink");
    identity.put("connector", connector);
    identity.put("task", number);
    return identity;
  }

  /** The task only. */
  @Override
  public String toString() {
    return "SinkSettings[" + connector + "-" + number + "]";
  }
}
