package io.walproof.verifier.ingest;

import io.walproof.verifier.model.VisibleTransactions;
import java.util.Arrays;

/** The transactions of one entry's changes; the same one in a row counts once. Not thread-safe. */
final class TransactionIds {

  /** Where an entry stops taking repeats, so that a hot key's entry stays small. */
  static final int LIMIT = 1_000;

  private long[] ids = new long[1];
  private int size;

  void add(long id) {
    if (size > 0 && ids[size - 1] == id) {
      return;
    }
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, Math.min(LIMIT, size * 2));
    }
    ids[size++] = id;
  }

  boolean isFull() {
    return size == LIMIT;
  }

  boolean allShownBy(VisibleTransactions visible) {
    for (int i = 0; i < size; i++) {
      if (!visible.shows(ids[i])) {
        return false;
      }
    }
    return true;
  }
}
