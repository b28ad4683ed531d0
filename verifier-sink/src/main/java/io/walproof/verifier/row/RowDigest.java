package io.walproof.verifier.row;

import java.util.HexFormat;

/**
 * A digest of a set of rows, version 1: how many there are, and the sum of their line hashes
 * ({@link LineHasher}, 128 bits each) modulo 2 to the 128th. A sum does not depend on the rows'
 * order, and unlike an exclusive or it does not cancel where the same change happens twice. Keys
 * are compared columns, so a digest covers them too.
 *
 * @param rows how many
 * @param high the sum's more significant half
 * @param low the sum's less significant half
 */
public record RowDigest(long rows, long high, long low) {

  /** The version; ledger and audit name it. */
  public static final int VERSION = 1;

  /** Of no rows. */
  public static final RowDigest EMPTY = new RowDigest(0, 0, 0);

  /** With one row more. */
  public RowDigest plus(long hashHigh, long hashLow) {
    return plus(new RowDigest(1, hashHigh, hashLow));
  }

  /** Of both sets together. */
  public RowDigest plus(RowDigest other) {
    long sum = low + other.low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    return new RowDigest(rows + other.rows, high + other.high + carry, sum);
  }

  /** Number of rows and sum, such as {@code 3:0123456789abcdef0123456789abcdef}. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return rows + ":" + hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
