package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Counts the changes of one run and takes the time from its first batch to its last change, so that
 * starting up costs nobody anything. Thread-safe.
 */
final class Meter {

  private static final Duration POLL = Duration.ofMillis(200);

  private final Time time;
  private final long expected;
  private long counted;
  private long firstBatch;
  private long firstAt;
  private long lastAt;

  Meter(Time time, long expected) {
    this.time = time;
    this.expected = expected;
  }

  /** A batch with so many changes has arrived. */
  synchronized void add(int changes) {
    if (changes == 0) {
      return;
    }
    long now = time.nanoTime();
    if (counted == 0) {
      firstBatch = changes;
      firstAt = now;
    }
    counted += changes;
    lastAt = now;
    if (counted >= expected) {
      notifyAll();
    }
  }

  /**
   * Waits for the last change.
   *
   * @param failure what ended the run, asked every now and then
   */
  synchronized void await(Duration atMost, Supplier<Optional<Throwable>> failure)
      throws InterruptedException, TimeoutException {
    long end = time.nanoTime() + atMost.toNanos();
    while (counted < expected) {
      Optional<Throwable> cause = failure.get();
      if (cause.isPresent()) {
        throw new IllegalStateException("the engine ended before the last change", cause.get());
      }
      if (end - time.nanoTime() <= 0) {
        throw new TimeoutException(
            "only " + counted + " of " + expected + " changes arrived within " + atMost);
      }
      time.waitOn(this, POLL);
    }
    if (counted > expected) {
      throw new IllegalStateException(counted + " changes arrived, " + expected + " were made");
    }
  }

  /** Changes per second. */
  synchronized double perSecond() {
    if (counted == firstBatch) {
      throw new IllegalStateException("all changes came in one batch; there is nothing to time");
    }
    return (counted - firstBatch) / ((lastAt - firstAt) / 1e9);
  }
}
