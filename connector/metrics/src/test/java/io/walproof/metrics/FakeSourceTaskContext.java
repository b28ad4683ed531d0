package io.walproof.metrics;

import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** A task's context that has metrics only. */
final class FakeSourceTaskContext implements SourceTaskContext {

  final FakePluginMetrics metrics = new FakePluginMetrics();

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public OffsetStorageReader offsetStorageReader() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return metrics;
  }
}
