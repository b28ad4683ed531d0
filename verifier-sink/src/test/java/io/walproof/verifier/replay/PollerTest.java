package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollerTest {

  /** Time that passes only by waiting. */
  private static final class VirtualTime implements Time {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) {
      nanos += atMost.toNanos();
    }
  }

  private final VirtualTime time = new VirtualTime();
  private final Poller poller = new Poller(time, Duration.ofMillis(100));

  @Test
  void looksEveryIntervalUntilThereIsAnAnswer() {
    AtomicInteger looks = new AtomicInteger();
    Result result =
        poller.poll(
            (deadline, cancel) ->
                looks.incrementAndGet() < 5
                    ? new Poller.Waiting("not yet")
                    : Poller.confirmed(Set.of()),
            Deadline.in(time, Duration.ofSeconds(10)),
            new Cancellation());
    assertThat(result).isEqualTo(new Result.Confirmed(Set.of()));
    assertThat(time.nanoTime()).isEqualTo(Duration.ofMillis(400).toNanos());
  }

  @Test
  void theDeadlineEndsItWithWhatWasSeenLast() {
    AtomicInteger looks = new AtomicInteger();
    Result result =
        poller.poll(
            (deadline, cancel) ->
                looks.incrementAndGet() < 3
                    ? new Poller.Waiting("short of it")
                    : Poller.failed(
                        new Outcome.Failed<String>(Outcome.Cause.DEADLINE, "ran out of time")),
            Deadline.in(time, Duration.ofMillis(950)),
            new Cancellation());
    assertThat(result)
        .isEqualTo(new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, "short of it"));
    assertThat(time.nanoTime()).isEqualTo(Duration.ofMillis(950).toNanos());
  }

  @Test
  void whatPassesIsLookedAtAgainAndTheRestIsSettled() {
    for (Outcome.Cause cause : Outcome.Cause.values()) {
      Poller.Finding finding = Poller.failed(new Outcome.Failed<String>(cause, "x"));
      boolean settled =
          switch (cause) {
            case CANCELLED, DEADLINE, UNREACHABLE -> false;
            case REFUSED, PERMISSION, CATALOG, DATA, INTERNAL, OTHER -> true;
          };
      assertThat(finding instanceof Poller.Answer).as(cause.toString()).isEqualTo(settled);
    }
  }

  @Test
  void aRaisedCancellationLooksNoMore() {
    Cancellation cancel = new Cancellation();
    Result result =
        poller.poll(
            (deadline, stop) -> {
              stop.cancel();
              return new Poller.Waiting("not yet");
            },
            Deadline.in(time, Duration.ofSeconds(10)),
            cancel);
    assertThat(result).isEqualTo(new Result.NotConfirmed(IncompleteReason.CANCELLED, "cancelled"));
    assertThat(time.nanoTime()).isZero();
  }
}
