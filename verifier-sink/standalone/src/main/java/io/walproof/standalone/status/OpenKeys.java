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
 * A table's keys whose last word is not a good one: confirmed failures that nothing is known to
 * have mended, or checks that ended without a judgement and were not made up for. A later decision
 * of the key closes one, and so does a range check that proved the whole table and began later. The
 * newest are kept with their evidence, up to a bound; the others are counted, and only a proof
 * closes them. A key that was dropped and is opened again counts twice: never too little. Owned by
 * one thread.
 */
final class OpenKeys {

  /** By the key's columns in any order: a range check has its index's, a change its table's. */
  private final Map<Map<String, String>, Failure> kept = new LinkedHashMap<>();

  private long beyond;
  private Instant lastBeyond = Instant.MIN;

  /**
   * A decision opened its key.
   *
   * @param most how many may be kept
   * @param full whether no more may be kept than are
   */
  void opened(Failure decision, int most, boolean full) {
    int before = kept.size();
    kept.remove(decision.key().asMap());
    kept.put(decision.key().asMap(), decision);
    if (kept.size() > (full ? Math.max(1, before) : most)) {
      Iterator<Failure> oldest = kept.values().iterator();
      Failure dropped = oldest.next();
      oldest.remove();
      count(1, dropped.at());
    }
  }

  private void count(long more, Instant at) {
    beyond += more;
    lastBeyond = at.isAfter(lastBeyond) ? at : lastBeyond;
  }

  /** Takes another's over as a number only. */
  void countAll(OpenKeys other) {
    other.kept.values().forEach(decision -> count(1, decision.at()));
    if (other.beyond > 0) {
      count(other.beyond, other.lastBeyond);
    }
  }

  /** The key's next word was spoken then. */
  void closed(RowKey key, Instant at) {
    Failure decision = kept.get(key.asMap());
    if (decision != null && !decision.at().isAfter(at)) {
      kept.remove(key.asMap());
    }
  }

  /** A range check that began then has proved the whole table. */
  void proved(Instant began) {
    kept.values().removeIf(decision -> decision.at().isBefore(began));
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
