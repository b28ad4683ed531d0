package io.walproof.embedded;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The major versions of PostgreSQL that tests with servers are run on. */
public final class Majors {

  private static final String PROPERTY = "walproof.majors";
  private static final String NEWEST = "18";

  private Majors() {}

  /**
   * What {@code -Dwalproof.majors=16,17,18} names; the newest of what is supported where it is not
   * set, which keeps the whole suite short.
   */
  public static IntStream underTest() {
    return Arrays.stream(System.getProperty(PROPERTY, NEWEST).split(","))
        .mapToInt(major -> Integer.parseInt(major.strip()));
  }
}
