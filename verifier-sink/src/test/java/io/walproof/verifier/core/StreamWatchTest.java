package io.walproof.verifier.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.versions.ChangeStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What keeps from accusing by versions: a stream that is behind, altered, or filters rows. */
class StreamWatchTest {

  private static final TableId FILTERED = new TableId("public", "filtered");

  /** A wait takes exactly as long as it may. */
  private final ManualTime time =
      new ManualTime() {
        @Override
        public void waitOn(Object monitor, Duration atMost) {
          advance(atMost);
        }
      };

  private String version = "1";
  private long reached;

  private final ChangeStream stream =
      new ChangeStream() {
        @Override
        public Optional<Carried> carries() {
          return Optional.of(new Carried(version, Set.of(FILTERED), 7));
        }

        @Override
        public Optional<Lsn> mark() {
          return Optional.of(new Lsn(10));
        }

        @Override
        public Lsn reached() {
          time.advance(Duration.ofSeconds(1));
          return new Lsn(++reached);
        }
      };

  @Test
  void waitsUntilTheStreamHasPassedTheMark() throws InterruptedException {
    StreamWatch watch = new StreamWatch(stream, time);
    watch.await(Duration.ofSeconds(60), new Cancellation());
    assertThat(watch.open(VerifierHarness.ORDERS, from(7))).isEmpty();
    assertThat(watch.open(FILTERED, from(7))).contains(VersionGap.PUBLICATION);
  }

  @Test
  void givesUpWhenTheTimeIsOver() throws InterruptedException {
    StreamWatch watch = new StreamWatch(stream, time);
    watch.await(Duration.ofSeconds(3), new Cancellation());
    assertThat(watch.open(VerifierHarness.ORDERS, from(7))).contains(VersionGap.STREAM_BEHIND);
  }

  @Test
  void anAlteredStreamShowsNotEverything() throws InterruptedException {
    StreamWatch watch = new StreamWatch(stream, time);
    version = "2";
    watch.await(Duration.ofSeconds(60), new Cancellation());
    assertThat(watch.open(VerifierHarness.ORDERS, from(7))).contains(VersionGap.PUBLICATION);
  }

  /** What a transaction wrote before the publication was altered is published as before. */
  @Test
  void transactionsFromBeforeAnAlterationMustHaveEnded() throws InterruptedException {
    StreamWatch watch = new StreamWatch(stream, time);
    watch.await(Duration.ofSeconds(60), new Cancellation());
    assertThat(watch.open(VerifierHarness.ORDERS, from(6))).contains(VersionGap.PUBLICATION);
    assertThat(watch.open(VerifierHarness.ORDERS, from(7))).isEmpty();
  }

  private static VisibleTransactions from(long oldestInProgress) {
    return new VisibleTransactions(oldestInProgress, 9, Set.of(oldestInProgress));
  }
}
