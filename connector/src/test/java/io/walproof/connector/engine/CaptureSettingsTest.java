package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureSettingsTest {

  private static Map<String, String> minimal() {
    Map<String, String> settings = new HashMap<>();
    settings.put("database.hostname", "db.example");
    settings.put("database.user", "me");
    settings.put("database.password", "s3cr3t");
    settings.put("database.dbname", "app");
    return settings;
  }

  @Test
  void theDefaultsAreThoseOfTheDesign() {
    CaptureSettings settings = CaptureSettings.of(minimal());
    assertThat(settings.debezium())
        .containsEntry("plugin.name", "pgoutput")
        .containsEntry("snapshot.mode", "no_data")
        .containsEntry("publication.autocreate.mode", "filtered")
        .containsEntry("heartbeat.interval.ms", "10000")
        .containsEntry("lsn.flush.mode", "connector")
        .containsEntry("slot.name", "walproof")
        .doesNotContainKeys("transforms", "predicates");
    assertThat(settings.limits().maxVersions()).isEqualTo(10);
    assertThat(settings.limits().maxBytes()).isEqualTo(524_288);
    assertThat(settings.drift().acceptGap()).isFalse();
    assertThat(settings.acceptGap().drift().acceptGap()).isTrue();
    assertThat(settings.readsSnapshot()).isFalse();
  }

  @Test
  void noDefaultIsRefusedByItself() {
    EngineDefaults.DEFAULTS
        .keySet()
        .forEach(key -> assertThat(CaptureSettings.isKnownKey(key)).as(key).isTrue());
    EngineDefaults.FIXED.forEach(
        (key, fixed) -> {
          assertThat(CaptureSettings.isKnownKey(key)).as(key).isTrue();
          Map<String, String> same = minimal();
          same.put(key, fixed.value());
          CaptureSettings.of(same);
        });
    DriftSettings.KEYS.forEach(key -> assertThat(CaptureSettings.isKnownKey(key)).as(key).isTrue());
  }

  @Test
  void allProblemsAreToldAtOnceAndNoValueIs() {
    Map<String, String> settings = minimal();
    settings.remove("database.hostname");
    settings.remove("database.dbname");
    settings.put("database.pasword", "hunter2");
    settings.put("drift.policy", "hunter3");
    settings.put("drift.history.versions.max", "hunter4");
    assertThatThrownBy(() -> CaptureSettings.of(settings))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("'database.hostname' is missing")
        .hasMessageContaining("'database.dbname' is missing")
        .hasMessageContaining("'database.pasword'")
        .hasMessageContaining("'drift.policy'")
        .hasMessageContaining("'drift.history.versions.max'")
        .message()
        .doesNotContain("hunter", "s3cr3t");
  }

  @ParameterizedTest
  @CsvSource({
    "database.port, seventy",
    "heartbeat.interval.ms, -1",
    "max.queue.size, many",
    "slot.name, UPPER CASE",
    "snapshot.mode, exported",
    "publication.autocreate.mode, no_tables",
    "plugin.name, decoderbufs",
    "lsn.flush.mode, connector_and_driver",
    "skipped.operations, t",
    "transforms, route",
    "tombstones.on.delete, true",
    "slot.drop.on.stop, true",
    "drift.policy, quarantine",
    "drift.accept, public.orders=4711",
    "drift.policy, stop",
    "drift.halt.timeout.ms, 0",
    "drift.accept.gap, maybe",
    "drift.history.max.bytes, 12",
    "drift.shutdown.timeout.ms, 0"
  })
  void aBadValueIsRefusedByItsKey(String key, String value) {
    Map<String, String> settings = minimal();
    settings.put(key, value);
    assertThatThrownBy(() -> CaptureSettings.of(settings))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("'" + key + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table.include.list",
        "schema.include.list",
        "table.exclude.list",
        "database.sslmode",
        "database.sslpassword",
        "driver.socketTimeout",
        "topic.prefix",
        "slot.stream.params",
        "message.prefix.include.list",
        "drift.slot.wait.ms"
      })
  void theSourcesKeysAreKnown(String key) {
    assertThat(CaptureSettings.isKnownKey(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify.settle.ms", "state.dir", "offset.storage", "drift.polcy", "x"})
  void othersAreNot(String key) {
    assertThat(CaptureSettings.isKnownKey(key)).isFalse();
  }

  @Test
  void secretsStayOut() {
    assertThat(CaptureSettings.of(minimal()).toString())
        .contains("database.password")
        .doesNotContain("s3cr3t");
  }
}
