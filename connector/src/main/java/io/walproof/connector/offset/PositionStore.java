package io.walproof.connector.offset;

import java.util.Optional;

/**
 * Where positions are kept. The slot is confirmed only up to what {@link #durable()} answers
 * (invariant C). Thread-safe.
 */
public interface PositionStore {

  /**
   * The last durable position, empty before the first.
   *
   * @throws PositionStoreException if there is one that cannot be read
   */
  Optional<Position> durable();

  /**
   * Makes the position durable before returning.
   *
   * @throws PositionStoreException if that failed; the position before is still there
   */
  void write(Position position);
}
