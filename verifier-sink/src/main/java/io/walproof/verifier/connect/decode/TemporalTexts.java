package io.walproof.verifier.connect.decode;

import io.walproof.verifier.connect.decode.DebeziumModes.TimePrecision;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/**
 * Dates and times. Only years that every form can hold; infinity is written as one of the others.
 */
final class TemporalTexts {

  /** As PostgreSQL writes it; years have four digits here, so that texts sort like days. */
  private static final String CERTAIN_IN_SNAPSHOTS = "1582-10-26";

  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final int CONNECT_DIGITS = 3;

  private final DebeziumModes modes;

  TemporalTexts(DebeziumModes modes) {
    this.modes = modes;
  }

  /** Microseconds a unit, or nanoseconds where that is less than one. */
  private enum Unit {
    MILLIS,
    MICROS,
    NANOS;

    long micros(long value) {
      return switch (this) {
        case MILLIS -> Math.multiplyExact(value, 1000L);
        case MICROS -> value;
        case NANOS -> {
          if (value % 1000 != 0) {
            throw new ArithmeticException("PostgreSQL has no nanoseconds");
          }
          yield value / 1000;
        }
      };
    }
  }

  KeyText date(ColumnType type, Object value) {
    if (value instanceof Date date) {
      return day(
          type,
          LocalDate.ofEpochDay(Math.floorDiv(date.toInstant().toEpochMilli(), MILLIS_PER_DAY)));
    }
    if (value instanceof Integer || value instanceof Long) {
      return day(type, LocalDate.ofEpochDay(((Number) value).longValue()));
    }
    return value instanceof String text
        ? day(type, LocalDate.parse(utc(text)))
        : KeyTexts.mismatch(type, value);
  }

  /**
   * A snapshot reads dates without their era and by the Julian calendar, so that an early one may
   * be another day; from ten days after the change of calendars on they are what they seem.
   */
  static KeyText readBySnapshot(ColumnType type, KeyText text) {
    boolean early =
        type.builtIn()
            && type.name().equals("date")
            && text instanceof KeyText.Known known
            && known.text().compareTo(CERTAIN_IN_SNAPSHOTS) < 0;
    return early ? KeyTexts.unsupported(type, "a snapshot reads dates this early wrongly") : text;
  }

  KeyText time(ColumnType type, Schema schema, Object value) {
    if (value instanceof String text) {
      long micros = LocalTime.parse(utc(text)).toNanoOfDay() / 1000;
      return micros == 0
          ? KeyTexts.unsupported(type, "as text, 00:00:00 and 24:00:00 are written alike")
          : KeyText.known(clock(micros));
    }
    return number(type, schema, value, TemporalTexts::timeOfDay);
  }

  KeyText timestamp(ColumnType type, Schema schema, Object value) {
    if (value instanceof String text) {
      LocalDateTime moment = LocalDateTime.parse(utc(text));
      return moment(type, moment, "");
    }
    return number(type, schema, value, micros -> moment(type, ofMicros(micros), ""));
  }

  KeyText zoned(ColumnType type, Object value) {
    if (!(value instanceof String text)) {
      return KeyTexts.mismatch(type, value);
    }
    if (text.equals("infinity") || text.equals("-infinity")) {
      return KeyText.known(text);
    }
    OffsetDateTime moment = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
    return moment(type, moment.toLocalDateTime(), "+00");
  }

  @FunctionalInterface
  private interface OfMicros {
    KeyText text(long micros);
  }

