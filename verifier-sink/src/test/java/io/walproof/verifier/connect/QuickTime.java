package io.walproof.verifier.connect;

import io.walproof.contract.Time;
import java.time.Duration;
import java.time.Instant;

/** The machine's clocks, running so many times as fast. */
final class QuickTime implements Time {

  private final int factor;
  private final long began = Time.system().nanoTime();
  private final Instant beganAt = Time.system().now();

  QuickTime(int factor) {
    this.factor = factor;
  }

  @Override
  public long nanoTime() {
    return began + (Time.system().nanoTime() - began) * factor;
  }

  @Override
  public Instant now() {
    return beganAt.plusNanos(nanoTime() - began);
  }

  @Override
  public void waitOn(Object monitor, Duration atMost) throws InterruptedException {
    Time.system().waitOn(monitor, atMost.dividedBy(factor));
  }
}
