package io.walproof.verifier.replay;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;

/**
 * A confirmation whose boundary is a logical message, which needs no privilege and writes no row.
 */
abstract class MessageConfirmation implements ReplayConfirmation {

  private final ConfirmationStrategy strategy;
  private final Boundaries boundaries;
  private final Poller poller;

  MessageConfirmation(ConfirmationStrategy strategy, Boundaries boundaries, Poller poller) {
    this.strategy = strategy;
    this.boundaries = boundaries;
    this.poller = poller;
  }

  @Override
  public final String strategy() {
    return strategy.text();
  }

  @Override
  public final Emission emit(Deadline deadline, Cancellation cancel) {
    return boundaries.message(deadline, cancel);
  }

  /** Looks until there is an answer. */
  final Result poll(Poller.Look look, Deadline deadline, Cancellation cancel) {
    return poller.poll(look, deadline, cancel);
  }

  @Override
  public void close() {}
}
