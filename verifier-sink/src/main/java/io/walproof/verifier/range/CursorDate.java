package io.walproof.verifier.range;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A date of a cursor's key, which is kept as the instant at which the day began in the zone of
 * whoever wrote it. Zones reach from 12 hours behind UTC to 14 hours before it, so an instant
 * between 10:00 and 12:00 UTC may be the beginning of either of two days.
 */
final class CursorDate {

  private static final int EASTERNMOST = 14 * 3600;
  private static final int WESTERNMOST = -12 * 3600;
  private static final int DAY = 24 * 3600;

  /** What the JDBC driver makes of PostgreSQL's infinite dates. */
  private static final long INFINITY = 9223372036825200000L;

  private static final long MINUS_INFINITY = -9223372036832400000L;

  private CursorDate() {}

  /**
   * The date as PostgreSQL's text.
   *
   * @param millis the instant, in milliseconds since 1970
   * @param zone the writer's zone, if known
   * @return empty if no day, or more than one, can have begun then
   */
  static Optional<String> text(long millis, Optional<ZoneId> zone) {
    if (millis == INFINITY || millis == MINUS_INFINITY) {
      return Optional.of(millis == INFINITY ? "infinity" : "-infinity");
    }
    Instant instant = Instant.ofEpochMilli(millis);
    if (zone.isPresent()) {
      LocalDate date = instant.atZone(zone.get()).toLocalDate();
      return date.atStartOfDay(zone.get()).toInstant().equals(instant)
          ? Optional.of(text(date))
          : Optional.empty();
    }
    LocalDateTime utc = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    int behind = -utc.toLocalTime().toSecondOfDay();
    Set<LocalDate> dates = new HashSet<>();
    if (behind >= WESTERNMOST) {
      dates.add(utc.toLocalDate());
    }
    if (behind + DAY <= EASTERNMOST) {
      dates.add(utc.toLocalDate().plusDays(1));
    }
    return dates.size() == 1 ? Optional.of(text(dates.iterator().next())) : Optional.empty();
  }

  /** Java writes years before the first and after 9999 in its own way. */
  static String text(LocalDate date) {
    int year = date.getYear();
    return String.format(
        Locale.ROOT,
        "%04d-%02d-%02d%s",
        year > 0 ? year : 1 - year,
        date.getMonthValue(),
        date.getDayOfMonth(),
        year > 0 ? "" : " BC");
  }
}