  private KeyText number(ColumnType type, Schema schema, Object value, OfMicros form) {
    if (value instanceof Date date) {
      return exactInMillis(
          type, () -> form.text(Unit.MILLIS.micros(date.toInstant().toEpochMilli())));
    }
    if (!(value instanceof Long || value instanceof Integer)) {
      return KeyTexts.mismatch(type, value);
    }
    long number = ((Number) value).longValue();
    if (schema != null) {
      return ofSchema(schema)
          .map(unit -> form.text(unit.micros(number)))
          .orElseGet(() -> KeyTexts.mismatch(type, value));
    }
    if (modes.time().isEmpty()) {
      return KeyTexts.modeMissing(type, "time.precision.mode");
    }
    return switch (modes.time().get()) {
      case CONNECT -> exactInMillis(type, () -> form.text(Unit.MILLIS.micros(number)));
      case MICROSECONDS -> form.text(number);
      case NANOSECONDS -> form.text(Unit.NANOS.micros(number));
      case ADAPTIVE, ADAPTIVE_TIME_MICROSECONDS -> form.text(adaptive(type).micros(number));
      case ISOSTRING -> KeyTexts.mismatch(type, value);
    };
  }

  private Unit adaptive(ColumnType type) {
    boolean always =
        type.name().equals("time")
            && modes.time().filter(TimePrecision.ADAPTIVE_TIME_MICROSECONDS::equals).isPresent();
    return !always && type.fractionDigits() <= CONNECT_DIGITS ? Unit.MILLIS : Unit.MICROS;
  }

  private static Optional<Unit> ofSchema(Schema schema) {
    return switch (schema.name() == null ? "" : schema.name()) {
      case "io.debezium.time.Time", "io.debezium.time.Timestamp" -> Optional.of(Unit.MILLIS);
      case "io.debezium.time.MicroTime", "io.debezium.time.MicroTimestamp" ->
          Optional.of(Unit.MICROS);
      case "io.debezium.time.NanoTime", "io.debezium.time.NanoTimestamp" -> Optional.of(Unit.NANOS);
      default -> Optional.empty();
    };
  }

  @FunctionalInterface
  private interface Form {
    KeyText text();
  }

  /** Connect's own types have milliseconds; what is finer was cut off. */
  private static KeyText exactInMillis(ColumnType type, Form form) {
    if (type.fractionDigits() > CONNECT_DIGITS) {
      return KeyText.unknown(
          "key column "
              + type.column()
              + " is "
              + type.name()
              + " with microseconds and was sent in milliseconds: set the Debezium connector's"
              + " time.precision.mode to another value than connect");
    }
    return form.text();
  }

  private static KeyText timeOfDay(long micros) {
    // PostgreSQL's day ends with a moment that Java's has not.
    if (micros < 0 || micros > MICROS_PER_DAY) {
      throw new ArithmeticException("no time of day");
    }
    return KeyText.known(clock(micros));
  }

  private static LocalDateTime ofMicros(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        Math.toIntExact(Math.floorMod(micros, MICROS_PER_SECOND) * 1000),
        ZoneOffset.UTC);
  }

  private static KeyText moment(ColumnType type, LocalDateTime moment, String zone) {
    if (!isCertain(moment.toLocalDate())) {
      return tooFar(type);
    }
    return KeyText.known(
        moment.toLocalDate() + " " + clock(moment.toLocalTime().toNanoOfDay() / 1000) + zone);
  }

  private static KeyText day(ColumnType type, LocalDate date) {
    return isCertain(date) ? KeyText.known(date.toString()) : tooFar(type);
  }

  /** Years that ISO and PostgreSQL write alike; infinity is mapped outside of them. */
  private static boolean isCertain(LocalDate date) {
    return date.getYear() >= 1 && date.getYear() <= 9999;
  }

  private static KeyText tooFar(ColumnType type) {
    return KeyTexts.unsupported(
        type, "years before 1 and after 9999, and infinity, are not certain");
  }

  private static String utc(String text) {
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }

  private static String clock(long micros) {
    long seconds = micros / MICROS_PER_SECOND;
    return String.format(
            Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        + fraction(micros % MICROS_PER_SECOND);
  }

  /** Without trailing zeros, and without the point if nothing is left. */
  static String fraction(long micros) {
    if (micros == 0) {
      return "";
    }
    String digits = String.format(Locale.ROOT, "%06d", micros);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return "." + digits.substring(0, end);
  }
}
