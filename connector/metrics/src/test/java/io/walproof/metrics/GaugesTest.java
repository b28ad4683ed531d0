package io.walproof.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class GaugesTest {

  private final MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();

  @Test
  void aWorkerWithPluginMetricsGetsThem() {
    FakeSourceTaskContext context = new FakeSourceTaskContext();
    AtomicLong events = new AtomicLong(7);
    try (Gauges gauges = Gauges.open(context, Map.of("type", "plugin"))) {
      gauges.gauge("events-total", "Delivered changes.", events::get);
      gauges.fraction("load", "Share of time spent.", Map.of("side", "source"), () -> 0.5);
      assertThat(context.metrics.value("events-total")).isEqualTo(7L);
      events.set(8);
      assertThat(context.metrics.value("events-total")).isEqualTo(8L);
      assertThat(context.metrics.value("load")).isEqualTo(0.5);
      assertThat(context.metrics.held.keySet())
          .anySatisfy(
              name -> {
                assertThat(name.description()).isEqualTo("Share of time spent.");
                assertThat(name.tags())
                    .containsExactly(Map.entry("walproof", "plugin"), Map.entry("side", "source"));
              });
      assertThat(beans("type=plugin,*")).isEmpty();
    }
    assertThat(context.metrics.held).isEmpty();
  }

  @Test
  void aNameThatAFormerLifeStillHoldsDoesNotStopTheTask() {
    FakeSourceTaskContext context = new FakeSourceTaskContext();
    Gauges former = Gauges.open(context, Map.of("type", "plugin"));
    former.gauge("events-total", "Delivered changes.", () -> 1);
    try (Gauges next = Gauges.open(context, Map.of("type", "plugin"))) {
      next.gauge("events-total", "Delivered changes.", () -> 2);
      former.close();
    }
    assertThat(context.metrics.held).isEmpty();
  }

  @Test
  void jmxHasOneBeanForEachSetOfTagsAndDescribesEachGauge() throws JMException {
    Map<String, String> identity = Map.of("type", "jmx");
    try (Gauges gauges = Gauges.inJmx(identity)) {
      gauges.gauge("pending", "Keys that are not decided yet.", () -> 3);
      gauges.gauge("drift-total", "Drift events.", Map.of("kind", "in_process"), () -> 4);
      ObjectName plain = new ObjectName("io.walproof:type=jmx");
      ObjectName tagged = new ObjectName("io.walproof:type=jmx,kind=in_process");
      assertThat(beans("type=jmx,*")).containsExactlyInAnyOrder(plain, tagged);
      assertThat(jmx.getAttribute(plain, "pending")).isEqualTo(3L);
      assertThat(jmx.getAttribute(tagged, "drift-total")).isEqualTo(4L);
      assertThat(jmx.getMBeanInfo(plain).getAttributes()[0].getDescription())
          .isEqualTo("Keys that are not decided yet.");
    }
    assertThat(beans("type=jmx,*")).isEmpty();
  }

  @Test
  void aLateCloseLeavesTheSuccessorsBeanAlone() throws JMException {
    Map<String, String> identity = Map.of("type", "lives");
    Gauges former = Gauges.inJmx(identity);
    former.gauge("pending", "Keys that are not decided yet.", () -> 1);
    try (Gauges next = Gauges.inJmx(identity)) {
      next.gauge("pending", "Keys that are not decided yet.", () -> 2);
      former.close();
      assertThat(jmx.getAttribute(new ObjectName("io.walproof:type=lives"), "pending"))
          .isEqualTo(2L);
    }
    assertThat(beans("type=lives,*")).isEmpty();
  }

  @Test
  void aWorkerWithoutPluginMetricsGetsJmx() throws Exception {
    AtomicLong value = new AtomicLong(41);
    try (URLClassLoader worker = oldWorker()) {
      assertThat(worker.loadClass(SourceTaskContext.class.getName()).getMethods())
          .extracting(Method::getName)
          .doesNotContain("pluginMetrics");
      Method open =
          worker
              .loadClass(OldWorkerProbe.class.getName())
              .getDeclaredMethod("open", LongSupplier.class);
      open.setAccessible(true);
      AutoCloseable[] opened =
          (AutoCloseable[]) open.invoke(null, (LongSupplier) value::incrementAndGet);
      assertThat(attribute("source")).isEqualTo(42L);
      assertThat(attribute("sink")).isEqualTo(43L);
      for (AutoCloseable each : opened) {
        each.close();
      }
      assertThat(beans("connector=*,*")).isEmpty();
    }
  }

  @Test
  void namesAndDescriptionsAreChecked() {
    try (Gauges gauges = Gauges.inJmx(Map.of("type", "checked"))) {
      assertThatThrownBy(() -> gauges.gauge("Bad Name", "Something.", () -> 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> gauges.gauge("name", " ", () -> 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private Object attribute(String type) throws JMException {
    return jmx.getAttribute(
        new ObjectName("io.walproof:type=" + type + ",connector=\"old: one, two\",task=0"),
        "probe-total");
  }

  private List<ObjectName> beans(String pattern) {
    try {
      return List.copyOf(jmx.queryNames(new ObjectName("io.walproof:" + pattern), null));
    } catch (JMException e) {
      throw new IllegalArgumentException(pattern, e);
    }
  }

  /** This module's classes over an old worker's interfaces, with nothing of this JVM's. */
  private static URLClassLoader oldWorker() throws IOException {
    List<URL> urls = new ArrayList<>();
    urls.add(location(Gauges.class));
    urls.add(location(OldWorkerProbe.class));
    urls.add(location(Logger.class));
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("walproof.old.worker")))) {
      for (Path jar : jars.toList()) {
        urls.add(url(jar));
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }

  private static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
