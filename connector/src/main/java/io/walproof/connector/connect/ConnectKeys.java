package io.walproof.connector.connect;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.connect.runtime.SourceConnectorConfig;
import org.apache.kafka.connect.runtime.TaskConfig;

/** The keys in a connector's configuration that the worker takes for itself. */
final class ConnectKeys {

  private static final List<String> PREFIXES =
      List.of(
          "key.converter.",
          "value.converter.",
          "header.converter.",
          "transforms.",
          "predicates.",
          "topic.creation.",
          "producer.override.",
          "consumer.override.",
          "admin.override.");

  /** As the worker's own version knows them. */
  private static final Set<String> NAMES = names();

  private ConnectKeys() {}

  static Set<String> all() {
    return NAMES;
  }

  static boolean contains(String key) {
    return NAMES.contains(key) || PREFIXES.stream().anyMatch(key::startsWith);
  }

  private static Set<String> names() {
    Set<String> names = new HashSet<>(SourceConnectorConfig.configDef().names());
    names.add(TaskConfig.TASK_CLASS_CONFIG);
    return Set.copyOf(names);
  }
}
