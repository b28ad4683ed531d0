package io.walproof.verifier.connect.decode;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Intervals, which Debezium sends as ISO 8601 text or as a number of microseconds. The number takes
 * a month for 30.4375 days and cannot be turned back.
 */
final class IntervalTexts {

  private static final Pattern ISO =
      Pattern.compile(
          "P(-?\\d+)Y(-?\\d+)M(-?\\d+)DT(-?\\d+)H(-?\\d+)M(-?\\d+(?:\\.\\d+)?(?:E-?\\d+)?)S");

  private static final int MONTHS_PER_YEAR = 12;
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long SECONDS_PER_MINUTE = 60;
  private static final long SECONDS_PER_HOUR = 3600;

  private IntervalTexts() {}

  static KeyText of(ColumnType type, Object value) {
    if (value instanceof Number) {
      return KeyText.unknown(
          "key column "
              + type.column()
              + " is an interval and was sent as a number, which loses its months and days: set the"
              + " Debezium connector's interval.handling.mode to string");
    }
    Matcher iso = ISO.matcher(value.toString());
    if (!(value instanceof String) || !iso.matches()) {
      return KeyTexts.mismatch(type, value);
    }
    long months =
        Math.addExact(
            Math.multiplyExact(Long.parseLong(iso.group(1)), MONTHS_PER_YEAR),
            Long.parseLong(iso.group(2)));
    long days = Long.parseLong(iso.group(3));
    long micros =
        new BigDecimal(iso.group(4))
            .multiply(BigDecimal.valueOf(SECONDS_PER_HOUR))
            .add(new BigDecimal(iso.group(5)).multiply(BigDecimal.valueOf(SECONDS_PER_MINUTE)))
            .add(new BigDecimal(iso.group(6)))
            .movePointRight(6)
            .longValueExact();
    return KeyText.known(text(months, days, micros));
  }

  /** IntervalStyle {@code postgres}. */
  private static String text(long months, long days, long micros) {
    StringBuilder text = new StringBuilder();
    boolean negative = false;
    negative = part(text, months / MONTHS_PER_YEAR, "year", negative);
    negative = part(text, months % MONTHS_PER_YEAR, "mon", negative);
    negative = part(text, days, "day", negative);
    if (micros != 0 || text.isEmpty()) {
      if (!text.isEmpty()) {
        text.append(' ');
      }
      text.append(micros < 0 ? "-" : negative ? "+" : "").append(clock(Math.absExact(micros)));
    }
    return text.toString();
  }

  /** What follows something negative says its sign, also when it is positive. */
  private static boolean part(StringBuilder text, long value, String unit, boolean negative) {
    if (value == 0) {
      return negative;
    }
    if (!text.isEmpty()) {
      text.append(' ');
    }
    text.append(negative && value > 0 ? "+" : "").append(value).append(' ').append(unit);
    if (value != 1) {
      text.append('s');
    }
    return value < 0;
  }

  private static String clock(long micros) {
    long seconds = micros / MICROS_PER_SECOND;
    return String.format(
            Locale.ROOT,
            "%02d:%02d:%02d",
            seconds / SECONDS_PER_HOUR,
            seconds / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE,
            seconds % SECONDS_PER_MINUTE)
        + TemporalTexts.fraction(micros % MICROS_PER_SECOND);
  }
}
