package io.walproof.verifier.connect;

import io.walproof.verifier.connect.decode.DebeziumModes;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingType;
import io.walproof.verifier.settings.SettingsTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The sink connector's settings, by group: the verifier's, and those that only the sink has. */
final class SinkSettingsTable {

  /** What the producer of the verify topic is told, and the look-ups of that topic. */
  static final String PRODUCER_PREFIX = "verify.producer.";

  private static final long HOUR = 3_600_000L;

  /** Settings that are shown together. */
  record Group(String name, List<Setting<?>> settings) {
    Group {
      settings = List.copyOf(settings);
    }
  }

  static final Setting<String> SOURCE_URL =
      Setting.required(
          SettingsTable.SOURCE_URL.name(),
          SettingType.jdbcUrl(),
          "jdbc:postgresql://host:5432/database",
          "The source database, for reading rows. A physical standby of it serves only"
              + " verify.replay.confirmation=none, as replay is confirmed from there.");

  static final Setting<String> SOURCE_USER =
      Setting.unset(
          SettingsTable.SOURCE_USER.name(),
          SettingType.text(),
          "Role on the source; it needs SELECT.");

  static final Setting<String> SOURCE_PASSWORD =
      Setting.unset(
          SettingsTable.SOURCE_PASSWORD.name(), SettingType.secretText(), "Its password.");

  static final Setting<Path> STATE_DIR =
      Setting.unset(
          SettingsTable.STATE_DIR.name(),
          SettingType.path(),
          "Directory on every worker for audit files and what range checks proved so far, one a task,"
              + " in <connector>-<task>; none are kept if it is not set.");

  static final Setting<String> TOPIC =
      Setting.required(
          "verify.topic",
          SettingType.text(),
          "<topic.prefix>.verify",
          "The topic that observations, decisions and summaries are published to.");

  static final Setting<Boolean> TOPIC_CREATE =
      Setting.byDefault(
          "verify.topic.create",
          SettingType.flag(),
          "true",
          "Whether the verify topic is created if it does not exist.");

  static final Setting<Integer> TOPIC_PARTITIONS =
      Setting.byDefault(
          "verify.topic.partitions",
          SettingType.count(1, 10_000),
          "1",
          "Partitions of a verify topic that is created; a row's records share one.");

  static final Setting<Integer> TOPIC_REPLICATION =
      Setting.byDefault(
          "verify.topic.replication.factor",
          SettingType.count(-1, 100),
          "-1",
          "Replicas of a verify topic that is created; -1 is the broker's default.");

  static final Setting<Duration> PUBLISH_TIMEOUT =
      Setting.byDefault(
          "verify.publish.timeout.ms",
          SettingType.millis(1000, HOUR),
          "120000",
          "How long a batch of records may take to be acknowledged; then the task fails. An outage"
              + " of the brokers that is shorter than this is waited for.");

  static final Setting<String> BOOTSTRAP =
      Setting.required(
          PRODUCER_PREFIX + "bootstrap.servers",
          SettingType.text(),
          "broker:9092",
          "The brokers of the verify topic; tasks are not told their worker's. Any other setting of"
              + " a producer may follow the same prefix, security included.");

  static final Setting<String> DEBEZIUM_BINARY =
      mode(
          "binary.handling.mode",
          DebeziumModes.Binary.class,
          "needed for bytea keys that are sent as strings");

  static final Setting<String> DEBEZIUM_TIME =
      mode(
          "time.precision.mode",
          DebeziumModes.TimePrecision.class,
          "needed for time and timestamp keys without schemas");

  static final Setting<String> DEBEZIUM_DECIMAL =
      mode(
          "decimal.handling.mode",
          DebeziumModes.Decimal.class,
          "needed for numeric keys without schemas");

  static final List<Group> GROUPS =
      List.of(
          new Group(
              "Databases",
              List.of(
                  SOURCE_URL,
                  SOURCE_USER,
                  SOURCE_PASSWORD,
                  SettingsTable.TARGET_URL,
                  SettingsTable.TARGET_USER,
                  SettingsTable.TARGET_PASSWORD,
                  SettingsTable.CONNECT_TIMEOUT,
                  SettingsTable.READ_TIMEOUT)),
          new Group(
              "Checks",
              List.of(
                  SettingsTable.SETTLE,
                  SettingsTable.BATCH_ROWS,
                  SettingsTable.RECHECK_DELAY,
                  SettingsTable.TABLE_TIMEOUT,
                  SettingsTable.PENDING_MAX,
                  SettingsTable.IGNORED_APPS,
                  SettingsTable.APP_COLUMN,
                  SettingsTable.COLUMNS_EXCLUDE,
                  SettingsTable.COLUMN_RULES,
                  SettingsTable.SCHEMA_MAPPING,
                  SettingsTable.TABLE_MAPPING,
                  SettingsTable.COLUMN_MAPPING)),
          new Group(
              "Confirmation of replay",
              List.of(
                  SettingsTable.CONFIRMATION,
                  SettingsTable.REPLAY_TIMEOUT,
                  SettingsTable.REPLAY_POLL,
                  SettingsTable.SUBSCRIPTION,
                  SettingsTable.PIPELINE_PUBLICATION,
                  SettingsTable.MARKER_TABLE)),
          KafkaSinkTable.ALL,
          SinkRangeTable.ALL,
          new Group(
              "Evidence",
              List.of(
                  TOPIC,
                  BOOTSTRAP,
                  TOPIC_CREATE,
                  TOPIC_PARTITIONS,
                  TOPIC_REPLICATION,
                  PUBLISH_TIMEOUT,
                  SettingsTable.SUMMARY_INTERVAL,
                  STATE_DIR,
                  SettingsTable.AUDIT_ROTATE_BYTES,
                  SettingsTable.SHUTDOWN_TIMEOUT)),
          new Group(
              "Records of a Debezium connector",
              List.of(DEBEZIUM_BINARY, DEBEZIUM_TIME, DEBEZIUM_DECIMAL)));

  private SinkSettingsTable() {}

  static List<Setting<?>> all() {
    return GROUPS.stream().<Setting<?>>flatMap(group -> group.settings().stream()).toList();
  }

  private static <E extends Enum<E>> Setting<String> mode(String name, Class<E> mode, String use) {
    return Setting.unset(
        "verify.debezium." + name,
        SettingType.choice(DebeziumModes.choices(mode)),
        "The Debezium connector's own " + name + ", which its records do not tell: " + use + ".");
  }
}
