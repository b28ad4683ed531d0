package io.walproof.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gauges of one task. Names are lower-case words joined by hyphens, with the unit at their end
 * ({@code -bytes}, {@code -ms}, {@code -total} for what only grows).
 *
 * <p>Values are asked for from threads of the worker or of JMX, at any time until {@link #close()}:
 * suppliers must be quick, thread-safe, and must not throw. A gauge that cannot be registered is
 * warned of and left out; it never stops the task. Thread-safe.
 */
public final class Gauges implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gauges.class);

  private static final String TYPE = "type";

  private final Registry registry;

  private Gauges(Registry registry) {
    this.registry = registry;
  }

  /**
   * For a source task, to be called in or after its {@code start}.
   *
   * @param identity tells this task's gauges from others' in JMX: {@code type}, {@code connector},
   *     {@code task}, in this order; a worker with plugin metrics adds connector and task by
   *     itself, and the type is the tag {@code walproof} there
   */
  public static Gauges open(SourceTaskContext context, Map<String, String> identity) {
    return open(() -> WorkerRegistry.of(context, identity.get(TYPE)), identity);
  }

  /** The same for a sink task. */
  public static Gauges open(SinkTaskContext context, Map<String, String> identity) {
    return open(() -> WorkerRegistry.of(context, identity.get(TYPE)), identity);
  }

  /** Gauges in JMX, where there is no worker. */
  public static Gauges inJmx(Map<String, String> identity) {
    return new Gauges(new JmxRegistry(identity));
  }

  /** Gauges that somebody else shows, outside Connect. */
  public static Gauges shownBy(GaugeDisplay display) {
    return new Gauges(
        new Registry() {
          @Override
          public void add(Gauge gauge) {
            display.show(gauge.name(), gauge.description(), gauge.tags(), gauge.value());
          }

          @Override
          public void close() {
            display.close();
          }
        });
  }

  /** Registers a gauge without further tags. */
  public void gauge(String name, String description, LongSupplier value) {
    gauge(name, description, Map.of(), value);
  }

  /** Registers a gauge; the tags tell gauges of one name apart. */
  public void gauge(String name, String description, Map<String, String> tags, LongSupplier value) {
    registry.add(new Gauge(name, description, tags, value::getAsLong, Long.class));
  }

  /** Registers a gauge with a fraction; the tags tell gauges of one name apart. */
  public void fraction(
      String name, String description, Map<String, String> tags, DoubleSupplier value) {
    registry.add(new Gauge(name, description, tags, value::getAsDouble, Double.class));
  }

  /** Takes all gauges away; a second call does nothing. */
  @Override
  public void close() {
    registry.close();
  }

  private static Gauges open(Supplier<Registry> worker, Map<String, String> identity) {
    try {
      return new Gauges(worker.get());
    } catch (NoSuchMethodError | NoClassDefFoundError | AbstractMethodError e) {
      // Neither the method nor the type exists on workers before 4.1.
      LOG.info("This worker has no plugin metrics; the gauges of {} are in JMX", identity);
      return inJmx(identity);
    }
  }
}
