package io.walproof.verifier.model;

import io.walproof.contract.Time;
import java.time.Duration;

/** A moment on the monotonic clock after which work stops. Immutable. */
public final class Deadline {

  private final Time time;
  private final long atNanos;
  private final boolean bounded;

  private Deadline(Time time, long atNanos, boolean bounded) {
    this.time = time;
    this.atNanos = atNanos;
    this.bounded = bounded;
  }

  /** The deadline this far from now. */
  public static Deadline in(Time time, Duration duration) {
    return new Deadline(time, time.nanoTime() + duration.toNanos(), true);
  }

  /** No deadline. */
  public static Deadline never(Time time) {
    return new Deadline(time, 0, false);
  }

  /** Whether the moment has come. */
  public boolean hasPassed() {
    return bounded && time.nanoTime() - atNanos >= 0;
  }

  /** The time left, zero once passed, at most {@code atMost}. */
  public Duration remaining(Duration atMost) {
    if (!bounded) {
      return atMost;
    }
    long left = Math.max(0, atNanos - time.nanoTime());
    return left < atMost.toNanos() ? Duration.ofNanos(left) : atMost;
  }

  /** The earlier of the two. */
  public Deadline earlierOf(Deadline other) {
    if (!other.bounded) {
      return this;
    }
    return !bounded || other.atNanos - atNanos < 0 ? other : this;
  }
}
