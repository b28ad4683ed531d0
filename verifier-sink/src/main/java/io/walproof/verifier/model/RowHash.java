package io.walproof.verifier.model;

import java.util.HexFormat;

/**
 * 128 bits over the canonical values of a row's compared columns (row equality rules, version 1).
 *
 * @param high the more significant half
 * @param low the less significant half
 */
public record RowHash(long high, long low) {

  /** 32 lower-case hex digits. */
  public String hex() {
    HexFormat format = HexFormat.of();
    return format.toHexDigits(high) + format.toHexDigits(low);
  }

  @Override
  public String toString() {
    return hex();
  }
}
