package io.walproof.verifier.core;

import java.time.Duration;
import java.util.Set;

/**
 * The bounds of the key checks.
 *
 * @param settle {@code verify.settle.ms}: no key is read earlier after a change arrived
 * @param recheckDelay {@code verify.recheck.delay.ms}: from observation to recheck
 * @param batchRows {@code verify.batch.rows}: keys per read
 * @param replayTimeout {@code verify.replay.timeout.ms}: bound of one wait for replay
 * @param tableTimeout {@code verify.table.timeout.ms}: bound of one table's reads and wait in one
 *     batch; zero for none
 * @param readTimeout {@code verify.read.timeout.ms}: bound of one read
 * @param pendingMax {@code verify.pending.max}: undecided keys at which intake pauses
 * @param ignoredApps {@code verify.ignore.apps}
 */
public record VerifierLimits(
    Duration settle,
    Duration recheckDelay,
    int batchRows,
    Duration replayTimeout,
    Duration tableTimeout,
    Duration readTimeout,
    int pendingMax,
    Set<Long> ignoredApps) {

  /** Refuses what cannot work. */
  public VerifierLimits {
    ignoredApps = Set.copyOf(ignoredApps);
    if (settle.isNegative()
        || recheckDelay.isNegative()
        || tableTimeout.isNegative()
        || replayTimeout.isNegative()
        || readTimeout.isNegative()
        || readTimeout.isZero()) {
      throw new IllegalArgumentException(
          "durations are not negative, the read timeout is positive");
    }
    if (batchRows < 1 || pendingMax < 1) {
      throw new IllegalArgumentException("batch rows and pending keys are at least 1");
    }
  }
}
