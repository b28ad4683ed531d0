package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads a range of keys in an open transaction. For one thread. Keeps a statement's result near
 * {@link RowSettings#fetchBytes()}: a narrow table's batch is one statement, a wide one's several.
 */
final class KeyLookup {

  /** Keys of a table's very first statement, whose width nobody knows yet. */
  private static final int FIRST_KEYS = 200;

  private final PlannedTable plan;
  private final SidePlan side;
  private final int fetchBytes;
  private final RowHasher hasher;
  private final LookupKey lookupKey;

  KeyLookup(PlannedTable plan, SidePlan side, int fetchBytes) {
    this.plan = plan;
    this.side = side;
    this.fetchBytes = fetchBytes;
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
    return CatalogReader.fingerprint(session, plan.table(), side.catalog())
        .equals(side.catalog().fingerprint());
  }

  private int keysPerStatement() {
    int width = side.rowBytes();
    return width == 0 ? FIRST_KEYS : Math.max(1, fetchBytes / width);
  }

  private void readOnce(Session session, List<RowKey> keys, KeyRead[] results, int from, int to)
      throws SQLException {
    LookupKey.Batch batch = lookupKey.batch(keys, IndexOrder.of(keys, from, to));
    session.query(
        side.sql(),
        batch,
        rows -> {
          collect(rows, results, batch);
          return null;
        });
  }

  private void collect(ResultSet rows, KeyRead[] results, LookupKey.Batch batch)
      throws SQLException {
    long bytes = 0;
    int count = 0;
    byte[][] values = new byte[side.forms().size()][];
    while (rows.next()) {
      int place = batch.place(rows.getInt(1));
      long xmin = rows.getLong(2);
      for (int c = 0; c < values.length; c++) {
        values[c] = rows.getBytes(c + 3);
        bytes += values[c] == null ? 0 : values[c].length;
      }
      count++;
      results[place] =
          results[place] == null
              ? hashed(values, xmin, app(rows, values.length + 3))
              : new KeyRead.Unreadable(
                  IncompleteReason.NOT_UNIQUE,
                  "more than one row of "
                      + plan.table()
                      + " on the "
                      + side.side().text()
                      + " has this key");
    }
    if (count > 0) {
      side.sawRowBytes((int) Math.min(Integer.MAX_VALUE, bytes / count));
    }
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
