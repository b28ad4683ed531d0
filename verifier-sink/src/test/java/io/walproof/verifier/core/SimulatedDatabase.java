package io.walproof.verifier.core;

import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.row.KeyRead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A virtual database of one table with a few keys: row versions, and a WAL of transactions. */
final class SimulatedDatabase {

  /** One row change. */
  record Change(int key, long value, boolean delete) {}

  private record Version(long value, long xmin) {}

  private final int keys;
  private final Map<Integer, Version> rows = new HashMap<>();
  private final List<List<Change>> wal = new ArrayList<>();
  private int revealed;

  SimulatedDatabase(int keys) {
    this.keys = keys;
  }

  int keys() {
    return keys;
  }

  /** Commits a transaction; its number is its position in the WAL and its xmin. */
  void commit(List<Change> changes) {
    wal.add(List.copyOf(changes));
  }

  /** Lets queries see the transactions up to a number, in order. */
  void reveal(int upTo) {
    for (; revealed < Math.min(upTo, wal.size()); revealed++) {
      for (Change change : wal.get(revealed)) {
        if (change.delete()) {
          rows.remove(change.key());
        } else {
          rows.put(change.key(), new Version(change.value(), revealed + 1));
        }
      }
    }
  }

  /** How many transactions queries see. */
  int revealed() {
    return revealed;
  }

  /** Whether a transaction that queries do not see yet holds the row's lock. */
  boolean isLocked(int key) {
    return wal.subList(revealed, wal.size()).stream()
        .flatMap(List::stream)
        .anyMatch(change -> change.key() == key);
  }

  int transactions() {
    return wal.size();
  }

  List<Change> transaction(int number) {
    return wal.get(number);
  }

  boolean holds(int key) {
    return rows.containsKey(key);
  }

  long value(int key) {
    return rows.get(key).value();
  }

  KeyRead read(int key) {
    Version version = rows.get(key);
    return version == null
        ? new KeyRead.NotFound()
        : new KeyRead.Found(
            new RowHash(0, version.value()),
            version.xmin(),
            new long[] {version.value()},
            OptionalLong.empty());
  }
}
