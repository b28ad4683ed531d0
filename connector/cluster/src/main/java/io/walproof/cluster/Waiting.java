package io.walproof.cluster;

import io.walproof.contract.Time;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, never for time alone. */
final class Waiting {

  /** Generous, since the machine may be busy; reached only when something is broken. */
  static final Duration BOUND = Duration.ofMinutes(2);

  private static final Duration POLL = Duration.ofMillis(50);

  private Waiting() {}

  /**
   * Returns once the condition holds.
   *
   * @throws IllegalStateException with what was waited for and the details, after two minutes or
   *     when the thread is interrupted
   */
  static void until(String what, BooleanSupplier condition, Supplier<String> details) {
    Time time = Time.system();
    long end = time.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "waited " + BOUND.toSeconds() + " s for " + what + ": " + details.get());
      }
      try {
        time.sleep(POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for " + what, e);
      }
    }
  }
}
