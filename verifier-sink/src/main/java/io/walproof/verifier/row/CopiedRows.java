package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Takes rows in PostgreSQL's text COPY format into a chunk: fields end with a tab, rows with a
 * newline, NULL is {@code \N}, and a backslash escapes. Hashes them as {@link RowHasher} does. For
 * one thread and one chunk.
 */
final class CopiedRows {

  private final RowHasher hasher;
  private final List<ValueRule> rules;
  private final boolean[] keyField;
  private final List<Integer> keyPlaces;
  private final boolean hashed;
  private final RowsChunk chunk;

  /** Field places of the row at hand: where each one's text lies, and in which array. */
  private final byte[][] texts;

  private final int[] starts;
  private final int[] lengths;

  private final CanonicalSlice slice = new CanonicalSlice();

  CopiedRows(
      List<String> hashedColumns,
      List<ValueRule> rules,
      List<Integer> keyPlaces,
      boolean hashed,
      RowsChunk chunk) {
    this.hasher = new RowHasher(hashedColumns);
    this.rules = rules;
    this.keyPlaces = keyPlaces;
    this.hashed = hashed;
    this.chunk = chunk;
    this.keyField = new boolean[rules.size()];
    keyPlaces.forEach(place -> keyField[place] = true);
    this.texts = new byte[rules.size()][];
    this.starts = new int[rules.size()];
    this.lengths = new int[rules.size()];
  }

  /** Rows with all compared columns. */
  static CopiedRows whole(RangeSide side, RowsChunk chunk) {
    return new CopiedRows(side.columns(), side.side().rules(), side.keyPlaces(), true, chunk);
  }

  /** Rows with the key columns only, in the plan's order; they get no hash. */
  static CopiedRows keysOnly(RangeSide side, RowsChunk chunk) {
    List<Integer> places =
        java.util.stream.IntStream.range(0, side.keyPlaces().size()).boxed().toList();
    List<ValueRule> rules = side.keyPlaces().stream().map(side.side().rules()::get).toList();
    return new CopiedRows(List.of(), rules, places, false, chunk);
  }

  /** Takes one row. */
  void take(byte[] row) throws SQLException {
    try {
      split(row);
      chunk.beginRow();
      for (int place : keyPlaces) {
        chunk.addKeyPart(texts[place], starts[place], lengths[place]);
      }
      if (!hashed) {
        chunk.endRow(0, 0, row.length);
        return;
      }
      hasher.begin();
      for (int c = 0; c < texts.length; c++) {
        if (texts[c] == null) {
          hasher.append(c, null, 0, 0);
        } else {
          slice.of(rules.get(c), texts[c], starts[c], lengths[c]);
          hasher.append(c, slice.bytes(), slice.start(), slice.length());
        }
      }
      HashValue128 hash = hasher.endRaw();
      chunk.endRow(hash.getMostSignificantBits(), hash.getLeastSignificantBits(), row.length);
    } catch (ArithmeticException e) {
      throw new SQLException("a row is longer than 2 GiB as text", "54000", e);
    }
  }

  private void split(byte[] row) throws SQLException {
    int field = 0;
    int start = 0;
    boolean escaped = false;
    for (int at = 0; at < row.length; at++) {
      byte b = row[at];
      if (b == '\t' || b == '\n') {
        if (field == texts.length) {
          throw malformed();
        }
        place(field++, row, start, at, escaped);
        start = at + 1;
        escaped = false;
      } else if (b == '\\') {
        escaped = true;
        at++;
      }
    }
    if (field != texts.length || start != row.length) {
      throw malformed();
    }
  }

  private static SQLException malformed() {
    return new SQLException("a COPY row has another number of fields than asked for", "08P01");
  }

  private void place(int field, byte[] row, int from, int to, boolean escaped) throws SQLException {
    if (!escaped) {
      texts[field] = row;
      starts[field] = from;
      lengths[field] = to - from;
    } else if (to - from == 2 && row[from] == '\\' && row[from + 1] == 'N') {
      if (keyField[field]) {
        throw new SQLException("a key column is NULL", "23502");
      }
      texts[field] = null;
    } else {
      byte[] plain = unescape(row, from, to);
      texts[field] = plain;
      starts[field] = 0;
      lengths[field] = plain.length;
    }
  }

  private static byte[] unescape(byte[] row, int from, int to) {
    byte[] plain = new byte[to - from];
    int length = 0;
    for (int at = from; at < to; at++) {
      byte b = row[at];
      if (b == '\\') {
        at++;
        b =
            switch (row[at]) {
              case 'b' -> '\b';
              case 'f' -> '\f';
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              case 'v' -> 0x0B;
              default -> row[at];
            };
      }
      plain[length++] = b;
    }
    return Arrays.copyOf(plain, length);
  }
}
