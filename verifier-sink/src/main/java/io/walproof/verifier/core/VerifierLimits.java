package io.walproof.verifier.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** Which bounds contradict each other: a sentence for each, with the way out. */
  public List<String> contradictions() {
    List<String> found = new ArrayList<>();
    boolean bounded = !tableTimeout.isZero();
    if (bounded && tableTimeout.compareTo(replayTimeout) <= 0) {
      found.add(
          "verify.table.timeout.ms="
              + tableTimeout.toMillis()
              + " ends a table's recheck before verify.replay.timeout.ms="
              + replayTimeout.toMillis()
              + " can pass; make it longer than the wait and two reads");
    }
    if (bounded && tableTimeout.compareTo(readTimeout) < 0) {
      found.add(
          "verify.read.timeout.ms="
              + readTimeout.toMillis()
              + " is longer than verify.table.timeout.ms="
              + tableTimeout.toMillis()
              + ", which cuts every long read off; swap the two or drop the latter");
    }
    if (pendingMax < batchRows) {
      found.add(
          "verify.pending.max="
              + pendingMax
              + " never fills a batch of verify.batch.rows="
              + batchRows
              + "; raise the former");
    }
    return found;
  }
}
