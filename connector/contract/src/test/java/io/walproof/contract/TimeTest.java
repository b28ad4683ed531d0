package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TimeTest {

  /** Whoever waits on a monitor may be woken early: sleeping goes on until the time is over. */
  @Test
  void sleepingEndsNoEarlier() throws InterruptedException {
    List<Duration> waits = new ArrayList<>();
    Time time =
        new Time() {
          private long nanos = 1_000;

          @Override
          public long nanoTime() {
            return nanos;
          }

          @Override
          public Instant now() {
            return Instant.EPOCH;
          }

          @Override
          public void waitOn(Object monitor, Duration atMost) {
            assertThat(Thread.holdsLock(monitor)).isTrue();
            waits.add(atMost);
            nanos += Math.min(40, atMost.toNanos());
          }
        };
    time.sleep(Duration.ofNanos(100));
    assertThat(waits)
        .containsExactly(Duration.ofNanos(100), Duration.ofNanos(60), Duration.ofNanos(20));
    time.sleep(Duration.ZERO);
    assertThat(waits).hasSize(3);
  }

  @Test
  void theMachinesClocksAreTheirs() throws InterruptedException {
    Time time = Time.system();
    long before = System.nanoTime();
    long here = time.nanoTime();
    assertThat(here).isBetween(before, System.nanoTime());
    Instant earlier = Instant.now();
    assertThat(time.now()).isBetween(earlier, Instant.now());
    long began = System.nanoTime();
    time.sleep(Duration.ofMillis(5));
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(5_000_000);
  }

  /** Whoever waits lets others have the monitor. */
  @Test
  void waitingOnAMonitorReleasesIt() throws InterruptedException {
    Object monitor = new Object();
    AtomicBoolean had = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              synchronized (monitor) {
                had.set(true);
                monitor.notifyAll();
              }
            });
    synchronized (monitor) {
      other.start();
      // A wait may end without a reason, but not a hundred times.
      for (int i = 0; i < 100 && !had.get(); i++) {
        Time.system().waitOn(monitor, Duration.ofSeconds(60));
      }
      assertThat(had).isTrue();
    }
    other.join();
  }
}
