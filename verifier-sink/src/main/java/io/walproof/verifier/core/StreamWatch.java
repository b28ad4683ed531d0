package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.versions.ChangeStream;
import io.walproof.verifier.versions.ChangeStream.Carried;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the stream has shown, in one recheck round, everything that the target can have held.
 * Confined to the recheck worker.
 */
final class StreamWatch {

  private static final Duration POLL = Duration.ofMillis(20);

  private final ChangeStream stream;
  private final Time time;
  private final Optional<Carried> before;
  private boolean passed;
  private boolean unaltered;

  /** From before the round's first read on. */
  StreamWatch(ChangeStream stream, Time time) {
    this.stream = stream;
    this.time = time;
    this.before = stream.carries();
  }

  /** Waits until the stream has passed everything that is in the source's WAL now. */
  void await(Duration atMost, Cancellation cancel) throws InterruptedException {
    Optional<Lsn> mark = stream.mark();
    if (mark.isPresent()) {
      Deadline deadline = Deadline.in(time, atMost);
      while (!hasPassed(mark.get()) && !deadline.hasPassed() && !cancel.isCancelled()) {
        cancel.await(time, POLL);
      }
      passed = hasPassed(mark.get());
    }
    unaltered = before.isPresent() && before.equals(stream.carries());
  }

  private boolean hasPassed(Lsn mark) {
    return stream.reached().compareTo(mark) >= 0;
  }

  /**
   * Why there may be versions of the table's rows that were not shown, or not as they are; empty if
   * there are none.
   *
   * @param seen what the round's first source read certainly saw: what it did not may be newer
   */
  Optional<VersionGap> open(TableId table, VisibleTransactions seen) {
    if (!passed) {
      return Optional.of(VersionGap.STREAM_BEHIND);
    }
    return unaltered
            && before.orElseThrow().since() <= seen.xmin()
            && !before.orElseThrow().filtered().contains(table)
        ? Optional.empty()
        : Optional.of(VersionGap.PUBLICATION);
  }
}
