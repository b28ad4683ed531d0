package io.walproof.connector.connect;

import io.walproof.connector.emit.Skip;
import io.walproof.contract.DriftEvent;
import io.walproof.metrics.Gauges;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;
import org.apache.kafka.connect.source.SourceTaskContext;

/** What a source's metrics are, each described. */
public final class SourceGauges {

  private SourceGauges() {}

  /** Registers a task's. */
  static Gauges register(
      SourceTaskContext context, String connector, SourceCounters counters, IntSupplier queued) {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("type", "source");
    identity.put("connector", connector);
    identity.put("task", "0");
    Gauges gauges = Gauges.open(context, identity);
    describeTask(gauges, queued);
    describe(gauges, counters);
    return gauges;
  }

  /** Registers what only a task has. */
  public static void describeTask(Gauges gauges, IntSupplier queued) {
    gauges.gauge(
        "queue-records",
        "Records between the capture and the worker, at most feed.queue.max",
        queued::getAsInt);
  }

  /** Registers what every source has, in Connect or not. */
  public static void describe(Gauges gauges, SourceCounters counters) {
    gauges.gauge(
        "changes-total",
        "Changed keys, or in a feed of rows records, handed on since the start",
        counters::changes);
    gauges.gauge(
        "diverted-total",
        "Those of the changes that were diverted since the task's start",
        counters::divertedChanges);
    gauges.gauge(
        "diverted-tables",
        "Tables whose records are diverted until drift.accept has their shape",
        counters::divertedTables);
    gauges.gauge(
        "heartbeats-total",
        "Records that only carry a source offset since the start",
        counters::heartbeats);
    gauges.gauge("tables", "Tables with a shape in the schema history", counters::tables);
    gauges.gauge("shapes", "Shapes in the schema history, all tables together", counters::shapes);
    gauges.gauge(
        "slot-lag-bytes",
        "WAL that the replication slot holds back, -1 while it is not known",
        counters::slotLag);
    for (DriftEvent.Kind kind : DriftEvent.Kind.values()) {
      gauges.gauge(
          "drift-total",
          "Drift events of this kind handed on since the start",
          Map.of("kind", kind.name().toLowerCase(Locale.ROOT)),
          () -> counters.drift(kind));
    }
    for (Skip.Reason reason : Skip.Reason.values()) {
      gauges.gauge(
          "skipped-total",
          "Records of the stream that name no changed key, by reason, since the start",
          Map.of("reason", reason.text()),
          () -> counters.skips(reason));
    }
  }
}
