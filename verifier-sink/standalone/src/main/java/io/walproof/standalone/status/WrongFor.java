package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long keys were seen to be wrong before they were seen to be equal: from the first read to the
 * recheck, which is when it is noticed. Owned by one thread.
 */
final class WrongFor {

  /** Upper bounds, in seconds; a last bucket has none. */
  private static final List<Long> BOUNDS = List.of(1L, 5L, 15L, 30L, 60L, 120L, 300L, 900L, 3600L);

  private final int most;
  private final Map<String, Waiting> waiting = new HashMap<>();
  private final long[] counts = new long[BOUNDS.size() + 1];
  private long notMeasured;

  /** A key that was seen to be wrong. */
  private record Waiting(TableId table, Instant since) {}

  /**
   * Empty.
   *
   * @param most how many keys on hold are remembered
   */
  WrongFor(int most) {
    this.most = most;
  }

  /** A key was seen to be wrong. */
  void seen(TableId table, String key, Instant at) {
    if (waiting.size() < most || waiting.containsKey(key)) {
      waiting.put(key, new Waiting(table, at));
    } else {
      notMeasured++;
    }
  }

  /** A key's check ended. */
  void ended(String key, Instant at, boolean converged) {
    Waiting began = waiting.remove(key);
    if (began == null || !converged) {
      return;
    }
    long millis = Duration.between(began.since(), at).toMillis();
    int bucket = 0;
    while (bucket < BOUNDS.size() && millis > BOUNDS.get(bucket) * 1000) {
      bucket++;
    }
    counts[bucket]++;
  }

  /** When the oldest key that still waits was seen, of each table that has one. */
  Map<TableId, Instant> oldest() {
    Map<TableId, Instant> oldest = new TreeMap<>();
    for (Waiting each : waiting.values()) {
      oldest.merge(each.table(), each.since(), (one, two) -> one.isBefore(two) ? one : two);
    }
    return oldest;
  }

  /** The counts so far, added to those of others. */
  void addTo(long[] sum) {
    for (int i = 0; i < counts.length; i++) {
      sum[i] += counts[i];
    }
  }

  long notMeasured() {
    return notMeasured;
  }

  static long[] empty() {
    return new long[BOUNDS.size() + 1];
  }

  /**
   * One bucket.
   *
   * @param upTo its upper bound in seconds, inclusive; {@link Long#MAX_VALUE} for the last
   * @param keys how many keys
   */
  public record Bucket(long upTo, long keys) {}

  static List<Bucket> buckets(long[] counts) {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      buckets.add(new Bucket(i < BOUNDS.size() ? BOUNDS.get(i) : Long.MAX_VALUE, counts[i]));
    }
    return buckets;
  }
}
