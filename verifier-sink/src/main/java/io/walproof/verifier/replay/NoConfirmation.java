package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.util.Optional;
import java.util.Set;

/** Strategy {@code none}: no boundary, no wait. */
final class NoConfirmation implements ReplayConfirmation {

  @Override
  public String strategy() {
    return ConfirmationStrategy.NONE.text();
  }

  @Override
  public Emission emit(Deadline deadline, Cancellation cancel) {
    return new Emission.Emitted(new Boundary(Optional.empty(), ""));
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    return new Result.Confirmed(Set.of());
  }

  @Override
  public void close() {}
}
