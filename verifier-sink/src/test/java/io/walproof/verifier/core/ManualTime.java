package io.walproof.verifier.core;

import io.walproof.contract.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that only moves when told to; waiting threads look again every few milliseconds. */
public class ManualTime implements Time {

  private final AtomicLong nanos = new AtomicLong(1_000_000_000L);

  public void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }

  @Override
  @SuppressWarnings("WaitNotInLoop")
  public void waitOn(Object monitor, Duration atMost) throws InterruptedException {
    monitor.wait(2);
  }
}
