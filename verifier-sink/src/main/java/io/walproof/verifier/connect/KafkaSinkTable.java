package io.walproof.verifier.connect;

import io.walproof.verifier.replay.KafkaSinkSettings;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingType;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.SettingsTable;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of confirmation {@code kafka_sink}. */
final class KafkaSinkTable {

  /** What clients of the pipeline's brokers are told. */
  static final String CLIENT_PREFIX = "verify.kafka.client.";

  static final Setting<URI> CONNECT =
      Setting.unset(
          "verify.kafka.connect.url",
          SettingType.httpUrl(),
          "REST address of a worker of the Debezium source connector's Connect cluster, 3.6 or"
              + " newer.");

  static final Setting<String> CONNECT_USER =
      Setting.unset(
          "verify.kafka.connect.user", SettingType.text(), "User there, for basic authentication.");

  static final Setting<String> CONNECT_PASSWORD =
      Setting.unset("verify.kafka.connect.password", SettingType.secretText(), "Its password.");

  static final Setting<String> SOURCE =
      Setting.unset(
          "verify.kafka.source.connector",
          SettingType.text(),
          "Name of the Debezium source connector, whose stored offset must pass the boundary. It"
              + " should have heartbeat.interval.ms set; its worker's offset.flush.interval.ms adds"
              + " to the wait.");

  static final Setting<String> GROUP =
      Setting.unset(
          "verify.kafka.sink.group",
          SettingType.text(),
          "Consumer group of the sink that writes the target, connect-<name> for a connector.");

  static final Setting<String> PREFIX =
      Setting.unset(
          "verify.kafka.topic.prefix",
          SettingType.text(),
          "The source connector's topic.prefix, where a table's topic is prefix.schema.table.");

  static final Setting<List<String>> TOPICS =
      Setting.unset(
          "verify.kafka.topics",
          new SettingType<>("topics with commas between", false, KafkaSinkTable::names),
          "All topics that carry the tables, where they are routed otherwise.");

  static final Setting<String> BOOTSTRAP =
      Setting.unset(
          CLIENT_PREFIX + "bootstrap.servers",
          SettingType.text(),
          "The pipeline's brokers. Any other setting of a client may follow the same prefix,"
              + " security included; it needs Describe on topics and group, and Read on the topics.");

  static final Setting<Duration> OFFSET_FLUSH =
      Setting.byDefault(
          "verify.kafka.offset.flush.interval.ms",
          SettingType.millis(1, 3_600_000),
          "60000",
          "The offset.flush.interval.ms of the workers of both connectors, which a worker does not"
              + " tell. verify.replay.timeout.ms must be more than twice as long.");

  static final Setting<Duration> REQUEST_TIMEOUT =
      Setting.byDefault(
          "verify.kafka.request.timeout.ms",
          SettingType.millis(100, 600_000),
          "10000",
          "The longest that one request to a worker or broker may take.");

  static final SinkSettingsTable.Group ALL =
      new SinkSettingsTable.Group(
          "Confirmation by a Kafka sink",
          List.of(
              CONNECT,
              CONNECT_USER,
              CONNECT_PASSWORD,
              SOURCE,
              GROUP,
              PREFIX,
              TOPICS,
              BOOTSTRAP,
              OFFSET_FLUSH,
              REQUEST_TIMEOUT));

  private static final List<Setting<?>> NEEDED = List.of(CONNECT, SOURCE, GROUP, BOOTSTRAP);

  private KafkaSinkTable() {}

  /** What the chosen confirmation lacks, by setting. */
  static Map<String, String> missing(SettingValues values) {
    Map<String, String> missing = new TreeMap<>();
    if (!isChosen(values)) {
      return missing;
    }
    for (Setting<?> setting : NEEDED) {
      if (values.text(setting).isEmpty()) {
        missing.put(setting.name(), needed(setting));
      }
    }
    if (values.text(PREFIX).isPresent() == values.text(TOPICS).isPresent()) {
      missing.put(
          PREFIX.name(),
          "'"
              + PREFIX.name()
              + "' or '"
              + TOPICS.name()
              + "', and not both, is needed by verify.replay.confirmation=kafka_sink");
    }
    return missing;
  }

  private static String needed(Setting<?> setting) {
    return "'" + setting.name() + "' is needed by verify.replay.confirmation=kafka_sink";
  }

  private static boolean isChosen(SettingValues values) {
    return values.text(SettingsTable.CONFIRMATION).filter("kafka_sink"::equals).isPresent();
  }

  /**
   * The pipeline, if it is the chosen confirmation.
   *
   * @throws IllegalArgumentException naming what is missing
   */
  static Optional<KafkaSinkSettings> of(SettingValues values, Map<String, String> properties) {
    if (!isChosen(values)) {
      return Optional.empty();
    }
    List<String> missing = new ArrayList<>(missing(values).values());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", missing));
    }
    return Optional.of(
        new KafkaSinkSettings(
            values.get(CONNECT),
            values.find(CONNECT_USER),
            values.find(CONNECT_PASSWORD),
            values.get(SOURCE),
            values.get(GROUP),
            values.find(PREFIX),
            values.find(TOPICS).orElse(List.of()),
            values.get(OFFSET_FLUSH),
            values.get(REQUEST_TIMEOUT),
            ProducerSettings.under(CLIENT_PREFIX, properties)));
  }

  private static List<String> names(String text) {
    List<String> names =
        Arrays.stream(text.split(",", -1)).map(String::strip).filter(n -> !n.isEmpty()).toList();
    if (names.isEmpty()) {
      throw new IllegalArgumentException("must be topics with commas between");
    }
    return names;
  }
}
