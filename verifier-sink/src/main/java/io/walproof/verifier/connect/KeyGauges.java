package io.walproof.verifier.connect;

import io.walproof.metrics.Gauges;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.schedule.OnHold;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The counts of key checks, by stratum: keys of changes, and keys of rows that range checks found
 * to differ. Both together are what the status page and the summaries count.
 */
final class KeyGauges {

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

  private KeyGauges() {}

  /**
   * Registers one stratum's.
   *
   * @param counts over all tables, on any thread
   * @param onHold its mismatches that wait for their recheck, on any thread
   */
  static void register(
      Gauges gauges,
      AuditEntry.Stratum stratum,
      Supplier<Coverage> counts,
      Supplier<OnHold> onHold) {
    Map<String, String> tags = Map.of("stratum", stratum.name().toLowerCase(Locale.ROOT));
    count(gauges, "observed-total", "Keys that were taken in", tags, counts, Coverage::observed);
    count(
        gauges,
        "checked-total",
        "Key checks that ended, whatever their outcome",
        tags,
        counts,
        Coverage::checked);
    count(
        gauges,
        "coalesced-total",
        "Keys that an earlier entry of the same key stands for",
        tags,
        counts,
        Coverage::coalesced);
    count(
        gauges,
        "skipped-total",
        "Keys that are not judged; summaries on the verify topic have the reasons",
        tags,
        counts,
        coverage -> coverage.skipped().values().stream().mapToLong(Long::longValue).sum());
    count(
        gauges,
        "pending",
        "Keys that wait for their first read or for their recheck; where cdc reaches"
            + " verify.pending.max, the source or the partitions are paused",
        tags,
        counts,
        Coverage::pending);
    for (String outcome : OUTCOMES) {
      Map<String, String> both = new TreeMap<>(tags);
      both.put("outcome", outcome);
      count(
          gauges,
          "verdicts-total",
          "Key checks that ended, by outcome",
          both,
          counts,
          coverage -> coverage.outcomes().getOrDefault(outcome, 0L));
    }
    gauges.gauge(
        "deferred", "Mismatches on hold until their one recheck", tags, () -> onHold.get().keys());
    gauges.gauge(
        "recheck-age-ms",
        "How long the oldest mismatch on hold has been waiting since its first read; 0 if there is"
            + " none",
        tags,
        () -> onHold.get().oldest().toMillis());
  }

  private static void count(
      Gauges gauges,
      String name,
      String description,
      Map<String, String> tags,
      Supplier<Coverage> counts,
      ToLongFunction<Coverage> figure) {
    gauges.gauge(name, description, tags, () -> figure.applyAsLong(counts.get()));
  }
}
