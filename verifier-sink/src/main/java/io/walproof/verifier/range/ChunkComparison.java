package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowsChunk;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Pairs a source chunk's rows with the target's by row hash, which covers the key. For one thread.
 *
 * <p>It does not matter whether both sides sort alike: a source row is proved by a target row with
 * its hash, wherever that came from; every other one is named.
 */
final class ChunkComparison {

  private final RangePlan plan;
  private final RowsChunk source;
  private final BitSet paired = new BitSet();

  /** Open addressing over the source rows' hashes: place of a row plus one, 0 for none. */
  private final int[] slots;

  ChunkComparison(RangePlan plan, RowsChunk source) {
    this.plan = plan;
    this.source = source;
    this.slots = new int[Integer.highestOneBit(Math.max(1, source.size())) * 4];
    for (int row = 0; row < source.size(); row++) {
      int slot = slot(source.low(row));
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = row + 1;
    }
  }

  private int slot(long low) {
    return (int) low & (slots.length - 1);
  }

  /**
   * Takes target rows.
   *
   * @return the keys of those that no source row of the chunk is equal to, nor has the key of
   */
  List<RowKey> take(RowsChunk target) {
    boolean comparable = source.hashed() && target.hashed();
    BitSet extra = new BitSet();
    for (int row = 0; row < target.size(); row++) {
      if (!comparable || !pair(target.high(row), target.low(row))) {
        extra.set(row);
      }
    }
    if (extra.isEmpty()) {
      return List.of();
    }
    Set<List<String>> open = open();
    List<RowKey> keys = new ArrayList<>();
    extra.stream()
        .mapToObj(target::key)
        .filter(key -> !open.contains(plan.canonical(Side.TARGET, key)))
        .forEach(keys::add);
    return keys;
  }

  /** Whether this target key is one of a source row that no target row was equal to so far. */
  boolean isOpen(RowKey target) {
    return open().contains(plan.canonical(Side.TARGET, target));
  }

  private Set<List<String>> open() {
    Set<List<String>> open = new HashSet<>();
    unpaired().forEach(key -> open.add(plan.canonical(Side.SOURCE, key)));
    return open;
  }

  private boolean pair(long high, long low) {
    int slot = slot(low);
    while (slots[slot] != 0) {
      int row = slots[slot] - 1;
      if (source.low(row) == low && source.high(row) == high && !paired.get(row)) {
        paired.set(row);
        return true;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return false;
  }

  /** The keys of source rows that no target row was equal to so far. */
  List<RowKey> unpaired() {
    List<RowKey> keys = new ArrayList<>();
    for (int row = paired.nextClearBit(0);
        row < source.size();
        row = paired.nextClearBit(row + 1)) {
      keys.add(source.key(row));
    }
    return keys;
  }
}
