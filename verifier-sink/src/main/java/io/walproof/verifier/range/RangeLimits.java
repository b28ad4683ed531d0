package io.walproof.verifier.range;

import java.time.Duration;

/**
 * The bounds of range checks.
 *
 * @param chunkRows {@code verify.range.chunk.rows}: rows that one transaction reads at most
 * @param chunkBytes {@code verify.range.chunk.bytes}: about how many bytes it reads at most; wide
 *     rows make chunks of fewer rows
 * @param dutyCycle {@code verify.duty.cycle}: which part of the time each side is read, above 0 and
 *     at most 1
 * @param readTimeout {@code verify.read.timeout.ms}: bound of one read
 * @param replayTimeout {@code verify.replay.timeout.ms}: bound of one wait for replay
 * @param lookupRows {@code verify.batch.rows}: keys per lookup
 * @param digest {@code verify.range.digest}: where rows are digested
 * @param ledgerAge {@code verify.range.resume.max.age.ms}: what was proved longer ago is proved
 *     anew
 * @param namedKeys {@code verify.range.keys.max}: keys that a report names of each kind; all are
 *     counted
 * @param exact {@code verify.range.exact}: whether to look for evidence that nobody writes
 *     meanwhile
 */
public record RangeLimits(
    int chunkRows,
    int chunkBytes,
    double dutyCycle,
    Duration readTimeout,
    Duration replayTimeout,
    int lookupRows,
    DigestPlace digest,
    Duration ledgerAge,
    int namedKeys,
    boolean exact) {

  /** Without that evidence. */
  public RangeLimits(
      int chunkRows,
      int chunkBytes,
      double dutyCycle,
      Duration readTimeout,
      Duration replayTimeout,
      int lookupRows,
      DigestPlace digest,
      Duration ledgerAge,
      int namedKeys) {
    this(
        chunkRows,
        chunkBytes,
        dutyCycle,
        readTimeout,
        replayTimeout,
        lookupRows,
        digest,
        ledgerAge,
        namedKeys,
        false);
  }

  /** The same, with or without that evidence. */
  public RangeLimits withExact(boolean wanted) {
    return new RangeLimits(
        chunkRows,
        chunkBytes,
        dutyCycle,
        readTimeout,
        replayTimeout,
        lookupRows,
        digest,
        ledgerAge,
        namedKeys,
        wanted);
  }

  /** Refuses what cannot work. */
  public RangeLimits {
    java.util.Objects.requireNonNull(digest, "digest");
    if (chunkRows < 1 || chunkBytes < 1 || lookupRows < 1 || namedKeys < 0) {
      throw new IllegalArgumentException("chunks and lookups have at least one row and byte");
    }
    if (!(dutyCycle > 0 && dutyCycle <= 1)) {
      throw new IllegalArgumentException("verify.duty.cycle is above 0 and at most 1");
    }
    if (readTimeout.isNegative() || readTimeout.isZero() || replayTimeout.isNegative()) {
      throw new IllegalArgumentException("the read timeout is positive");
    }
  }
}
