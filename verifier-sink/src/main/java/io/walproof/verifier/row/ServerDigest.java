package io.walproof.verifier.row;

import java.math.BigInteger;

/**
 * A digest that PostgreSQL made of a range's rows, version 1: how many there are, and two sums of
 * 64-bit hashes, with two seeds, of each row's canonical text. Compared with such digests only.
 *
 * @param rows how many
 * @param first the sum with the first seed
 * @param second the sum with the second
 * @param encoding the server's encoding, whose bytes are hashed: digests of two encodings say
 *     nothing of each other
 */
public record ServerDigest(long rows, BigInteger first, BigInteger second, String encoding) {

  /** Whether both mean the same rows. */
  public boolean provesEqual(ServerDigest other) {
    return equals(other);
  }
}
