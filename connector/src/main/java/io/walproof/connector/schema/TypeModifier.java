package io.walproof.connector.schema;

/**
 * What PostgreSQL packs into {@code atttypmod}. Each method is for modifiers of its types only, and
 * never for -1, which means that there is none.
 */
public final class TypeModifier {

  /** The modifier of a type that has none. */
  public static final int NONE = -1;

  private static final int HEADER = 4;
  private static final int INTERVAL_ALL_FIELDS = 0x7FFF;
  private static final int INTERVAL_FULL_PRECISION = 0xFFFF;

  private TypeModifier() {}

  /** Characters of a {@code character(n)} or {@code character varying(n)}. */
  public static int length(int modifier) {
    return modifier - HEADER;
  }

  /** The digits of a {@code numeric}. */
  public static int precision(int modifier) {
    return ((modifier - HEADER) >> 16) & 0xFFFF;
  }

  /** The digits behind a {@code numeric}'s point: a signed 11-bit number. */
  public static int scale(int modifier) {
    return (((modifier - HEADER) & 0x7FF) ^ 1024) - 1024;
  }

  /** The fields that an {@code interval} keeps, coarse to fine; all of them where none is named. */
  public enum IntervalField {
    YEAR(2),
    MONTH(1),
    DAY(3),
    HOUR(10),
    MINUTE(11),
    SECOND(12);

    private final int bit;

    IntervalField(int bit) {
      this.bit = bit;
    }

    boolean isIn(int modifier) {
      return ((modifier >> 16) & INTERVAL_ALL_FIELDS & (1 << bit)) != 0;
    }
  }

  /** Whether an {@code interval} names fields. */
  public static boolean namesFields(int modifier) {
    return ((modifier >> 16) & INTERVAL_ALL_FIELDS) != INTERVAL_ALL_FIELDS;
  }

  /** The finest field that an {@code interval} keeps; everything finer is cut off. */
  public static IntervalField finestField(int modifier) {
    IntervalField finest = IntervalField.YEAR;
    for (IntervalField field : IntervalField.values()) {
      if (field.isIn(modifier)) {
        finest = field;
      }
    }
    return finest;
  }

  /** The coarsest field that an {@code interval} names. */
  static IntervalField coarsestField(int modifier) {
    for (IntervalField field : IntervalField.values()) {
      if (field.isIn(modifier)) {
        return field;
      }
    }
    return IntervalField.YEAR;
  }

  /** Digits behind the second of an {@code interval}, -1 where they are not limited. */
  public static int intervalPrecision(int modifier) {
    int precision = modifier & INTERVAL_FULL_PRECISION;
    return precision == INTERVAL_FULL_PRECISION ? NONE : precision;
  }
}
