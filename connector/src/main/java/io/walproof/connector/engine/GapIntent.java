package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps a position from which an accepted gap can still be told, before something is changed on the
 * source that hides the gap. Whatever ends the start then, a later one tells it; where the end
 * comes between the telling and the position behind it, twice.
 */
final class GapIntent {

  private static final Duration POLL = Duration.ofMillis(100);

  private final PositionStore store;
  private final Time time;
  private final Duration atMost;

  /**
   * For one start.
   *
   * @param atMost how long a position may take to become durable ({@code drift.halt.timeout.ms})
   */
  GapIntent(PositionStore store, Time time, Duration atMost) {
    this.store = store;
    this.time = time;
    this.atMost = atMost;
  }

  /**
   * Waits until the position is durable.
   *
   * @throws CaptureException if it is not in time; then nothing may be hidden
   */
  void keep(Position position) throws InterruptedException {
    long deadline = time.nanoTime() + atMost.toNanos();
    store.write(position);
    while (!isDurable(position)) {
      if (time.nanoTime() - deadline >= 0) {
        throw new CaptureException(
            Reason.TIMEOUT,
            "the offset that remembers the accepted gap did not become durable within"
                + " drift.halt.timeout.ms="
                + atMost.toMillis()
                + ", so nothing was changed on the source; start again, with a longer time if"
                + " offsets are committed less often");
      }
      time.sleep(POLL);
    }
  }

  private boolean isDurable(Position position) {
    Optional<Position> durable = store.durable();
    return durable.isPresent()
        && durable.get().resume().equals(position.resume())
        && durable.get().unpublished().equals(position.unpublished());
  }
}
