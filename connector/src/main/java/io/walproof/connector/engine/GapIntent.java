package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;

/**
 * Keeps a position from which an accepted gap can still be told, before something is changed on the
 * source that hides the gap. Whatever ends the start then, a later one tells it; where the end
 * comes between the telling and the position behind it, twice.
 */
final class GapIntent {

  private final DurableWait wait;

  /** For one start. */
  GapIntent(DurableWait wait) {
    this.wait = wait;
  }

  /**
   * Waits until the position is durable.
   *
   * @throws CaptureException if it is not in time; then nothing may be hidden
   */
  void keep(Position position) throws InterruptedException {
    wait.store().write(position);
    boolean durable =
        wait.until(
            stored ->
                stored.resume().equals(position.resume())
                    && stored.unpublished().equals(position.unpublished()));
    if (!durable) {
      throw new CaptureException(
          Reason.TIMEOUT,
          "the offset that remembers the accepted gap did not become durable within "
              + wait.bound()
              + ", so nothing was changed on the source; start again, with a longer time if"
              + " offsets are committed less often");
    }
  }
}
