package io.walproof.contract;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in PostgreSQL's write-ahead log: an unsigned 64-bit byte address, written as two hex
 * halves ({@code 0/16B3748}).
 *
 * @param value the address; compared as unsigned
 */
public record Lsn(long value) implements Comparable<Lsn> {

  /** PostgreSQL's InvalidXLogRecPtr. */
  public static final Lsn NONE = new Lsn(0);

  private static final Pattern TEXT = Pattern.compile("([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})");

  /**
   * Reads PostgreSQL's text form.
   *
   * @throws IllegalArgumentException if the text is not an LSN
   */
  public static Lsn parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not an LSN such as 0/16B3748");
    }
    return new Lsn(
        Long.parseUnsignedLong(matcher.group(1), 16) << 32
            | Long.parseUnsignedLong(matcher.group(2), 16));
  }

  @Override
  public int compareTo(Lsn other) {
    return Long.compareUnsigned(value, other.value);
  }

  /** Whether this position is at or after the other. */
  public boolean hasPassed(Lsn other) {
    return compareTo(other) >= 0;
  }

  /** The larger of the two. */
  public static Lsn max(Lsn a, Lsn b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** The smaller of the two. */
  public static Lsn min(Lsn a, Lsn b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%X/%X", value >>> 32, value & 0xFFFFFFFFL);
  }
}
