package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.util.Optional;

/** What one table's check can say of its strength. For one thread. */
final class Exactness {

  private final Optional<ExactWitness> witness;
  private final TableId table;
  private final Deadline deadline;
  private final Cancellation cancel;
  private boolean begun;
  private boolean shown;
  private Optional<String> why = Optional.empty();

  Exactness(Optional<ExactWitness> witness, TableId table, Deadline deadline, Cancellation cancel) {
    this.witness = witness;
    this.table = table;
    this.deadline = deadline;
    this.cancel = cancel;
  }

  /** To be called before the first read. What an earlier check read is beyond any witness. */
  void begin(boolean resumed) throws InterruptedException {
    begun = false;
    shown = false;
    why = Optional.empty();
    if (witness.isPresent()) {
      why =
          resumed
              ? Optional.of("it continues an earlier check")
              : witness.get().begin(table, deadline, cancel);
      begun = why.isEmpty();
    }
  }

  /** To be called after the last read. */
  void end(WalkEnd walked) throws InterruptedException {
    if (begun) {
      why = witness.orElseThrow().end(table, deadline, cancel);
      shown = why.isEmpty() && walked.complete();
    }
  }

  /** A row that was equal at its second look only was not when its chunk was compared. */
  Strength strength(RangeResult.Keys keys) {
    return shown && keys.suspects() == keys.failures() ? Strength.EXACT : Strength.LIVE;
  }

  /** Why it is not exact, where that was wanted; empty if it is, or was not. */
  Optional<String> whyNot() {
    return why;
  }
}
