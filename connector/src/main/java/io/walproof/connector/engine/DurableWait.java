package io.walproof.connector.engine;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.function.Predicate;

/** Waits until a position that somebody else makes durable is, for a bounded time. */
final class DurableWait {

  private static final Duration POLL = Duration.ofMillis(100);

  private final PositionStore store;
  private final Time time;
  private final Duration atMost;

  /**
   * A wait.
   *
   * @param atMost how long a position may take to become durable ({@code drift.halt.timeout.ms})
   */
  DurableWait(PositionStore store, Time time, Duration atMost) {
    this.store = store;
    this.time = time;
    this.atMost = atMost;
  }

  /** The store that is looked at. */
  PositionStore store() {
    return store;
  }

  /** How long it may take, as a setting. */
  String bound() {
    return "drift.halt.timeout.ms=" + atMost.toMillis();
  }

  /** Whether the durable position became one that is wanted in time. */
  boolean until(Predicate<Position> wanted) throws InterruptedException {
    long deadline = time.nanoTime() + atMost.toNanos();
    boolean durable = store.durable().filter(wanted).isPresent();
    while (!durable && time.nanoTime() - deadline < 0) {
      time.sleep(POLL);
      durable = store.durable().filter(wanted).isPresent();
    }
    return durable;
  }
}
