package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.List;

/**
 * Hashes rows of a COPY for digests, version 1: XXH3-128 (seed 0) of the row's line without its
 * newline, in which each value that has a rule of its own stands in its canonical form. The columns
 * are those that the plan compares, in the order of their names, so lines are compared with lines
 * of the same columns only; and the format keeps NULL, empty values and values that hold any
 * separator apart (invariant K). Most lines are hashed as they came. For one thread.
 */
final class LineHasher {

  private static final Hasher128 LINE = Hashing.xxh3_128();

  /** Columns whose text may not be canonical, and their rules. */
  private final int[] places;

  private final ValueRule[] rules;
  private final CanonicalSlice slice = new CanonicalSlice();
  private byte[] canonical = new byte[1024];
  private int length;
  private int copied;

  LineHasher(List<ValueRule> all) {
    places =
        java.util.stream.IntStream.range(0, all.size())
            .filter(place -> rewrites(all.get(place)))
            .toArray();
    rules = new ValueRule[places.length];
    for (int i = 0; i < places.length; i++) {
      rules[i] = all.get(places[i]);
    }
  }

  /**
   * bytea's text has one form as it is. What is made of parts is hashed as printed: that proves
   * equal rows equal, and others are compared one by one.
   */
  private static boolean rewrites(ValueRule rule) {
    return switch (rule) {
      case EXACT_TEXT,
          BYTEA_BYTES,
          JSON_AS_JSONB,
          TEXT_AS_UUID,
          TIMESTAMP_IN_UTC,
          FUNCTION_SIGNATURE,
          OPERATOR_SIGNATURE,
          BY_PARTS ->
          false;
      case NUMERIC_BY_VALUE, FLOAT_SIGNLESS_ZERO, CHAR_WITHOUT_PADDING, MONEY_AS_NUMERIC -> true;
    };
  }

  /**
   * Hashes one row.
   *
   * @param ends where its fields end
   * @param escaped which of them hold a backslash
   */
  HashValue128 hash(byte[] row, int[] ends, boolean[] escaped) {
    copied = 0;
    length = 0;
    for (int i = 0; i < places.length; i++) {
      int from = CopiedRows.start(ends, places[i]);
      int to = ends[places[i]];
      if (escaped[places[i]] && CopiedRows.isNull(row, from, to)) {
        continue;
      }
      // An escape is never at the end of what a rule cuts: those are digits, signs and blanks.
      slice.of(rules[i], row, from, to - from);
      if (slice.start() != from || slice.length() != to - from) {
        copy(row, slice.start() == from ? from + slice.length() : from);
        copied = slice.start() == from ? to : slice.start();
        if (slice.start() != from && slice.start() + slice.length() != to) {
          copy(row, slice.start() + slice.length());
          copied = to;
        }
      }
    }
    int end = row.length - 1;
    if (copied == 0) {
      return LINE.hashBytesTo128Bits(row, 0, end);
    }
    copy(row, end);
    return LINE.hashBytesTo128Bits(canonical, 0, length);
  }

  /** Copies what was not copied yet, up to a place. */
  private void copy(byte[] row, int to) {
    int more = to - copied;
    if (length + more > canonical.length) {
      canonical = java.util.Arrays.copyOf(canonical, Math.max(length + more, row.length));
    }
    System.arraycopy(row, copied, canonical, length, more);
    length += more;
  }
}
