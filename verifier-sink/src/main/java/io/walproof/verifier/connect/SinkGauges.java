package io.walproof.verifier.connect;

import io.walproof.metrics.Gauges;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.schedule.OnHold;
import java.util.Map;
import java.util.function.LongSupplier;

/** What a verifier shows of itself, each with its description. */
public final class SinkGauges {

  private SinkGauges() {}

  /** Registers them. */
  public static void register(Gauges gauges, Verifier verifier, TimedAuditLog audit) {
    KeyGauges.register(
        gauges,
        AuditEntry.Stratum.CDC,
        verifier::total,
        () -> new OnHold(verifier.deferred(), verifier.oldestDeferred()));
    gauges.gauge(
        "ignored-records-total",
        "Records that concern no row, such as tombstones and heartbeats",
        () -> sum(verifier.ignoredRecords()));
    gauges.gauge(
        "replay-wait-ms",
        "How long the last recheck waited until replay had passed its boundary",
        () -> verifier.replayStatus().lastWait().toMillis());
    gauges.gauge(
        "replay-confirmed-total",
        "Waits for replay that ended in a confirmation",
        () -> verifier.replayStatus().confirmed());
    gauges.gauge(
        "replay-not-confirmed-total",
        "Waits for replay that did not",
        () -> verifier.replayStatus().notConfirmed());
    gauges.gauge(
        "versions-bytes",
        "About how much heap the kept versions of pending rows take, of verify.versions.max.bytes",
        () -> verifier.versions().bytes());
    gauges.gauge(
        "versions-dropped-total",
        "Versions of pending rows, and keys, that verify.versions.max.bytes left no room for",
        () -> verifier.versions().dropped());
    gauges.gauge(
        "audit-sync-ms",
        "How long the last batch of records took until it was durable",
        audit::lastMillis);
    gauges.gauge(
        "audit-records-total",
        "Records that are durable on the verify topic or in the audit file",
        audit::records);
  }

  /**
   * Registers what only a task has.
   *
   * @param diverted how many tables wait for their shape's acceptance, on any thread
   */
  public static void registerTask(Gauges gauges, LongSupplier diverted) {
    gauges.gauge(
        "diverted-tables",
        "Tables with keys that are not checked until their shape is accepted",
        diverted);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
