package io.walproof.connector.engine;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import java.util.Optional;

/**
 * The position that Debezium reads as its stored offset, also when it restarts itself: the durable
 * one, or, while nothing newer is durable than at the start, the one that the start decided on.
 * That is the slot's own position: for a new slot, or behind an accepted gap. Thread-safe.
 */
final class StartingPosition {

  private final PositionStore store;
  private final Optional<Position> assumed;

  /** The durable position at the start; by LSN it may lie ahead of the slot's. */
  private final Optional<Position> before;

  /**
   * A view of the store.
   *
   * @param assumed the position to answer with until another one than now is durable
   */
  StartingPosition(PositionStore store, Optional<Position> assumed) {
    this.store = store;
    this.assumed = assumed;
    this.before = assumed.isPresent() ? store.durable() : Optional.empty();
  }

  /** The position, empty if Debezium begins with a snapshot. */
  Optional<Position> current() {
    Optional<Position> durable = store.durable();
    if (assumed.isEmpty()) {
      return durable;
    }
    return durable.equals(before) ? assumed : durable;
  }
}
