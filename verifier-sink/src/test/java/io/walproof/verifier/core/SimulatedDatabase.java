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

  SimulatedDatabase(int keys) {
    this.keys = keys;
  }

  int keys() {
    return keys;
  }

  /** Commits a transaction; its number is its position in the WAL and its xmin. */
  void commit(List<Change> changes) {
    wal.add(List.copyOf(changes));
    long xmin = wal.size();
    for (Change change : changes) {
      if (change.delete()) {
        rows.remove(change.key());
      } else {
        rows.put(change.key(), new Version(change.value(), xmin));
      }
    }
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
