package io.walproof.metrics;

import java.util.Map;
import java.util.function.Supplier;

/** Shows gauges where there is neither a worker nor JMX. */
public interface GaugeDisplay extends AutoCloseable {

  /**
   * Takes a gauge.
   *
   * @param name words joined by hyphens, with the unit at the end; see {@link Gauges}
   * @param description for people
   * @param tags tell gauges of one name apart
   * @param value quick and thread-safe; asked for at any time until {@link #close}
   */
  void show(
      String name, String description, Map<String, String> tags, Supplier<? extends Number> value);

  /** Shows nothing more. */
  @Override
  void close();
}
