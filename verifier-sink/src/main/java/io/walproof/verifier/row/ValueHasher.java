package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.List;

/** Hashes rows of a COPY as {@link RowHasher} hashes rows that were looked up. For one thread. */
final class ValueHasher {

  private final RowHasher hasher;
  private final List<ValueRule> rules;
  private final CanonicalSlice slice = new CanonicalSlice();

  ValueHasher(List<String> columns, List<ValueRule> rules) {
    this.hasher = new RowHasher(columns);
    this.rules = rules;
  }

  /**
   * Hashes one row.
   *
   * @param ends where its fields end
   * @param escaped which of them hold a backslash
   */
  HashValue128 hash(byte[] row, int[] ends, boolean[] escaped) {
    hasher.begin();
    for (int c = 0; c < ends.length; c++) {
      int from = CopiedRows.start(ends, c);
      int to = ends[c];
      if (!escaped[c]) {
        add(c, row, from, to - from);
      } else if (CopiedRows.isNull(row, from, to)) {
        hasher.append(c, null, 0, 0);
      } else {
        byte[] plain = CopiedRows.unescape(row, from, to);
        add(c, plain, 0, plain.length);
      }
    }
    return hasher.endRaw();
  }

  private void add(int column, byte[] text, int from, int length) {
    slice.of(rules.get(column), text, from, length);
    hasher.append(column, slice.bytes(), slice.start(), slice.length());
  }
}
