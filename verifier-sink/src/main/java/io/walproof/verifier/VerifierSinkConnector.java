package io.walproof.verifier;

import io.walproof.contract.Time;
import io.walproof.verifier.connect.SinkConfig;
import io.walproof.verifier.connect.SinkSettings;
import io.walproof.verifier.connect.SinkValidation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * Verifies that a target database holds what the source holds: consumes changed keys, or a Debezium
 * PostgreSQL connector's change events, and publishes what it found to the verify topic.
 */
public final class VerifierSinkConnector extends SinkConnector {

  private Map<String, String> properties = Map.of();

  /** Made by Connect. */
  public VerifierSinkConnector() {}

  @Override
  public String version() {
    String packed = VerifierSinkConnector.class.getPackage().getImplementationVersion();
    return packed == null ? "unpackaged" : packed;
  }

  @Override
  public void start(Map<String, String> settings) {
    SinkSettings.of(settings);
    properties = Map.copyOf(settings);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return VerifierSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    List<Map<String, String>> tasks = new ArrayList<>(maxTasks);
    for (int number = 0; number < maxTasks; number++) {
      tasks.add(SinkSettings.forTask(properties, number, maxTasks));
    }
    return tasks;
  }

  @Override
  public ConfigDef config() {
    return SinkConfig.definition();
  }

  @Override
  public Config validate(Map<String, String> settings) {
    return SinkValidation.validate(settings, Time.system());
  }

  @Override
  public void stop() {}
}
