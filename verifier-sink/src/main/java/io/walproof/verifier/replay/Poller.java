package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.time.Duration;
import java.util.Set;

/**
 * Looks again and again until there is an answer, the deadline passes, or the work is cancelled.
 */
final class Poller {

  private static final String NO_TIME = "there was no time to look";

  private final Time time;
  private final Duration interval;

  Poller(Time time, Duration interval) {
    this.time = time;
    this.interval = interval;
  }

  Result poll(Look look, Deadline deadline, Cancellation cancel) {
    String last = NO_TIME;
    while (true) {
      if (cancel.isCancelled()) {
        return new Result.NotConfirmed(IncompleteReason.CANCELLED, "cancelled");
      }
      if (deadline.hasPassed()) {
        return new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, last);
      }
      Finding finding = look.look(deadline, cancel);
      if (finding instanceof Answer answer) {
        return answer.result();
      }
      // What the last complete look saw says more than that the next one ran out of time.
      if (!(finding instanceof OutOfTime) || last.equals(NO_TIME)) {
        last = finding.detail();
      }
      if (!pause(deadline.remaining(interval), cancel)) {
        return new Result.NotConfirmed(IncompleteReason.CANCELLED, "interrupted");
      }
    }
  }

  private boolean pause(Duration atMost, Cancellation cancel) {
    Deadline end = Deadline.in(time, atMost);
    synchronized (cancel) {
      while (!cancel.isCancelled() && !end.hasPassed()) {
        try {
          time.waitOn(cancel, end.remaining(atMost));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return true;
  }

  /** One look. */
  @FunctionalInterface
  interface Look {
    /** Looks once; the deadline and the cancellation bound its own statements. */
    Finding look(Deadline deadline, Cancellation cancel);
  }

  /** What a look found. */
  sealed interface Finding {
    /** A sentence for people. */
    String detail();
  }

  /** It is settled. */
  record Answer(Result result) implements Finding {
    @Override
    public String detail() {
      return result.toString();
    }
  }

  /** Not yet; the sentence says what stands in the way. */
  record Waiting(String detail) implements Finding {}

  /** The look itself did not end before the deadline. */
  record OutOfTime(String detail) implements Finding {}

  static Finding confirmed(Set<TableId> notReplicated) {
    return new Answer(new Result.Confirmed(notReplicated));
  }

  static Finding broken(String detail) {
    return new Answer(new Result.NotConfirmed(IncompleteReason.CONFIRMATION_FAILED, detail));
  }

  /** A failed look: what passes is looked at again until the deadline, anything else is settled. */
  static <T> Finding failed(Outcome.Failed<T> failed) {
    return switch (failed.cause()) {
      case DEADLINE -> new OutOfTime(failed.detail());
      case CANCELLED, UNREACHABLE -> new Waiting(failed.detail());
      case REFUSED, PERMISSION, CATALOG, DATA, INTERNAL, OTHER -> broken(failed.detail());
    };
  }
}
