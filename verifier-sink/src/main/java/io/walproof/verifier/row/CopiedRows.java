package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.walproof.verifier.row.RangeAccess.Content;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Takes rows in PostgreSQL's text COPY format into a chunk: fields end with a tab, rows with a
 * newline, NULL is {@code \N}, and a backslash escapes. For one thread and one chunk.
 */
final class CopiedRows {

  private static final byte TAB = '\t';
  private static final byte NEWLINE = '\n';
  private static final byte BACKSLASH = '\\';

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << 7;
  private static final long CONTROLS = ONES * (NEWLINE + 1);
  private static final long BACKSLASHES = ONES * BACKSLASH;

  private final Content content;
  private final int fields;
  private final int[] keyPlaces;
  private final LineHasher lines;
  private final ValueHasher values;
  private final RowsChunk chunk;

  /** Where the fields of the row at hand end; each begins behind the one before and its tab. */
  private final int[] ends;

  private final boolean[] escaped;

  CopiedRows(
      Content content,
      List<String> columns,
      List<ValueForm> forms,
      List<Integer> keyPlaces,
      RowsChunk chunk) {
    this.content = content;
    this.fields = forms.size();
    this.keyPlaces = keyPlaces.stream().mapToInt(Integer::intValue).toArray();
    this.lines = new LineHasher(forms.stream().map(ValueForm::rule).toList());
    this.values = new ValueHasher(columns, forms);
    this.chunk = chunk;
    this.ends = new int[fields];
    this.escaped = new boolean[fields];
  }

  /** For what a side's statement yields. */
  static CopiedRows of(Content content, RangeSide side, RowsChunk chunk) {
    if (content == Content.KEYS) {
      List<Integer> places =
          java.util.stream.IntStream.range(0, side.keyPlaces().size()).boxed().toList();
      List<ValueForm> forms = side.keyPlaces().stream().map(side.side().forms()::get).toList();
      List<String> columns = side.keyPlaces().stream().map(side.columns()::get).toList();
      return new CopiedRows(content, columns, forms, places, chunk);
    }
    return new CopiedRows(content, side.columns(), side.side().forms(), side.keyPlaces(), chunk);
  }

  /** Takes one row. */
  void take(byte[] row) throws SQLException {
    try {
      split(row);
      chunk.beginRow();
      for (int place : keyPlaces) {
        key(row, place);
      }
      switch (content) {
        case LINES -> end(lines.hash(row, ends, escaped), row);
        case ROWS -> end(values.hash(row, ends, escaped), row);
        case KEYS -> chunk.endRow(0, 0, row.length);
      }
    } catch (ArithmeticException e) {
      throw new SQLException("a row is longer than 2 GiB as text", "54000", e);
    } catch (MalformedValueException e) {
      throw new SQLException(e.getMessage(), "22P02", e);
    }
  }

  private void end(HashValue128 hash, byte[] row) {
    chunk.endRow(hash.getMostSignificantBits(), hash.getLeastSignificantBits(), row.length);
  }

  private void split(byte[] row) throws SQLException {
    int field = 0;
    boolean escape = false;
    int last = row.length - 1;
    int at = next(row, 0);
    while (at <= last) {
      byte b = row[at];
      if (b == TAB || b == NEWLINE) {
        if (field == fields || (b == NEWLINE) != (at == last)) {
          throw malformed();
        }
        ends[field] = at;
        escaped[field++] = escape;
        escape = false;
      } else if (b == BACKSLASH) {
        escape = true;
        at++;
      }
      at = next(row, at + 1);
    }
    if (field != fields || row[last] != NEWLINE) {
      throw malformed();
    }
  }

  /**
   * The first place from {@code at} on that may hold one of the three bytes that mean something;
   * the row's length if there is none. Looks at eight bytes together, because on a fast link most
   * of the time would go here: a bit of {@code found} is set for the first byte that is below
   * {@code 0x0B} or a backslash, and for none before it.
   */
  private static int next(byte[] row, int from) {
    int at = from;
    while (at <= row.length - Long.BYTES) {
      long word = (long) WORDS.get(row, at);
      long other = word ^ BACKSLASHES;
      long found = (((word - CONTROLS) & ~word) | ((other - ONES) & ~other)) & HIGH_BITS;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
      at += Long.BYTES;
    }
    while (at < row.length && row[at] != TAB && row[at] != NEWLINE && row[at] != BACKSLASH) {
      at++;
    }
    return at;
  }

  private static SQLException malformed() {
    return new SQLException("a COPY row has another number of fields than asked for", "08P01");
  }

  private void key(byte[] row, int place) throws SQLException {
    int from = start(ends, place);
    int to = ends[place];
    if (!escaped[place]) {
      chunk.addKeyPart(row, from, to - from);
    } else if (isNull(row, from, to)) {
      throw new SQLException("a key column is NULL", "23502");
    } else {
      byte[] plain = unescape(row, from, to);
      chunk.addKeyPart(plain, 0, plain.length);
    }
  }

  static int start(int[] ends, int field) {
    return field == 0 ? 0 : ends[field - 1] + 1;
  }

  static boolean isNull(byte[] row, int from, int to) {
    return to - from == 2 && row[from] == BACKSLASH && row[from + 1] == 'N';
  }

  static byte[] unescape(byte[] row, int from, int to) {
    byte[] plain = new byte[to - from];
    int length = 0;
    for (int at = from; at < to; at++) {
      byte b = row[at];
      if (b == BACKSLASH) {
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
