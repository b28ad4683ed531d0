package io.walproof.verifier.connect;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * The producer's settings under their prefix. Those that decide whether evidence is durable, and
 * for how long it is waited for, are ours.
 */
final class ProducerSettings {

  /** By name without the prefix, each with what to use instead. */
  private static final Map<String, String> OURS =
      Map.of(
          ProducerConfig.ACKS_CONFIG, "it is always all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "it is always true",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "records are JSON",
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "records are JSON",
          ProducerConfig.TRANSACTIONAL_ID_CONFIG, "records are acknowledged one batch at a time",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "set verify.publish.timeout.ms",
          ProducerConfig.MAX_BLOCK_MS_CONFIG, "set verify.publish.timeout.ms",
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "set verify.publish.timeout.ms",
          ProducerConfig.LINGER_MS_CONFIG, "records are waited for, so there is nothing to gain");

  private ProducerSettings() {}

  /** Adds them all, typed, so that secrets are known as such. */
  static void define(ConfigDef config) {
    int order = 0;
    for (ConfigDef.ConfigKey key : ProducerConfig.configDef().configKeys().values()) {
      if (isOurs(key.name) || key.name.equals(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        continue;
      }
      config.define(
          new ConfigDef.ConfigKey(
              SinkSettingsTable.PRODUCER_PREFIX + key.name,
              key.type,
              key.defaultValue,
              key.validator,
              ConfigDef.Importance.LOW,
              key.documentation,
              "Producer of the verify topic",
              order++,
              ConfigDef.Width.MEDIUM,
              SinkSettingsTable.PRODUCER_PREFIX + key.name,
              java.util.List.of(),
              key.recommender,
              key.internalConfig));
    }
  }

  /** What stands under the prefix and may not, each with the reason. */
  static Map<String, String> refused(Set<String> names) {
    Map<String, String> refused = new TreeMap<>();
    OURS.forEach(
        (name, instead) -> {
          String full = SinkSettingsTable.PRODUCER_PREFIX + name;
          if (names.contains(full)) {
            refused.put(full, "'" + full + "' cannot be set: " + instead + "; remove it");
          }
        });
    return refused;
  }

  /** Those that are set, without the prefix; they hold secrets. */
  static Map<String, Object> of(Map<String, String> settings) {
    return under(SinkSettingsTable.PRODUCER_PREFIX, settings);
  }

  /** What is set under a prefix, without it. */
  static Map<String, Object> under(String prefix, Map<String, String> settings) {
    Map<String, Object> found = new TreeMap<>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }

  private static boolean isOurs(String name) {
    return OURS.containsKey(name);
  }
}
