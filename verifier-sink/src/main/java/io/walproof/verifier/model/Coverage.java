package io.walproof.verifier.model;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of every observed key (invariant I): observed = checked + coalesced + skipped +
 * pending.
 *
 * @param observed keys that changes named
 * @param checked keys whose check ended, whatever the outcome; the sum of {@code outcomes}
 * @param coalesced repeats that an earlier entry of the same key covers
 * @param skipped keys that are not judged, by reason
 * @param pending keys that wait for their first read or for their recheck
 * @param outcomes ended checks by outcome; {@code unresolved} is split by kind as {@code
 *     unresolved_missing}, {@code unresolved_different}, {@code unresolved_target_stalled}, {@code
 *     unresolved_stale}
 */
public record Coverage(
    long observed,
    long checked,
    long coalesced,
    Map<String, Long> skipped,
    long pending,
    Map<String, Long> outcomes) {

  /** Copies in sorted order and refuses counts that do not add up. */
  public Coverage {
    skipped = java.util.Collections.unmodifiableMap(new TreeMap<>(skipped));
    outcomes = java.util.Collections.unmodifiableMap(new TreeMap<>(outcomes));
    long ended = outcomes.values().stream().mapToLong(Long::longValue).sum();
    if (checked != ended) {
      throw new IllegalStateException("checked " + checked + " but outcomes say " + ended);
    }
    long accounted = checked + coalesced + sum(skipped) + pending;
    if (observed != accounted) {
      throw new IllegalStateException(
          "coverage does not add up: observed " + observed + ", accounted for " + accounted);
    }
  }

  /** The counts of all of them together. */
  public static Coverage sum(Collection<Coverage> parts) {
    long observed = 0;
    long checked = 0;
    long coalesced = 0;
    long pending = 0;
    Map<String, Long> skipped = new TreeMap<>();
    Map<String, Long> outcomes = new TreeMap<>();
    for (Coverage part : parts) {
      observed += part.observed;
      checked += part.checked;
      coalesced += part.coalesced;
      pending += part.pending;
      part.skipped.forEach((reason, n) -> skipped.merge(reason, n, Long::sum));
      part.outcomes.forEach((outcome, n) -> outcomes.merge(outcome, n, Long::sum));
    }
    return new Coverage(observed, checked, coalesced, skipped, pending, outcomes);
  }

  /** The counts of both. */
  public Coverage plus(Coverage other) {
    return sum(List.of(this, other));
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Checks that ended as a confirmed failure. */
  public long failures() {
    return outcomes.entrySet().stream()
        .filter(e -> e.getKey().startsWith("unresolved"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Checks that ended without a judgement. */
  public long incomplete() {
    return outcomes.getOrDefault("incomplete", 0L);
  }
}
