package io.walproof.standalone.docs;

import static io.walproof.standalone.docs.Markdown.code;
import static io.walproof.standalone.docs.Markdown.text;

import io.walproof.connector.connect.SourceCounters;
import io.walproof.connector.connect.SourceGauges;
import io.walproof.contract.Time;
import io.walproof.metrics.GaugeDisplay;
import io.walproof.metrics.Gauges;
import io.walproof.standalone.metrics.MetricName;
import io.walproof.standalone.status.StatusGauges;
import io.walproof.verifier.connect.RangeGauges;
import io.walproof.verifier.connect.SinkGauges;
import io.walproof.verifier.connect.TimedAuditLog;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.schedule.RangeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The reference of all metrics, from the gauges as they are registered. */
final class MetricsPart {

  /** A gauge by its name in Connect. */
  private static final class Shown {
    private final String help;
    private final boolean onlyTask;
    private final Map<String, Set<String>> labels = new TreeMap<>();

    Shown(String help, boolean onlyTask) {
      this.help = help;
      this.onlyTask = onlyTask;
    }
  }

  private MetricsPart() {}

  static String page() {
    Map<String, Shown> page = new LinkedHashMap<>();
    collect(page, false, gauges -> StatusGauges.register(gauges, () -> 0));
    return "## Metrics\n\nA run with `status.listen` has the first names at `/metrics`. A task in"
        + " Connect has the second: attributes of the worker's plugin metrics"
        + " (`kafka.connect:type=plugins,...`, Connect 4.1 and newer), else of the MBeans"
        + " `io.walproof:type=verifier-sink,...` and `io.walproof:type=source,...`; labels are"
        + " tags there. With `config/prometheus-jmx-exporter.yml` the JMX exporter gives"
        + " Prometheus the first names there too, with the labels `connector` and `task` besides."
        + " What ends in `_total` only grows, from 0 at each start. Those of range"
        + " checks are there where range checks are configured.\n\n### Verifier\n\n"
        + table("verifier", verifier())
        + "### Source\n\n"
        + table("source", source())
        + "### Status page\n\nOf a run only.\n\n"
        + table("status", page);
  }

  private static Map<String, Shown> verifier() {
    Map<String, Shown> found = new LinkedHashMap<>();
    // Nothing is asked for its value, so nothing that would have one is needed.
    TimedAuditLog audit = new TimedAuditLog(null, Time.system());
    Verifier verifier =
        new Verifier(
            new VerifierLimits(
                Duration.ZERO,
                Duration.ZERO,
                1,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofMillis(1),
                1,
                Set.of()),
            new Verifier.Parts(Time.system(), audit, null, null, null));
    collect(found, false, gauges -> SinkGauges.register(gauges, verifier, audit));
    collect(found, true, gauges -> SinkGauges.registerTask(gauges, () -> 0));
    collect(found, true, gauges -> RangeGauges.registerTask(gauges, () -> true));
    collect(
        found, false, gauges -> RangeGauges.register(gauges, new RangeFigures(), () -> 0, () -> 0));
    collect(found, false, gauges -> RangeGauges.registerKeys(gauges, Map::of, () -> OnHold.NONE));
    return found;
  }

  private static Map<String, Shown> source() {
    Map<String, Shown> found = new LinkedHashMap<>();
    collect(found, false, gauges -> SourceGauges.describe(gauges, new SourceCounters()));
    collect(found, true, gauges -> SourceGauges.describeTask(gauges, () -> 0));
    return found;
  }

  private static void collect(
      Map<String, Shown> found, boolean onlyTask, Consumer<Gauges> registration) {
    registration.accept(
        Gauges.shownBy(
            new GaugeDisplay() {
              @Override
              public void show(
                  String name,
                  String description,
                  Map<String, String> tags,
                  Supplier<? extends Number> value) {
                Shown shown = found.computeIfAbsent(name, any -> new Shown(description, onlyTask));
                tags.forEach(
                    (label, each) ->
                        shown.labels.computeIfAbsent(label, any -> new TreeSet<>()).add(each));
              }

              @Override
              public void close() {}
            }));
  }

  private static String table(String part, Map<String, Shown> gauges) {
    List<List<String>> rows = new ArrayList<>();
    gauges.forEach(
        (name, shown) ->
            rows.add(
                List.of(
                    code(MetricName.of(part, name).exposed())
                        + (shown.onlyTask ? " (only in Connect)" : ""),
                    code(name),
                    labels(shown.labels),
                    text(shown.help))));
    return Markdown.table(List.of("In Prometheus", "In Connect's JMX", "Labels", "Meaning"), rows);
  }

  private static String labels(Map<String, Set<String>> labels) {
    List<String> texts = new ArrayList<>();
    labels.forEach(
        (label, values) ->
            texts.add(
                code(label)
                    + ": "
                    + String.join(", ", values.stream().map(Markdown::code).toList())));
    return String.join("; ", texts);
  }
}
