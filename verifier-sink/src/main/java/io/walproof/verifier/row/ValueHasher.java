package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.Arrays;
import java.util.List;

/** Hashes rows of a COPY as {@link RowHasher} hashes rows that were looked up. For one thread. */
final class ValueHasher {

  private final RowHasher hasher;
  private final List<ValueForm> forms;
  private final CanonicalSlice slice = new CanonicalSlice();

  ValueHasher(List<String> columns, List<ValueForm> forms) {
    this.hasher = new RowHasher(columns);
    this.forms = forms;
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
    ValueForm form = forms.get(column);
    if (!(form instanceof ValueForm.Plain)) {
      byte[] parts = form.canonical(Arrays.copyOfRange(text, from, from + length));
      hasher.append(column, parts, 0, parts.length);
      return;
    }
    slice.of(form.rule(), text, from, length);
    hasher.append(column, slice.bytes(), slice.start(), slice.length());
  }
}
