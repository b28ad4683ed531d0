package io.walproof.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;

/** Behaves as the worker's: a name is held once, and what is not there cannot be removed. */
final class FakePluginMetrics implements PluginMetrics {

  final Map<MetricName, MetricValueProvider<?>> held = new LinkedHashMap<>();

  @Override
  @SuppressWarnings("NonApiType")
  public MetricName metricName(
      String name, String description, LinkedHashMap<String, String> tags) {
    return new MetricName(name, "plugins", description, tags);
  }

  @Override
  public void addMetric(MetricName name, MetricValueProvider<?> value) {
    if (held.putIfAbsent(name, value) != null) {
      throw new IllegalArgumentException(name + " already exists");
    }
  }

  @Override
  public void removeMetric(MetricName name) {
    if (held.remove(name) == null) {
      throw new IllegalArgumentException(name + " does not exist");
    }
  }

  @Override
  public Sensor addSensor(String name) {
    throw new UnsupportedOperationException(name);
  }

  @Override
  public void removeSensor(String name) {
    throw new UnsupportedOperationException(name);
  }

  Object value(String name) {
    return held.entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .map(each -> ((Gauge<?>) each.getValue()).value(null, 0))
        .findFirst()
        .orElseThrow();
  }
}
