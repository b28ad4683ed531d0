package io.walproof.connector;

import io.walproof.connector.connect.BuildVersion;
import io.walproof.connector.connect.ConfigCheck;
import io.walproof.connector.connect.OffsetRequest;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams a PostgreSQL database's changed keys and its tables' drift into Kafka. It has one task:
 * one replication slot is one stream.
 */
public final class PostgresDriftConnector extends SourceConnector {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresDriftConnector.class);

  private final ConfigCheck check = new ConfigCheck();
  private Map<String, String> settings = Map.of();

  /** For Connect, which instantiates by class name. */
  public PostgresDriftConnector() {}

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public void start(Map<String, String> props) {
    settings = Map.copyOf(props);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return PostgresDriftTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    if (maxTasks > 1) {
      LOG.info("tasks.max is {}; this connector has one task, as one slot is one stream", maxTasks);
    }
    return List.of(settings);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return check.definition();
  }

  @Override
  public Config validate(Map<String, String> connectorConfigs) {
    return check.check(connectorConfigs);
  }

  /**
   * Not supported. Records and offsets do go into one transaction where the worker works so, but
   * PostgreSQL resends a transaction whole: a task that is stopped inside of one delivers its first
   * part again. For a verifier that is harmless, and nothing is lost.
   */
  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
    return ExactlyOnceSupport.UNSUPPORTED;
  }

  @Override
  public boolean alterOffsets(
      Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
    OffsetRequest.check(connectorConfig, offsets);
    return true;
  }
}
