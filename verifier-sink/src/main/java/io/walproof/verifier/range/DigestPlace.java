package io.walproof.verifier.range;

import java.util.Arrays;
import java.util.Locale;

/** Where rows are digested ({@code verify.range.digest}). The verdicts are the same. */
public enum DigestPlace {
  /**
   * Here, from rows that are copied: the fastest on a fast link, and the least work for servers.
   */
  CLIENT,
  /** By PostgreSQL, which sends digests instead of rows. */
  SERVER,
  /** Whichever a short trial at a table's beginning shows to be faster. */
  AUTO;

  /** Lower case, as configured. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a configured value.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static DigestPlace parse(String text) {
    return Arrays.stream(values())
        .filter(place -> place.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("verify.range.digest must be client, server or auto"));
  }
}
