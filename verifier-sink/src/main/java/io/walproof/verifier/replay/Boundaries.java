package io.walproof.verifier.replay;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;

/** Where boundaries that are logical messages come from. */
@FunctionalInterface
interface Boundaries {

  /** Emits one, after everything that is committed on the source now. */
  Emission message(Deadline deadline, Cancellation cancel);
}
