package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.time.Duration;
import java.util.Optional;

/**
 * What the waits for replay have shown so far, for progress and metrics.
 *
 * @param lastConfirmed the last boundary that replay was confirmed past
 * @param lastWait how long the last wait took
 * @param confirmed waits that ended in a confirmation
 * @param notConfirmed waits that did not
 */
public record ReplayStatus(
    Optional<Lsn> lastConfirmed, Duration lastWait, long confirmed, long notConfirmed) {

  ReplayStatus next(Optional<Lsn> boundary, Duration waited, Result result) {
    return result instanceof Result.Confirmed
        ? new ReplayStatus(boundary, waited, confirmed + 1, notConfirmed)
        : new ReplayStatus(lastConfirmed, waited, confirmed, notConfirmed + 1);
  }
}
