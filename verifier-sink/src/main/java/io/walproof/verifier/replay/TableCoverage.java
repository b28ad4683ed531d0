package io.walproof.verifier.replay;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which subscriptions carry one table, from {@link SubscriptionSql#COVERAGE}'s rows. A table is
 * carried when it, or what it is a partition of, is subscribed and ready, or when all of its leaf
 * partitions are.
 */
final class TableCoverage {

  private static final String READY = "r";

  private final Set<String> subscriptions = new HashSet<>();
  private final Map<String, Boolean> leaves = new HashMap<>();
  private boolean direct;
  private boolean unready;

  /**
   * Takes one row.
   *
   * @param leaf the leaf's OID, null for the table or its ancestors
   * @param subscription the subscription's OID, null where a leaf has none
   * @param state {@code srsubstate}
   */
  void add(String leaf, String subscription, String state) {
    boolean ready = READY.equals(state);
    if (subscription != null) {
      subscriptions.add(subscription);
      unready |= !ready;
    }
    if (leaf == null) {
      direct = true;
    } else {
      leaves.merge(leaf, ready, Boolean::logicalOr);
    }
  }

  /** Whether the table's changes reach it, with its initial copy behind it. */
  boolean ready() {
    boolean byLeaves = !leaves.isEmpty() && leaves.values().stream().allMatch(ready -> ready);
    return !unready && (direct || byLeaves);
  }

  /** The OIDs of the subscriptions that all must have passed. */
  Set<String> subscriptions() {
    return subscriptions;
  }
}
