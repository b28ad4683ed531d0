package io.walproof.contract;

import java.time.Duration;
import java.time.Instant;

/** The only place that reads the machine's clocks. */
final class SystemTime implements Time {

  static final SystemTime INSTANCE = new SystemTime();

  private SystemTime() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  @SuppressWarnings({"WaitNotInLoop", "NotifyWithoutCondition"})
  public void waitOn(Object monitor, Duration atMost) throws InterruptedException {
    // Object.wait(0) would wait for ever; a wait below a millisecond is rounded up to one.
    monitor.wait(Math.max(1, atMost.toMillis()));
  }
}
