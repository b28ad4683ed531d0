package io.walproof.contract;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock that everything here is given; tests give one that they move by hand. Waiting goes
 * through it too, so that a test with virtual time never sleeps.
 */
public interface Time {

  /** Monotonic nanoseconds, for measuring and for deadlines. */
  long nanoTime();

  /** Wall-clock time, for records that people read. */
  Instant now();

  /**
   * Waits on the monitor for at most the duration or until notified; the caller holds the monitor
   * and checks its condition again, as with {@link Object#wait(long)}.
   */
  void waitOn(Object monitor, Duration atMost) throws InterruptedException;

  /** Sleeps for the duration. */
  default void sleep(Duration duration) throws InterruptedException {
    Object monitor = new Object();
    long end = nanoTime() + duration.toNanos();
    synchronized (monitor) {
      long left = end - nanoTime();
      while (left > 0) {
        waitOn(monitor, Duration.ofNanos(left));
        left = end - nanoTime();
      }
    }
  }

  /** The machine's clocks. */
  static Time system() {
    return SystemTime.INSTANCE;
  }
}
