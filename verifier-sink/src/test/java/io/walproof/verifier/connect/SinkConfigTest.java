package io.walproof.verifier.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.VerifierSinkConnector;
import io.walproof.verifier.schedule.TableFilter;
import io.walproof.verifier.settings.Setting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SinkConfigTest {

  private static final String KAFKA =
      "verify.replay.confirmation=kafka_sink verify.kafka.connect.url=http://127.0.0.1:1"
          + " verify.kafka.source.connector=s verify.kafka.sink.group=g"
          + " verify.kafka.client.bootstrap.servers=127.0.0.1:1 verify.kafka.topic.prefix=p";

  private static final String SECRET = "s3cret";

  private static Map<String, String> least() {
    Map<String, String> least = new HashMap<>();
    least.put("name", "orders");
    least.put("topics", "shop.public.orders");
    // Nobody listens there.
    least.put("verify.source.jdbc.url", "jdbc:postgresql://127.0.0.1:1/a?password=" + SECRET);
    least.put("verify.target.jdbc.url", "jdbc:postgresql://127.0.0.1:1/b");
    least.put("verify.target.password", SECRET);
    least.put("verify.topic", "shop.verify");
    least.put("verify.producer.bootstrap.servers", "127.0.0.1:1");
    least.put("verify.connect.timeout.ms", "500");
    return least;
  }

  private static Map<String, String> errors(Map<String, String> properties) {
    Config config = SinkValidation.validate(properties, Time.system());
    Map<String, String> errors = new TreeMap<>();
    for (ConfigValue field : config.configValues()) {
      if (!field.errorMessages().isEmpty()) {
        errors.put(field.name(), String.join("; ", field.errorMessages()));
      }
    }
    return errors;
  }

  @Test
  void everySettingIsDescribedAndInAGroup() {
    ConfigDef definition = SinkConfig.definition();
    assertThat(SinkSettingsTable.all()).extracting(Setting::name).doesNotHaveDuplicates();
    definition
        .configKeys()
        .values()
        .forEach(
            key -> {
              assertThat(key.documentation).as(key.name).isNotBlank();
              assertThat(key.group).as(key.name).isNotBlank();
            });
    assertThat(definition.configKeys().get("verify.target.password").type)
        .isEqualTo(ConfigDef.Type.PASSWORD);
    assertThat(definition.configKeys().get("verify.producer.sasl.jaas.config").type)
        .isEqualTo(ConfigDef.Type.PASSWORD);
    assertThat(definition.configKeys().get("verify.target.jdbc.url").type)
        .isEqualTo(ConfigDef.Type.PASSWORD);
    assertThat(definition.configKeys().get("verify.settle.ms").type).isEqualTo(ConfigDef.Type.LONG);
  }

  @Test
  void theLeastIsEnoughAndDefaultsHold() {
    SinkSettings settings = SinkSettings.of(least());
    assertThat(settings.topic().name()).isEqualTo("shop.verify");
    assertThat(settings.topic().client()).containsOnlyKeys("bootstrap.servers");
    assertThat(settings.verifier().limits().pendingMax()).isEqualTo(100_000);
    assertThat(settings.stateDirectory()).isEmpty();
    assertThat(settings.verifier().scope()).containsEntry("topics", "shop.public.orders");
    assertThat(settings.verifier().scope().toString() + settings).doesNotContain(SECRET);
  }

  @Test
  void theTaskHasItsOwnDirectoryAndName() {
    Map<String, String> properties = least();
    properties.put("name", "or/ders");
    properties.put("state.dir", "/var/lib/walproof");
    SinkSettings settings = SinkSettings.of(SinkSettings.forTask(properties, 3, 4));
    assertThat(settings.stateDirectory().orElseThrow()).hasToString("/var/lib/walproof/or_ders-3");
    assertThat(settings.identity())
        .containsExactly(
            Map.entry("type", "verifier-sink"),
            Map.entry("connector", "or/ders"),
            Map.entry("task", "3"));
  }

  /** O6: neither the value under a misspelt key nor one of a refused setting is shown. */
  @Test
  void everyMistakeIsOnItsFieldAndNoSecretIsShown() {
    Map<String, String> properties = least();
    properties.remove("verify.topic");
    properties.put("verify.target.pasword", SECRET);
    properties.put("verify.settle.ms", "-1");
    properties.put("verify.batch.rows", "many");
    properties.put("verify.target.jdbc.url", "mysql://" + SECRET);
    properties.put("verify.replay.confirmation", "guess");
    properties.put("verify.producer.acks", "1");
    properties.put("audit.flie", "x");
    properties.put("verify.debezium.binary.handling.mode", "octal");
    Map<String, String> errors = errors(properties);
    assertThat(errors)
        .containsOnlyKeys(
            "audit.flie",
            "verify.batch.rows",
            "verify.debezium.binary.handling.mode",
            "verify.producer.acks",
            "verify.replay.confirmation",
            "verify.settle.ms",
            "verify.target.jdbc.url",
            "verify.target.pasword",
            "verify.topic");
    assertThat(errors.get("verify.target.pasword")).contains("verify.target.password");
    assertThat(errors.get("verify.replay.confirmation")).contains("kafka_sink");
    assertThat(errors.values()).noneMatch(message -> message.contains(SECRET));
    assertThatThrownBy(() -> SinkSettings.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void whatCannotBeReachedIsOnItsFieldToo() {
    Map<String, String> errors = errors(least());
    assertThat(errors)
        .containsOnlyKeys(
            "verify.producer.bootstrap.servers",
            "verify.source.jdbc.url",
            "verify.target.jdbc.url");
    assertThat(errors.values()).noneMatch(message -> message.contains(SECRET));
  }

  /** Rows of one server prove nothing about another; of several, one at most takes writes. */
  @Test
  void severalServersBehindOneUrlAreRefusedUnlessOneIsMeant() {
    for (String field : List.of("verify.source.jdbc.url", "verify.target.jdbc.url")) {
      for (String more :
          List.of(
              "", "?targetServerType=any", "?loadBalanceHosts=true&targetServerType=secondary")) {
        Map<String, String> properties = least();
        properties.put(field, "jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/db" + more);
        assertThat(errors(properties)).containsOnlyKeys(field);
        assertThat(errors(properties).get(field)).contains("several", "targetServerType=primary");
      }
      Map<String, String> properties = least();
      properties.put(
          field, "jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/db?targetServerType=primary");
      assertThat(SinkSettings.of(properties)).isNotNull();
    }
  }

  @Test
  void aConfirmationSaysWhatItNeeds() {
    Map<String, String> properties = least();
    properties.put("verify.replay.confirmation", "kafka_sink");
    assertThat(errors(properties))
        .containsKeys(
            "verify.kafka.connect.url",
            "verify.kafka.source.connector",
            "verify.kafka.sink.group",
            "verify.kafka.client.bootstrap.servers",
            "verify.kafka.topic.prefix");
    properties.put("verify.replay.confirmation", "marker_table");
    assertThat(errors(properties)).containsKey("verify.marker.table");
  }

  /** Each rule alone; the defaults contradict nothing. */
  @ParameterizedTest
  @CsvSource({
    "verify.table.timeout.ms=60000, verify.replay.timeout.ms=60000",
    "verify.table.timeout.ms=61000 verify.read.timeout.ms=61001, verify.read.timeout.ms=61001",
    "verify.pending.max=999 verify.batch.rows=1000, verify.batch.rows=1000",
    KAFKA + " verify.replay.timeout.ms=120000, verify.kafka.offset.flush.interval.ms=60000",
    KAFKA
        + " verify.replay.timeout.ms=20000 verify.kafka.offset.flush.interval.ms=10000,"
        + " more than 20000",
  })
  void limitsThatContradictEachOther(String settings, String told) {
    assertThat(contradictions(settings)).singleElement().asString().contains(told);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "verify.table.timeout.ms=0",
        "verify.table.timeout.ms=61000 verify.read.timeout.ms=61000",
        "verify.pending.max=1000 verify.batch.rows=1000",
        KAFKA + " verify.replay.timeout.ms=120001",
        KAFKA + " verify.replay.timeout.ms=60000 verify.kafka.offset.flush.interval.ms=29999",
      })
  void limitsThatGoTogether(String settings) {
    assertThat(contradictions(settings)).isEmpty();
  }

  private static List<String> contradictions(String settings) {
    Map<String, String> properties = least();
    for (String each : settings.split(" ", -1)) {
      if (!each.isEmpty()) {
        String[] pair = each.split("=", 2);
        properties.put(pair[0], pair[1]);
      }
    }
    return SinkSettings.of(properties).verifier().contradictions();
  }

  /** Each on the setting at fault, with the way out. */
  @Test
  void rangeChecksSayWhatTheyNeed() {
    Map<String, String> properties = least();
    properties.put("verify.range.claim.password", SECRET);
    assertThat(errors(properties).get("verify.range.claim.password"))
        .contains("verify.range.claim.url")
        .doesNotContain(SECRET);
    properties.put("verify.range.claim.url", "http://connect:8083");
    assertThat(errors(properties).get("verify.range.claim.url")).contains("/connectors/NAME");
    properties.put("verify.range.claim.url", "http://me:" + SECRET + "@connect/connectors/x");
    assertThat(errors(properties).get("verify.range.claim.url"))
        .contains("own settings")
        .doesNotContain(SECRET);
    properties.put("verify.range.claim.url", "http://connect/connectors/x?token=" + SECRET);
    assertThat(errors(properties).get("verify.range.claim.url")).doesNotContain(SECRET);
    properties.put("verify.range.claim.url", "http://connect:8083/connectors/x");
    assertThat(errors(properties).get("verify.range.claim.user"))
        .contains("verify.range.claim.password");
    properties.put("verify.range.claim.user", "reader");
    properties.put("verify.range.on.drift", "true");
    assertThat(errors(properties).get("verify.range.drift.topic")).contains(".drift");
    properties.put("verify.range.drift.topic", "shop.drift");
    assertThat(errors(properties).get("verify.range.drift.topic")).contains("add it to topics");
    properties.put("topics", "shop.public.orders, shop.drift");
    assertThat(errors(properties)).doesNotContainKey("verify.range.drift.topic");
    properties.remove("topics");
    properties.put("topics.regex", "shop\\..*");
    assertThat(errors(properties))
        .containsKey("verify.range.table.include.list")
        .doesNotContainKey("verify.range.drift.topic");
    properties.put("verify.range.table.include.list", "public\\.(orders");
    assertThat(errors(properties).get("verify.range.table.include.list"))
        .contains("regular expression");
    assertThatThrownBy(() -> SinkSettings.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("verify.range.table.include.list")
        .hasMessageNotContaining(SECRET);
    properties.put("verify.range.table.include.list", "public\\.orders");
    properties.put("verify.duty.cycle", "2");
    properties.put("verify.range.interval.ms", "-1");
    assertThat(errors(properties))
        .containsOnlyKeys("verify.duty.cycle", "verify.range.interval.ms");
    properties.put("verify.duty.cycle", "0.5");
    properties.put("verify.range.interval.ms", "0");
    assertThat(SinkSettings.of(properties).ranges().schedule().isOn()).isTrue();
  }

  @Test
  void rangeChecksAreOffByDefaultAndThenCoverTheTopicsTables() {
    assertThat(SinkSettings.of(least()).ranges().schedule().isOn()).isFalse();
    Map<String, String> properties = least();
    properties.put("topics", "a.b.public.orders,shop.public.x_x0020_y,shop.public.r__t");
    properties.put("verify.range.on.resume", "true");
    // Of the pipeline, whose topics need not be these.
    properties.put("verify.kafka.topic.prefix", "pipeline");
    TableFilter filter = SinkSettings.of(properties).ranges().filter();
    assertThat(filter.accepts(new TableId("public", "orders"))).isTrue();
    assertThat(filter.accepts(new TableId("public", "x y"))).isTrue();
    assertThat(filter.accepts(new TableId("public", "r#t"))).isFalse();
    assertThat(filter.accepts(new TableId("public", "r##t"))).isTrue();
    assertThat(filter.accepts(new TableId("public", "rders"))).isFalse();
    assertThat(filter.accepts(new TableId("audit", "orders"))).isFalse();
  }

  @Test
  void theChoicesAreRecommended() {
    ConfigValue confirmation =
        SinkValidation.validate(least(), Time.system()).configValues().stream()
            .filter(field -> field.name().equals("verify.replay.confirmation"))
            .findFirst()
            .orElseThrow();
    assertThat(confirmation.recommendedValues())
        .isEqualTo(
            List.of("auto", "subscription", "standby", "marker_table", "kafka_sink", "none"));
  }

  @Test
  void tasksDifferInTheirNumberOnly() {
    VerifierSinkConnector connector = new VerifierSinkConnector();
    connector.start(least());
    List<Map<String, String>> tasks = connector.taskConfigs(2);
    assertThat(tasks).hasSize(2);
    assertThat(tasks.get(0)).containsEntry(SinkSettings.TASK, "0").containsAllEntriesOf(least());
    assertThat(tasks.get(1)).containsEntry(SinkSettings.TASK, "1");
    connector.stop();
  }
}
