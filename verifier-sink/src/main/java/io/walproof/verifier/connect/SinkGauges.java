package io.walproof.verifier.connect;

import io.walproof.metrics.Gauges;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.model.Coverage;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** What a verifier shows of itself, each with its description. */
public final class SinkGauges {

  /** As in {@link Coverage#outcomes()}. */
  private static final List<String> OUTCOMES =
      List.of(
          "matched",
          "converged",
          "advanced",
          "unresolved_missing",
          "unresolved_different",
          "unresolved_target_stalled",
          "unresolved_stale",
          "ignored_app",
          "incomplete");

  private SinkGauges() {}

  /** Registers them. */
  public static void register(Gauges gauges, Verifier verifier, TimedAuditLog audit) {
    gauges.gauge(
        "observed-total", "Changed keys that were taken in", () -> verifier.total().observed());
    gauges.gauge(
        "checked-total",
        "Key checks that ended, whatever their outcome",
        () -> verifier.total().checked());
    gauges.gauge(
        "coalesced-total",
        "Changes that an earlier entry of the same key stands for",
        () -> verifier.total().coalesced());
    gauges.gauge(
        "skipped-total",
        "Changed keys that are not judged; summaries on the verify topic have the reasons",
        () -> sum(verifier.total().skipped()));
    gauges.gauge(
        "ignored-records-total",
        "Records that concern no row, such as tombstones and heartbeats",
        () -> sum(verifier.ignoredRecords()));
    gauges.gauge(
        "pending",
        "Keys that wait for their first read or for their recheck; at verify.pending.max the"
            + " partitions are paused",
        verifier::pending);
    gauges.gauge("deferred", "Mismatches on hold until their one recheck", verifier::deferred);
    for (String outcome : OUTCOMES) {
      gauges.gauge(
          "verdicts-total",
          "Key checks that ended, by outcome",
          Map.of("outcome", outcome),
          () -> verifier.total().outcomes().getOrDefault(outcome, 0L));
    }
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
        "recheck-age-ms",
        "How long the oldest mismatch on hold has been waiting since its first read; 0 if there is"
            + " none",
        () -> verifier.oldestDeferred().toMillis());
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
