package io.walproof.verifier.core;

import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.row.KeyRead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** A virtual database of one table with a few keys: row versions, and a WAL of transactions. */
final class SimulatedDatabase {

  /** One row change; the value is as {@link #row} makes it. */
  record Change(int key, long value, boolean delete) {}

  private record Version(long value, long xmin) {}

  private final int keys;
  private final Map<Integer, Version> rows = new HashMap<>();
  private final List<List<Change>> wal = new ArrayList<>();
  private int revealed;

  SimulatedDatabase(int keys) {
    this.keys = keys;
  }

  /** A row of two columns, as one number. */
  static long row(int left, int right) {
    return ((long) left << 32) | right;
  }

  static int left(long row) {
    return (int) (row >> 32);
  }

  static int right(long row) {
    return (int) row;
  }

  static String text(long row) {
    return left(row) + "/" + right(row);
  }

  int keys() {
    return keys;
  }

  /** Commits a transaction; its number is its position in the WAL and its xmin. */
  void commit(List<Change> changes) {
    wal.add(List.copyOf(changes));
  }

  /**
   * Lets queries see the transactions up to a number, in order.
   *
   * @return the keys whose rows queries see as they were not before
   */
  Set<Integer> reveal(int upTo) {
    Set<Integer> changed = new TreeSet<>();
    for (; revealed < Math.min(upTo, wal.size()); revealed++) {
      for (Change change : wal.get(revealed)) {
        changed.add(change.key());
        if (change.delete()) {
          rows.remove(change.key());
        } else {
          rows.put(change.key(), new Version(change.value(), revealed + 1));
        }
      }
    }
    return changed;
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

  /** What a query sees of the row; empty if there is none. */
  Optional<Long> row(int key) {
    return Optional.ofNullable(rows.get(key)).map(Version::value);
  }

  /** The row after so many transactions, whether queries see them or not. */
  Optional<Long> rowAfter(int key, int transactions) {
    for (int i = transactions - 1; i >= 0; i--) {
      Optional<Change> last = lastOf(key, i);
      if (last.isPresent()) {
        return last.filter(change -> !change.delete()).map(Change::value);
      }
    }
    return Optional.empty();
  }

  /** How a transaction leaves the row; empty if it does not touch it. */
  Optional<Change> lastOf(int key, int transaction) {
    return wal.get(transaction).stream()
        .filter(change -> change.key() == key)
        .reduce((earlier, later) -> later);
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
