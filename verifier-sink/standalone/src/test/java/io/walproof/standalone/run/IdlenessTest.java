package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.engine.CaptureException;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Idle is what is proven to be idle. */
class IdlenessTest {

  private static final Duration QUIET = Duration.ofSeconds(30);

  private static final class Clock implements Time {
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
      pass(atMost);
    }

    void pass(Duration duration) {
      nanos += duration.toNanos();
    }
  }

  private final class Source implements Idleness.Stream {
    private int pending;
    private long lastChangeAt = clock.nanoTime();
    private Lsn reached = new Lsn(100);
    private Optional<Lsn> end = Optional.of(new Lsn(500));
    private boolean down;
    private boolean rangesIdle = true;
    private int marks;

    @Override
    public int pending() {
      return pending;
    }

    @Override
    public long lastChangeAt() {
      return lastChangeAt;
    }

    @Override
    public Lsn reached() {
      return reached;
    }

    @Override
    public boolean rangesIdle() {
      return rangesIdle;
    }

    @Override
    public Optional<Lsn> mark() {
      marks++;
      if (down) {
        throw new CaptureException(Reason.UNREACHABLE, "down");
      }
      return end;
    }
  }

  private final Clock clock = new Clock();
  private final Source source = new Source();
  private final Idleness idleness = new Idleness(clock, source);

  @Test
  void aStreamThatIsBehindIsNotIdleHoweverLongItIsSilent() {
    clock.pass(QUIET.multipliedBy(10));
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    source.reached = new Lsn(499);
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    source.reached = new Lsn(500);
    assertThat(idleness.lastedFor(QUIET)).isTrue();
    assertThat(source.marks).isEqualTo(1);
  }

  @Test
  void noMarkIsSetBeforeTheQuietTimeHasPassedAndNothingIsPending() {
    clock.pass(QUIET.minusNanos(1));
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    clock.pass(QUIET);
    source.pending = 1;
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    assertThat(source.marks).isZero();
  }

  @Test
  void aChangeAfterTheMarkMakesItVoid() {
    clock.pass(QUIET);
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    source.lastChangeAt = clock.nanoTime();
    source.reached = new Lsn(500);
    source.end = Optional.of(new Lsn(900));
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    clock.pass(QUIET);
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    assertThat(source.marks).isEqualTo(2);
    source.reached = new Lsn(900);
    assertThat(idleness.lastedFor(QUIET)).isTrue();
  }

  @Test
  void aSourceThatDoesNotAnswerIsNotIdleAndIsAskedAgainNowAndThen() {
    source.down = true;
    source.reached = new Lsn(500);
    clock.pass(QUIET);
    for (int i = 0; i < 10; i++) {
      assertThat(idleness.lastedFor(QUIET)).isFalse();
      clock.pass(Duration.ofMillis(200));
    }
    assertThat(source.marks).isEqualTo(2);
    source.down = false;
    clock.pass(Duration.ofSeconds(1));
    assertThat(idleness.lastedFor(QUIET)).isTrue();
  }

  @Test
  void aRangeCheckThatTheStreamsEndSetOffIsWaitedFor() {
    clock.pass(QUIET);
    source.reached = new Lsn(500);
    source.rangesIdle = false;
    assertThat(idleness.lastedFor(QUIET)).isFalse();
    source.rangesIdle = true;
    assertThat(idleness.lastedFor(QUIET)).isTrue();
  }

  @Test
  void whereNoMarkCanBeSetTheQuietTimeCounts() {
    source.end = Optional.empty();
    clock.pass(QUIET);
    assertThat(idleness.lastedFor(QUIET)).isTrue();
  }
}
