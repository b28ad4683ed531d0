package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Turns a key of either side into texts that one side's key columns take. The other side's integer
 * may be a numeric there, whose text has a fraction of zeros; and a number that an integer column
 * cannot hold is no error but a key that no row of this side has. For any thread.
 */
final class LookupKey {

  private final TypeName[] types;

  /** For key columns of these types. */
  LookupKey(List<TypeName> types) {
    this.types = types.toArray(TypeName[]::new);
  }

  /** One text a column; empty if this side can have no row of that key. */
  Optional<String[]> texts(RowKey key) {
    String[] texts = new String[types.length];
    for (int i = 0; i < types.length; i++) {
      String text = key.columns().get(i).text();
      int bits = bits(types[i]);
      texts[i] = bits == 0 || isShortInteger(text, bits) ? text : integer(text, bits);
      if (texts[i] == null) {
        return Optional.empty();
      }
    }
    return Optional.of(texts);
  }

  private static int bits(TypeName type) {
    if (!type.builtIn()) {
      return 0;
    }
    return switch (type.name()) {
      case "int2" -> Short.SIZE;
      case "int4" -> Integer.SIZE;
      case "int8" -> Long.SIZE;
      default -> 0;
    };
  }

  /** What needs no second look: nearly all. */
  private static boolean isShortInteger(String text, int bits) {
    int digits = bits == Short.SIZE ? 4 : bits == Integer.SIZE ? 9 : 18;
    int from = text.startsWith("-") ? 1 : 0;
    if (text.length() == from || text.length() - from > digits) {
      return false;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** Null if no integer of so many bits is this number. What is no number, the server refuses. */
  private static String integer(String text, int bits) {
    if (text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity")) {
      return null;
    }
    if (!text.matches("-?[0-9]+(\\.[0-9]+)?")) {
      return text;
    }
    BigDecimal value = new BigDecimal(text).stripTrailingZeros();
    if (value.scale() > 0) {
      return null;
    }
    BigInteger whole = value.toBigIntegerExact();
    return whole.bitLength() < bits ? whole.toString() : null;
  }
}
