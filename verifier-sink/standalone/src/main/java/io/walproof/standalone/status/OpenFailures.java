package io.walproof.standalone.status;

import io.walproof.contract.RowKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table's confirmed failures that nothing is known to have mended: no later {@code converged}
 * decision of the key, and no range check that proved the whole table and began later. The newest
 * are kept with their evidence, up to a bound; the others are counted. Owned by one thread.
 */
final class OpenFailures {

  /** By the key's columns in any order: a range check has its index's, a change its table's. */
  private final Map<Map<String, String>, Failure> kept = new LinkedHashMap<>();

  private long beyond;
  private Instant lastBeyond = Instant.MIN;

  /**
   * A failure was confirmed.
   *
   * @param most how many may be kept
   * @param full whether no more may be kept than are
   */
  void confirmed(Failure failure, int most, boolean full) {
    int before = kept.size();
    kept.remove(failure.key().asMap());
    kept.put(failure.key().asMap(), failure);
    if (kept.size() > (full ? Math.max(1, before) : most)) {
      Iterator<Failure> oldest = kept.values().iterator();
      Failure dropped = oldest.next();
      oldest.remove();
      beyond++;
      lastBeyond = dropped.at().isAfter(lastBeyond) ? dropped.at() : lastBeyond;
    }
  }

  /** Both rows were equal then. */
  void converged(RowKey key, Instant at) {
    Failure failure = kept.get(key.asMap());
    if (failure != null && !failure.at().isAfter(at)) {
      kept.remove(key.asMap());
    }
  }

  /** A range check that began then has proved the whole table. */
  void proved(Instant began) {
    kept.values().removeIf(failure -> failure.at().isBefore(began));
    if (beyond > 0 && lastBeyond.isBefore(began)) {
      beyond = 0;
    }
  }

  /** How many are open. */
  long count() {
    return kept.size() + beyond;
  }

  /** How many are kept with their evidence. */
  int size() {
    return kept.size();
  }

  /** Newest first. */
  List<Failure> kept() {
    List<Failure> newest = new ArrayList<>(kept.values());
    Collections.reverse(newest);
    return newest;
  }
}
