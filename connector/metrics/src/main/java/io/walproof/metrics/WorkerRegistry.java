package io.walproof.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connect's own plugin metrics. The only class that names them: it is not touched before a worker
 * was asked for them, so that nothing fails to link on older ones.
 */
final class WorkerRegistry implements Registry {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerRegistry.class);

  /** Among the gauges of all plugins, which are ours, and of which kind. */
  private static final String OURS = "walproof";

  private final PluginMetrics metrics;
  private final String type;
  private final List<MetricName> added = new ArrayList<>();

  private WorkerRegistry(PluginMetrics metrics, String type) {
    this.metrics = metrics;
    this.type = type;
  }

  static Registry of(SourceTaskContext context, String type) {
    return new WorkerRegistry(context.pluginMetrics(), type);
  }

  static Registry of(SinkTaskContext context, String type) {
    return new WorkerRegistry(context.pluginMetrics(), type);
  }

  @Override
  public synchronized void add(Gauge gauge) {
    // The worker adds connector and task ahead of these.
    LinkedHashMap<String, String> tags = new LinkedHashMap<>();
    tags.put(OURS, type);
    tags.putAll(gauge.tags());
    MetricName name = metrics.metricName(gauge.name(), gauge.description(), tags);
    try {
      metrics.addMetric(
          name,
          (org.apache.kafka.common.metrics.Gauge<Number>) (config, now) -> gauge.value().get());
      added.add(name);
    } catch (IllegalArgumentException e) {
      // A former life of this task that has not ended yet still holds the name.
      LOG.warn("The gauge {} is not registered: {}", gauge.name(), e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    for (MetricName name : added) {
      try {
        metrics.removeMetric(name);
      } catch (IllegalArgumentException e) {
        // The worker has closed the task's metrics before.
        LOG.debug("The gauge {} is gone already", name.name());
      }
    }
    added.clear();
  }
}
