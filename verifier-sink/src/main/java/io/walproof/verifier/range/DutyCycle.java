package io.walproof.verifier.range;

import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import java.time.Duration;

/** Leaves a server alone for a part of the time: each piece of work is followed by a rest. */
final class DutyCycle {

  private final Time time;
  private final double part;

  /**
   * @param part which part of the time is work, above 0 and at most 1
   */
  DutyCycle(Time time, double part) {
    this.time = time;
    this.part = part;
  }

  /** Rests after work that began at the given moment; a cancellation ends it. */
  void restAfter(long beganNanos, Cancellation cancel) throws InterruptedException {
    if (part < 1) {
      cancel.await(time, rest(Duration.ofNanos(time.nanoTime() - beganNanos)));
    }
  }

  Duration rest(Duration work) {
    return Duration.ofNanos((long) (work.toNanos() * (1 - part) / part));
  }
}
