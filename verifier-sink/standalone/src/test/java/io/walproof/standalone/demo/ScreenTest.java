package io.walproof.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScreenTest {

  private static final class Clock implements Time {
    private long nanos;

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) {
      nanos += atMost.toNanos();
    }
  }

  /** A demo that is kept running writes for hours. */
  @Test
  void figuresThatStandStillAreNotRepeated() {
    Clock clock = new Clock();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), false, clock);
    for (String figures : new String[] {"1 key", "1 key", "1 key", "2 keys", "2 keys"}) {
      clock.nanos += Duration.ofSeconds(6).toNanos();
      screen.figures(figures);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("[  6.0 s] 1 key", "[ 24.0 s] 2 keys");
  }
}
