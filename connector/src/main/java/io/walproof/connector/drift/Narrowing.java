package io.walproof.connector.drift;

import io.walproof.connector.schema.BuiltInTypes;
import io.walproof.connector.schema.StoredColumn;
import io.walproof.connector.schema.TypeModifier;
import io.walproof.connector.schema.TypeModifier.IntervalField;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Whether values that fitted a column's type may not fit its new one, or come out as others. What
 * the tables here do not know counts as narrowing: nothing is called safe without proof.
 *
 * <p>A message tells a domain by the type below it and no more, so a column that becomes a domain
 * is narrowing (the domain may check), and one that was a domain is judged by the type below.
 */
final class Narrowing {

  private static final int BOOL = 16;
  private static final int BYTEA = 17;
  private static final int NAME = 19;
  private static final int INT8 = 20;
  private static final int INT2 = 21;
  private static final int INT4 = 23;
  private static final int TEXT = 25;
  private static final int OID = 26;
  private static final int JSON = 114;
  private static final int CIDR = 650;
  private static final int FLOAT4 = 700;
  private static final int FLOAT8 = 701;
  private static final int MACADDR8 = 774;
  private static final int MACADDR = 829;
  private static final int INET = 869;
  private static final int BPCHAR = 1042;
  private static final int VARCHAR = 1043;
  private static final int TIME = 1083;
  private static final int TIMESTAMP = 1114;
  private static final int TIMESTAMPTZ = 1184;
  private static final int INTERVAL = 1186;
  private static final int TIMETZ = 1266;
  private static final int BIT = 1560;
  private static final int VARBIT = 1562;
  private static final int NUMERIC = 1700;
  private static final int UUID = 2950;
  private static final int JSONB = 3802;

  private static final int NONE = TypeModifier.NONE;

  /** Digits behind the second where a type does not limit them. */
  private static final int MICROSECONDS = 6;

  /** The longest {@code name}, in bytes and so in characters. */
  private static final int NAME_LENGTH = 63;

  /** Types that hold every value of another, whatever the modifiers. */
  private static final Map<Integer, Set<Integer>> WIDER =
      Map.of(
          INT2, Set.of(INT4, INT8, FLOAT4, FLOAT8),
          INT4, Set.of(INT8, FLOAT8),
          OID, Set.of(INT8),
          FLOAT4, Set.of(FLOAT8),
          CIDR, Set.of(INET),
          MACADDR, Set.of(MACADDR8),
          JSONB, Set.of(JSON));

  /** Decimal digits that an integer type may need. */
  private static final Map<Integer, Integer> DIGITS = Map.of(INT2, 5, INT4, 10, INT8, 19);

  /** Characters of the longest value's text. */
  private static final Map<Integer, Integer> CHARACTERS =
      Map.of(INT2, 6, INT4, 11, INT8, 20, BOOL, 5, UUID, 36, NAME, NAME_LENGTH);

  private Narrowing() {}

  /** Whether the change of type or modifier may narrow. */
  static boolean between(StoredColumn before, StoredColumn after) {
    if (before.type().equals(after.type())) {
      return before.typeModifier() != after.typeModifier()
          && !(before.typeOid() != -1
              && sameTypeHolds(before.typeOid(), before.typeModifier(), after.typeModifier()));
    }
    if (after.typeOid() == -1) {
      return true;
    }
    return !holds(
        before.valueTypeOid(), before.typeModifier(), after.typeOid(), after.typeModifier());
  }

  private static boolean holds(long from, int fromModifier, long to, int toModifier) {
    if (from == to) {
      return sameTypeHolds(from, fromModifier, toModifier);
    }
    if (to == TEXT || (to == VARCHAR && toModifier == NONE)) {
      // Every type has a text form. How binary data is written as text is a matter of settings.
      return from != BYTEA && BuiltInTypes.element(from).orElse(-1) != BYTEA;
    }
    OptionalLong fromElement = BuiltInTypes.element(from);
    OptionalLong toElement = BuiltInTypes.element(to);
    if (fromElement.isPresent() && toElement.isPresent()) {
      return holds(fromElement.getAsLong(), fromModifier, toElement.getAsLong(), toModifier);
    }
    if (from < 0 || from > Integer.MAX_VALUE || to > Integer.MAX_VALUE) {
      return false;
    }
    return otherTypeHolds((int) from, fromModifier, (int) to, toModifier);
  }

  private static boolean otherTypeHolds(int from, int fromModifier, int to, int toModifier) {
    return switch (to) {
      case VARCHAR -> {
        int needed =
            from == BPCHAR && fromModifier != NONE
                ? TypeModifier.length(fromModifier)
                : CHARACTERS.getOrDefault(from, Integer.MAX_VALUE);
        yield TypeModifier.length(toModifier) >= needed;
      }
      case VARBIT -> from == BIT && (toModifier == NONE || limitHolds(fromModifier, toModifier));
      case NUMERIC ->
          DIGITS.containsKey(from)
              && (toModifier == NONE
                  || (TypeModifier.scale(toModifier) >= 0
                      && TypeModifier.precision(toModifier) - TypeModifier.scale(toModifier)
                          >= DIGITS.get(from)));
      default -> WIDER.getOrDefault(from, Set.of()).contains(to);
    };
  }

  private static boolean sameTypeHolds(long type, int before, int after) {
    OptionalLong element = BuiltInTypes.element(type);
    if (element.isPresent()) {
      return sameTypeHolds(element.getAsLong(), before, after);
    }
    if (before == after) {
      return true;
    }
    if (type > Integer.MAX_VALUE) {
      return false;
    }
    return switch ((int) type) {
      case VARCHAR, BPCHAR, VARBIT -> after == NONE || limitHolds(before, after);
      case TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ -> fraction(after) >= fraction(before);
      case NUMERIC -> after == NONE || (before != NONE && numericHolds(before, after));
      case INTERVAL -> after == NONE || intervalHolds(before, after);
      // A bit(n) holds exactly n bits, neither fewer nor more. Of others nothing is known.
      default -> false;
    };
  }

  private static boolean limitHolds(int before, int after) {
    return before != NONE && after >= before;
  }

  private static int fraction(int modifier) {
    return modifier == NONE ? MICROSECONDS : modifier;
  }

  private static boolean numericHolds(int before, int after) {
    return TypeModifier.scale(after) >= TypeModifier.scale(before)
        && TypeModifier.precision(after) - TypeModifier.scale(after)
            >= TypeModifier.precision(before) - TypeModifier.scale(before);
  }

  private static boolean intervalHolds(int before, int after) {
    IntervalField finestBefore = finest(before);
    IntervalField finestAfter = finest(after);
    if (finestAfter.compareTo(finestBefore) < 0) {
      return false;
    }
    return finestBefore != IntervalField.SECOND || seconds(after) >= seconds(before);
  }

  private static IntervalField finest(int modifier) {
    return modifier == NONE ? IntervalField.SECOND : TypeModifier.finestField(modifier);
  }

  private static int seconds(int modifier) {
    return modifier == NONE ? MICROSECONDS : fraction(TypeModifier.intervalPrecision(modifier));
  }
}
