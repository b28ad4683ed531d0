package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads a range of keys in an open transaction. For one thread. Keeps a statement's result near
 * {@link RowSettings#fetchBytes()}: a narrow table's batch is one statement, a wide one's several.
 * Where values may be long, no result has more than twice that, but for a single row, which has at
 * most {@link RowSettings#rowMaxBytes()}: the server leaves values out that would go beyond.
 */
final class KeyLookup {

  /** Keys of a table's very first statement, whose width nobody knows yet. */
  private static final int FIRST_KEYS = 200;

  private final SidePlan side;
  private final int fetchBytes;
  private final int rowMaxBytes;
  private final RowHasher hasher;
  private final LookupKey lookupKey;

  KeyLookup(PlannedTable plan, SidePlan side, RowSettings settings) {
    this.side = side;
    this.fetchBytes = settings.fetchBytes();
    this.rowMaxBytes = settings.rowMaxBytes();
    this.hasher = new RowHasher(plan.comparedColumns());
    this.lookupKey = LookupKey.of(side.catalog(), plan.keyColumns());
  }

  /**
   * Reads the keys from {@code from} (inclusive) to {@code to} (exclusive) into the same places of
   * {@code results}, which means nothing after an exception.
   *
   * @return whether the catalog still is what the plan was made from
   */
  boolean read(Session session, List<RowKey> keys, KeyRead[] results, int from, int to)
      throws SQLException {
    java.util.Arrays.fill(results, from, to, null);
    int at = from;
    while (at < to) {
      int end = Math.min(to, at + keysPerStatement());
      readOnce(session, keys, results, at, end);
      at = end;
    }
    for (int i = from; i < to; i++) {
      if (results[i] == null) {
        results[i] = new KeyRead.NotFound();
      }
    }
    return CatalogReader.fingerprint(session, side.catalog()).equals(side.catalog().fingerprint());
  }

  private int keysPerStatement() {
    int width = side.rowBytes();
    return width == 0 ? FIRST_KEYS : Math.max(1, fetchBytes / width);
  }

  /**
   * A row whose values were left out.
   *
   * @param place the key's
   * @param bytes how long the row is
   */
  private record LongRow(int place, long bytes) {}

  private void readOnce(Session session, List<RowKey> keys, KeyRead[] results, int from, int to)
      throws SQLException {
    int[] places = IndexOrder.of(keys, from, to);
    long share = Math.max(1, 2L * fetchBytes / places.length);
    List<LongRow> left = fetch(session, keys, results, places, Math.min(share, rowMaxBytes));
    while (!left.isEmpty()) {
      int count = 0;
      long bytes = 0;
      while (count < left.size() && (count == 0 || bytes + left.get(count).bytes() <= fetchBytes)) {
        bytes += left.get(count++).bytes();
      }
      int[] some = left.stream().limit(count).mapToInt(LongRow::place).toArray();
      fetch(session, keys, results, some, rowMaxBytes);
      left = left.subList(count, left.size());
    }
  }

  /**
   * One statement.
   *
   * @param most how long a row may be to be sent
   * @return the rows that are longer, and not too long at all
   */
  private List<LongRow> fetch(
      Session session, List<RowKey> keys, KeyRead[] results, int[] places, long most)
      throws SQLException {
    LookupKey.Batch batch = lookupKey.batch(keys, places);
    return session.query(
        side.sql(),
        binder -> {
          batch.bind(binder);
          if (side.sized()) {
            binder.text(Long.toString(most));
          }
        },
        rows -> collect(rows, results, batch, most));
  }

  private List<LongRow> collect(ResultSet rows, KeyRead[] results, LookupKey.Batch batch, long most)
      throws SQLException {
    Map<Integer, LongRow> left = new LinkedHashMap<>();
    long bytes = 0;
    int count = 0;
    byte[][] values = new byte[side.forms().size()][];
    int sizeColumn = values.length + (side.app() ? 4 : 3);
    while (rows.next()) {
      int place = batch.place(rows.getInt(1));
      long size = side.sized() ? rows.getLong(sizeColumn) : 0;
      // Without a unique index there may be many rows of a key, and none of them is needed.
      if (results[place] != null || left.remove(place) != null) {
        results[place] = notUnique();
      } else if (size > rowMaxBytes) {
        results[place] = tooLarge(rows.getLong(2));
      } else if (size > most) {
        left.put(place, new LongRow(place, size));
      } else {
        for (int c = 0; c < values.length; c++) {
          values[c] = rows.getBytes(c + 3);
          bytes += values[c] == null ? 0 : values[c].length;
        }
        count++;
        results[place] = hashed(values, rows.getLong(2), app(rows, values.length + 3));
      }
    }
    if (count > 0) {
      side.sawRowBytes((int) Math.min(Integer.MAX_VALUE, bytes / count));
    }
    return List.copyOf(left.values());
  }

  private KeyRead notUnique() {
    return new KeyRead.Unreadable(
        IncompleteReason.NOT_UNIQUE,
        "more than one row of "
            + side.catalog().table()
            + " on the "
            + side.side().text()
            + " has this key");
  }

  private KeyRead tooLarge(long xmin) {
    return new KeyRead.Unreadable(
        IncompleteReason.ROW_TOO_LARGE,
        "the row on the "
            + side.side().text()
            + " is longer than verify.row.max.bytes="
            + rowMaxBytes
            + "; raise it if the heap has five times as much, or leave the column out with"
            + " verify.columns.exclude",
        OptionalLong.of(xmin));
  }

  private OptionalLong app(ResultSet rows, int column) throws SQLException {
    if (!side.app()) {
      return OptionalLong.empty();
    }
    long app = rows.getLong(column);
    return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(app);
  }

  private KeyRead hashed(byte[][] values, long xmin, OptionalLong app) {
    long[] columnHashes = new long[values.length];
    try {
      hasher.begin();
      for (int c = 0; c < values.length; c++) {
        byte[] value = values[c];
        columnHashes[c] =
            hasher.add(c, value == null ? null : side.forms().get(c).canonical(value));
      }
    } catch (ArithmeticException e) {
      return new KeyRead.Unreadable(
          IncompleteReason.NOT_COMPARABLE, "the row is longer than 2 GiB as text");
    } catch (MalformedValueException e) {
      return new KeyRead.Unreadable(IncompleteReason.NOT_COMPARABLE, e.getMessage());
    }
    RowHash hash = hasher.end();
    return new KeyRead.Found(hash, xmin, columnHashes, app);
  }
}
