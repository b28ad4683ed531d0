package io.walproof.verifier.range;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PGobject;

/**
 * Decodes a key of an incremental-snapshot cursor: hexadecimal digits of a serialised {@code
 * Object[]}. Only the few classes that keys consist of are let in; anything else is refused before
 * it comes to life. Debezium keeps what the driver gives: numbers, uuid, boolean and bytea as
 * Java's own, dates as instants, times and timestamps as the text with which PostgreSQL writes
 * them, and citext, inet and their like as the driver's object of a type's name and a value's text.
 */
final class CursorKey {

  /** A key is a few values; an index entry of PostgreSQL is below 3 kB. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_COLUMNS = 32;
  private static final int DEEPEST = 4;

  private static final Set<String> ALLOWED =
      Set.of(
          "[Ljava.lang.Object;",
          "java.lang.Object",
          "java.lang.Number",
          "java.lang.Short",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double",
          "java.lang.Boolean",
          "java.lang.String",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.util.UUID",
          "java.util.Date",
          "java.sql.Date",
          "org.postgresql.util.PGobject");

  private CursorKey() {}

  /**
   * The key's values as PostgreSQL's text.
   *
   * @param zone the zone of the JVM that wrote it, if known
   * @return empty if the cursor has no key yet
   * @throws RangeException if it is none, or holds something that no key holds
   */
  static Optional<List<String>> decode(String hex, Optional<ZoneId> zone) {
    if (hex.length() > 2 * MOST_BYTES) {
      throw refused("is longer than a key can be", null);
    }
    Object read;
    try (ObjectInputStream input =
        new ObjectInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(hex)))) {
      input.setObjectInputFilter(CursorKey::filter);
      read = input.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw refused("is no serialised key, or holds a class that is not let in", e);
    }
    if (read == null) {
      return Optional.empty();
    }
    if (!(read instanceof Object[] values) || values.length == 0) {
      throw refused("is no array of values", null);
    }
    List<String> texts = new ArrayList<>(values.length);
    for (Object value : values) {
      texts.add(text(value, zone));
    }
    return Optional.of(texts);
  }

  private static ObjectInputFilter.Status filter(ObjectInputFilter.FilterInfo info) {
    if (info.depth() > DEEPEST || info.streamBytes() > MOST_BYTES) {
      return ObjectInputFilter.Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return ObjectInputFilter.Status.UNDECIDED;
    }
    // BigInteger's digits and bytea are byte arrays.
    if (type == byte[].class) {
      return info.arrayLength() <= MOST_BYTES
          ? ObjectInputFilter.Status.ALLOWED
          : ObjectInputFilter.Status.REJECTED;
    }
    return ALLOWED.contains(type.getName()) && info.arrayLength() <= MOST_COLUMNS
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  private static String text(Object value, Optional<ZoneId> zone) {
    if (value instanceof byte[] bytes) {
      return "\\x" + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    if (value instanceof java.sql.Date date) {
      return CursorDate.text(date.getTime(), zone).orElseThrow(() -> ambiguous(zone));
    }
    if (value instanceof PGobject other && other.getValue() != null) {
      return other.getValue();
    }
    for (Class<?> plain : PLAIN) {
      if (plain.isInstance(value)) {
        return value.toString();
      }
    }
    throw refused("has a value of a class that no key column has", null);
  }

  private static final Set<Class<?>> PLAIN =
      Set.of(
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Boolean.class,
          String.class,
          BigInteger.class,
          java.util.UUID.class);

  private static RangeException ambiguous(Optional<ZoneId> zone) {
    return new RangeException(
        "the key in the offset's incremental-snapshot cursor has a date, stored as midnight of the"
            + " connector's time zone, "
            + (zone.isPresent()
                ? "and it is no midnight in " + zone.get() + "; give the right --claim-zone"
                : "and two dates fit, one west and one east of the date line; give the time zone"
                    + " of the connector's JVM with --claim-zone, such as Pacific/Auckland")
            + ", or the range with --table, --from and --to");
  }

  private static RangeException refused(String why, Exception cause) {
    // The cause may quote the key, so only its class is told.
    return new RangeException(
        "the key in the offset's incremental-snapshot cursor "
            + why
            + (cause == null ? "" : " (" + cause.getClass().getSimpleName() + ")")
            + "; give the range with --table, --from and --to instead");
  }
}
