package io.walproof.connector.drift;

import io.walproof.connector.schema.StoredColumn;
import java.util.Map;

/**
 * Whether values that fitted a column's type may not fit its new one. What the table does not know
 * counts as narrowing: nothing is called safe without proof.
 */
final class Narrowing {

  private static final long BYTEA = 17;
  private static final long NAME = 19;
  private static final long INT8 = 20;
  private static final long INT2 = 21;
  private static final long INT4 = 23;
  private static final long TEXT = 25;
  private static final long FLOAT4 = 700;
  private static final long FLOAT8 = 701;
  private static final long BPCHAR = 1042;
  private static final long VARCHAR = 1043;
  private static final long TIME = 1083;
  private static final long TIMESTAMP = 1114;
  private static final long TIMESTAMPTZ = 1184;
  private static final long INTERVAL = 1186;
  private static final long TIMETZ = 1266;
  private static final long BIT = 1560;
  private static final long VARBIT = 1562;
  private static final long NUMERIC = 1700;

  /** Decimal digits that an integer type may need. */
  private static final Map<Long, Integer> DIGITS = Map.of(INT2, 5, INT4, 10, INT8, 19);

  /** Bits of integers that a float type holds exactly. */
  private static final Map<Long, Integer> MANTISSA = Map.of(FLOAT4, 24, FLOAT8, 53);

  private static final Map<Long, Integer> BITS = Map.of(INT2, 16, INT4, 32, INT8, 64);

  private Narrowing() {}

  /** Whether the change of type or modifier may narrow. */
  static boolean between(StoredColumn before, StoredColumn after) {
    return before.type().equals(after.type())
        ? modifierNarrows(before.typeOid(), before.typeModifier(), after.typeModifier())
        : typeNarrows(before, after);
  }

  private static boolean modifierNarrows(long type, int before, int after) {
    if (before == after) {
      return false;
    }
    if (type == BIT) {
      // A bit(n) holds exactly n bits, neither fewer nor more.
      return true;
    }
    if (after == -1) {
      return type != BPCHAR
          && type != VARCHAR
          && type != VARBIT
          && type != NUMERIC
          && type != INTERVAL
          && !hasFractionalSeconds(type);
    }
    if (type == VARCHAR || type == BPCHAR || type == VARBIT) {
      return before == -1 || after < before;
    }
    if (hasFractionalSeconds(type)) {
      // Without a modifier there are six digits, the most there can be.
      return after < (before == -1 ? 6 : before);
    }
    if (type == NUMERIC) {
      return before == -1
          || scale(after) < scale(before)
          || precision(after) - scale(after) < precision(before) - scale(before);
    }
    return true;
  }

  private static boolean hasFractionalSeconds(long type) {
    return type == TIME || type == TIMETZ || type == TIMESTAMP || type == TIMESTAMPTZ;
  }

  private static boolean typeNarrows(StoredColumn before, StoredColumn after) {
    long to = after.typeOid();
    int modifier = after.typeModifier();
    if (to == TEXT || (to == VARCHAR && modifier == -1)) {
      // Every type has a text form. Binary data as text is another matter.
      return before.typeOid() == BYTEA;
    }
    long from = before.typeOid();
    if (to == VARCHAR && (from == BPCHAR || from == NAME)) {
      int needed = from == NAME ? 63 + 4 : before.typeModifier();
      return needed == -1 || modifier < needed;
    }
    Integer digits = DIGITS.get(from);
    if (digits == null) {
      return !(from == FLOAT4 && to == FLOAT8);
    }
    if (DIGITS.containsKey(to)) {
      return DIGITS.get(to) < digits;
    }
    if (MANTISSA.containsKey(to)) {
      return MANTISSA.get(to) < BITS.get(from);
    }
    return to != NUMERIC || (modifier != -1 && precision(modifier) - scale(modifier) < digits);
  }

  private static int precision(int numericModifier) {
    return ((numericModifier - 4) >> 16) & 0xFFFF;
  }

  /** A signed 11-bit number. */
  private static int scale(int numericModifier) {
    return (((numericModifier - 4) & 0x7FF) ^ 1024) - 1024;
  }
}
