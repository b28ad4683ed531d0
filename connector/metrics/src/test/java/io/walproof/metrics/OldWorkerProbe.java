package io.walproof.metrics;

import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Runs inside a class loader with an old worker's interfaces. */
final class OldWorkerProbe {

  private OldWorkerProbe() {}

  /** Opens gauges for contexts that have the methods of the old interfaces and no others. */
  static AutoCloseable[] open(LongSupplier value) {
    Gauges source = Gauges.open(context(SourceTaskContext.class), identity("source"));
    Gauges sink = Gauges.open(context(SinkTaskContext.class), identity("sink"));
    source.gauge("probe-total", "What the probe counts.", value);
    sink.gauge("probe-total", "What the probe counts.", value);
    return new AutoCloseable[] {source, sink};
  }

  private static Map<String, String> identity(String type) {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("type", type);
    identity.put("connector", "old: one, two");
    identity.put("task", "0");
    return identity;
  }

  private static <T> T context(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }
}
