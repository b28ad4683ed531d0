package io.walproof.connector.engine;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import java.util.Optional;

/**
 * The position that Debezium reads as its stored offset, also when it restarts itself: the durable
 * one, or, after an accepted gap, the slot's until a position behind the gap is durable.
 * Thread-safe.
 */
final class StartingPosition {

  private final PositionStore store;
  private final Optional<Position> behindGap;

  /** The durable position when the gap was accepted; by LSN it may lie ahead of the slot's. */
  private final Optional<Position> beforeGap;

  StartingPosition(PositionStore store, Optional<Position> behindGap) {
    this.store = store;
    this.behindGap = behindGap;
    this.beforeGap = behindGap.isPresent() ? store.durable() : Optional.empty();
  }

  /** The position, empty if Debezium begins with a snapshot. */
  Optional<Position> current() {
    Optional<Position> durable = store.durable();
    if (behindGap.isEmpty()) {
      return durable;
    }
    return durable.equals(beforeGap) ? behindGap : durable;
  }
}
