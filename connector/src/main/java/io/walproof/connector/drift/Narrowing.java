package io.walproof.connector.drift;

import static io.walproof.connector.schema.TypeOid.BIT;
import static io.walproof.connector.schema.TypeOid.BOOL;
import static io.walproof.connector.schema.TypeOid.BPCHAR;
import static io.walproof.connector.schema.TypeOid.BYTEA;
import static io.walproof.connector.schema.TypeOid.CIDR;
import static io.walproof.connector.schema.TypeOid.FLOAT4;
import static io.walproof.connector.schema.TypeOid.FLOAT8;
import static io.walproof.connector.schema.TypeOid.INET;
import static io.walproof.connector.schema.TypeOid.INT2;
import static io.walproof.connector.schema.TypeOid.INT4;
import static io.walproof.connector.schema.TypeOid.INT8;
import static io.walproof.connector.schema.TypeOid.INTERVAL;
import static io.walproof.connector.schema.TypeOid.JSON;
import static io.walproof.connector.schema.TypeOid.JSONB;
import static io.walproof.connector.schema.TypeOid.MACADDR;
import static io.walproof.connector.schema.TypeOid.MACADDR8;
import static io.walproof.connector.schema.TypeOid.NAME;
import static io.walproof.connector.schema.TypeOid.NUMERIC;
import static io.walproof.connector.schema.TypeOid.OID;
import static io.walproof.connector.schema.TypeOid.TEXT;
import static io.walproof.connector.schema.TypeOid.TIME;
import static io.walproof.connector.schema.TypeOid.TIMESTAMP;
import static io.walproof.connector.schema.TypeOid.TIMESTAMPTZ;
import static io.walproof.connector.schema.TypeOid.TIMETZ;
import static io.walproof.connector.schema.TypeOid.UUID;
import static io.walproof.connector.schema.TypeOid.VARBIT;
import static io.walproof.connector.schema.TypeOid.VARCHAR;

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
