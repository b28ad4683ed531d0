package io.walproof.standalone.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.walproof.metrics.GaugeDisplay;
import io.walproof.metrics.Gauges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows gauges as the text that Prometheus reads. Thread-safe. */
public final class PrometheusText {

  /** The text's media type. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final Logger LOG = LoggerFactory.getLogger(PrometheusText.class);

  private record Sample(Labels labels, double scale, Supplier<? extends Number> value) {}

  /** A sample's labels and what it was just now. */
  private record Read(Labels labels, double value) {}

  private record Metric(MetricName name, String help, List<Sample> samples) {}

  private final Map<String, Metric> metrics = new LinkedHashMap<>();

  /** Metrics whose failure was logged: once each. */
  private final Set<String> failed = new HashSet<>();

  /** Gauges of one part, such as {@code source} or {@code verifier}. */
  public Gauges gauges(String part) {
    return Gauges.shownBy(new Part(part));
  }

  /** The text with the values of this moment, in UTF-8. */
  public synchronized byte[] text() {
    List<MetricSnapshot> snapshots = metrics.values().stream().map(this::now).toList();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(out, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail to be written to", e);
    }
    return out.toByteArray();
  }

  /** Those that can be read: one that throws is left out, and takes no other with it. */
  private List<Read> read(Metric metric) {
    List<Read> read = new ArrayList<>();
    for (Sample sample : metric.samples()) {
      try {
        read.add(new Read(sample.labels(), sample.value().get().doubleValue() * sample.scale()));
      } catch (RuntimeException e) {
        if (failed.add(metric.name().base())) {
          LOG.warn("The metric {} cannot be read and is left out", metric.name().base(), e);
        }
      }
    }
    return read;
  }

  private MetricSnapshot now(Metric metric) {
    if (metric.name().counter()) {
      CounterSnapshot.Builder counter =
          CounterSnapshot.builder().name(metric.name().base()).help(metric.help());
      read(metric)
          .forEach(
              sample ->
                  counter.dataPoint(
                      CounterDataPointSnapshot.builder()
                          .labels(sample.labels())
                          .value(sample.value())
                          .build()));
      return counter.build();
    }
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder().name(metric.name().base()).help(metric.help());
    read(metric)
        .forEach(
            sample ->
                gauge.dataPoint(
                    GaugeDataPointSnapshot.builder()
                        .labels(sample.labels())
                        .value(sample.value())
                        .build()));
    return gauge.build();
  }

  private final class Part implements GaugeDisplay {
    private final String part;

    Part(String part) {
      this.part = part;
    }

    @Override
    public void show(
        String name,
        String description,
        Map<String, String> tags,
        Supplier<? extends Number> value) {
      MetricName metric = MetricName.of(part, name);
      Labels labels = Labels.EMPTY;
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        labels = labels.merge(Labels.of(tag.getKey(), tag.getValue()));
      }
      synchronized (PrometheusText.this) {
        metrics
            .computeIfAbsent(
                metric.base(), base -> new Metric(metric, description, new ArrayList<>()))
            .samples()
            .add(new Sample(labels, metric.scale(), value));
      }
    }

    @Override
    public void close() {
      String prefix = MetricName.of(part, "").base();
      synchronized (PrometheusText.this) {
        metrics.keySet().removeIf(base -> base.startsWith(prefix));
      }
    }
  }
}
