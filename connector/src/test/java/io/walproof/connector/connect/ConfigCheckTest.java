package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.PostgresDriftConnector;
import io.walproof.connector.engine.Feed;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bad setting is told on its own field, and no value is (invariant M). */
class ConfigCheckTest {

  private final PostgresDriftConnector connector = new PostgresDriftConnector();

  private static Map<String, String> minimal() {
    Map<String, String> config = new HashMap<>();
    config.put("name", "shop");
    config.put("connector.class", PostgresDriftConnector.class.getName());
    config.put("tasks.max", "1");
    config.put("topic.prefix", "shop");
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", "1");
    config.put("database.user", "me");
    config.put("database.password", "s3cr3t");
    config.put("database.dbname", "app");
    return config;
  }

  private Map<String, List<String>> errors(Map<String, String> config) {
    Map<String, List<String>> errors = new HashMap<>();
    for (ConfigValue value : connector.validate(config).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return errors;
  }

  @Test
  void anUnreachableSourceIsToldOnItsHost() {
    Map<String, List<String>> errors = errors(minimal());
    assertThat(errors).containsOnlyKeys("database.hostname");
    assertThat(errors.get("database.hostname").get(0))
        .contains("127.0.0.1:1/app", "database.port")
        .doesNotContain("s3cr3t");
  }

  @ParameterizedTest
  @CsvSource({
    "database.port, seventy",
    "snapshot.mode, exported",
    "slot.name, UPPER CASE",
    "plugin.name, wal2json",
    "decimal.handling.mode, precise",
    "feed.values, everything",
    "feed.queue.max, 0",
    "feed.heartbeat.interval.ms, soon",
    "drift.policy, ignore",
    "drift.retry.max, -1",
    "drift.history.max.bytes, 12",
    "topic.prefix, ''",
    "topic.prefix, a b",
    "heartbeat.interval.ms, -1"
  })
  void aBadValueIsToldOnItsField(String key, String value) {
    Map<String, String> config = minimal();
    config.put(key, value);
    Map<String, List<String>> errors = errors(config);
    assertThat(errors).containsOnlyKeys(key);
    assertThat(errors.get(key).get(0)).contains("'" + key + "'");
  }

  @Test
  void allAreToldAtOnce() {
    Map<String, String> config = minimal();
    config.remove("database.dbname");
    config.put("database.port", "seventy");
    config.put("snapshot.mode", "exported");
    config.put("time.precision.mode", "exact");
    config.put("feed.values", "everything");
    config.put("drift.policy", "ignore");
    config.put("drift.polcy", "report");
    assertThat(errors(config))
        .containsOnlyKeys(
            "database.dbname",
            "database.port",
            "snapshot.mode",
            "time.precision.mode",
            "feed.values",
            "drift.policy",
            "drift.polcy");
  }

  @ParameterizedTest
  @CsvSource({
    "database.pasword, database.password",
    "feed.value, feed.values",
    "table.include.lst, table.include.list",
    "task.max, tasks.max"
  })
  void aMisspeltKeyIsToldWithTheNearestAndWithoutItsValue(String key, String nearest) {
    Map<String, String> config = minimal();
    config.put(key, "hunter2");
    ConfigValue value =
        connector.validate(config).configValues().stream()
            .filter(each -> each.name().equals(key))
            .findFirst()
            .orElseThrow();
    assertThat(value.errorMessages().toString())
        .contains("did you mean '" + nearest + "'")
        .doesNotContain("hunter2");
    assertThat(value.value()).isNull();
    assertThatThrownBy(() -> ConnectorSettings.of(config))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(key)
        .message()
        .doesNotContain("hunter2", "s3cr3t");
  }

  @Test
  void theWorkersOwnSettingsAreLeftToIt() {
    Map<String, String> config = minimal();
    config.put("transforms", "route");
    config.put("transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter");
    config.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    config.put("key.converter.schemas.enable", "false");
    config.put("errors.tolerance", "none");
    config.put("producer.override.compression.type", "lz4");
    config.put("topic.creation.default.partitions", "3");
    config.put("exactly.once.support", "requested");
    config.put("task.class", "io.walproof.connector.PostgresDriftTask");
    assertThatCode(() -> ConnectorSettings.of(config)).doesNotThrowAnyException();
  }

  @Test
  void everySettingIsDescribedAndSecretsArePasswords() {
    for (ConfigKey key : connector.config().configKeys().values()) {
      assertThat(key.documentation).as(key.name).isNotBlank();
      assertThat(key.group).as(key.name).isNotBlank();
      if (key.name.contains("password")) {
        assertThat(key.type).as(key.name).isEqualTo(ConfigDef.Type.PASSWORD);
      }
    }
    assertThat(connector.config().configKeys().get("database.password").type)
        .isEqualTo(ConfigDef.Type.PASSWORD);
  }

  @Test
  void enumsHaveRecommendations() {
    Map<String, List<Object>> recommended = new HashMap<>();
    connector
        .validate(minimal())
        .configValues()
        .forEach(value -> recommended.put(value.name(), value.recommendedValues()));
    assertThat(recommended.get("feed.values")).containsExactly("keys", "rows");
    assertThat(recommended.get("drift.policy")).contains("report");
    assertThat(recommended.get("snapshot.mode")).contains("no_data", "initial");
    assertThat(recommended.get("publication.autocreate.mode")).contains("filtered", "disabled");
    assertThat(recommended.get("plugin.name")).containsExactly("pgoutput");
    assertThat(recommended.get("database.sslmode")).contains("require", "verify-full");
    assertThat(recommended.get("time.precision.mode")).contains("adaptive");
  }

  /** What the definition shows as the default is what is used when nothing is given. */
  @Test
  void theShownDefaultsAreAccepted() {
    Map<String, String> config = minimal();
    connector
        .config()
        .configKeys()
        .forEach(
            (name, key) -> {
              boolean ours = name.startsWith("feed.") || name.startsWith("drift.");
              if (ours && key.hasDefault()) {
                config.put(name, key.defaultValue.toString());
              }
            });
    ConnectorSettings explicit = ConnectorSettings.of(config);
    ConnectorSettings implicit = ConnectorSettings.of(minimal());
    assertThat(explicit.feed()).isEqualTo(implicit.feed());
    assertThat(explicit.capture().shutdownTimeout())
        .isEqualTo(implicit.capture().shutdownTimeout())
        .isEqualTo(Duration.ofSeconds(15));
    assertThat(implicit.feed().values()).isEqualTo(Feed.KEYS);
    implicit
        .capture()
        .debezium()
        .forEach(
            (name, value) -> {
              ConfigKey key = connector.config().configKeys().get(name);
              if (key != null && key.hasDefault() && !minimal().containsKey(name)) {
                assertThat(ConfigDef.convertToString(key.defaultValue, key.type))
                    .as(name)
                    .isEqualTo(value);
              }
            });
  }

  @Test
  void rowsAreMadeWithDebeziumsOwnConversions() {
    Map<String, String> config = minimal();
    config.put("feed.values", "rows");
    config.put("decimal.handling.mode", "double");
    config.put("tombstones.on.delete", "false");
    config.put("binary.handling.mode", "base64");
    ConnectorSettings settings = ConnectorSettings.of(config);
    assertThat(settings.capture().debezium())
        .containsEntry("decimal.handling.mode", "double")
        .containsEntry("event.converting.failure.handling.mode", "fail")
        .doesNotContainKey("converters");
  }

  @Test
  void oneTaskWhateverIsAllowed() {
    connector.start(minimal());
    assertThat(connector.taskConfigs(8)).containsExactly(minimal());
    assertThat(connector.exactlyOnceSupport(minimal())).isEqualTo(ExactlyOnceSupport.UNSUPPORTED);
    assertThat(connector.version()).matches("\\d+\\.\\d+.*");
    connector.stop();
  }
}
