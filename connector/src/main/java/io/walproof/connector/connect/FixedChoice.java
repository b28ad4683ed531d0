package io.walproof.connector.connect;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Recommends the same values whatever the other settings are.
 *
 * @param values the values
 */
record FixedChoice(List<Object> values) implements ConfigDef.Recommender {

  /** From any list. */
  FixedChoice {
    values = List.copyOf(values);
  }

  @Override
  public List<Object> validValues(String name, Map<String, Object> parsedConfig) {
    return values;
  }

  @Override
  public boolean visible(String name, Map<String, Object> parsedConfig) {
    return true;
  }
}
