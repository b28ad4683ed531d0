package io.walproof.verifier.schedule;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.RangeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Runs a round's checks, each on a thread of its own: one reads at a time, and those that wait for
 * verdicts let others read.
 */
final class Lanes {

  /** Tables that may be under way at once, all but one of them waiting for verdicts. */
  private static final int MOST = 8;

  private final Time time;
  private final Duration deadline;
  private final Agenda agenda;
  private final Outcomes outcomes;
  private final Consumer<Throwable> fatal;
  private final Semaphore reading = new Semaphore(1, true);
  private final Semaphore free = new Semaphore(MOST);

  /**
   * @param deadline of one check
   * @param fatal takes what must stop all range checks
   */
  Lanes(Time time, Duration deadline, Agenda agenda, Outcomes outcomes, Consumer<Throwable> fatal) {
    this.time = time;
    this.deadline = deadline;
    this.agenda = agenda;
    this.outcomes = outcomes;
    this.fatal = fatal;
  }

  /**
   * Runs what waits, until nothing does or something new has to be looked at, and waits for what it
   * began.
   *
   * @throws RuntimeException what broke a check, so that the desk is not to be used any more
   */
  void run(RangeWork.Desk desk) throws InterruptedException {
    AtomicReference<RuntimeException> broken = new AtomicReference<>();
    List<Thread> begun = new ArrayList<>();
    try {
      // The first one in any case: news that never ends must not keep all from beginning.
      boolean more = begin(desk, broken, begun, true);
      while (more) {
        // A round that lasts must not keep its ended threads.
        begun.removeIf(lane -> !lane.isAlive());
        more = begin(desk, broken, begun, false);
      }
    } finally {
      for (Thread lane : begun) {
        lane.join();
      }
    }
    if (broken.get() != null) {
      throw broken.get();
    }
  }

  private boolean begin(
      RangeWork.Desk desk,
      AtomicReference<RuntimeException> broken,
      List<Thread> begun,
      boolean despiteNews)
      throws InterruptedException {
    free.acquire();
    reading.acquire();
    // Looked at with the turn: whatever came up while others read counts.
    boolean goesOn = broken.get() == null && (despiteNews || !agenda.hasNews());
    Optional<Check> next = goesOn ? agenda.next() : Optional.empty();
    if (next.isEmpty()) {
      reading.release();
      free.release();
      return false;
    }
    Thread lane =
        new Thread(() -> check(desk, next.get(), broken), "walproof-range-" + agenda.begun());
    lane.setDaemon(true);
    begun.add(lane);
    lane.start();
    return true;
  }

  /** One table, on a thread of its own, which begins with the turn to read. */
  private void check(RangeWork.Desk desk, Check check, AtomicReference<RuntimeException> broken) {
    Turn turn = new Turn();
    boolean read = false;
    try {
      RangeResult result =
          desk.check(
              check.claim(), check.restart(), Deadline.in(time, deadline), check.cancel(), turn);
      read = result.strength().isPresent();
      outcomes.ended(result);
    } catch (RuntimeException e) {
      broken.compareAndSet(null, e);
      failed(check, e);
    } catch (InterruptedException | Error e) {
      fatal.accept(e);
    } finally {
      turn.give();
      free.release();
      ended(check, read);
    }
  }

  private void failed(Check check, RuntimeException why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuditException) {
        fatal.accept(why);
        return;
      }
    }
    try {
      outcomes.failed(check.claim(), "range_failed", why);
    } catch (AuditException e) {
      fatal.accept(e);
    }
  }

  private void ended(Check check, boolean read) {
    try {
      if (read) {
        agenda.ended(check);
      } else {
        agenda.endedUnread(check);
      }
    } catch (RuntimeException e) {
      // Whoever asked cannot be told, so it must come again.
      fatal.accept(e);
    }
  }

  /** The turn that a lane begins with. */
  private final class Turn implements ReadingTurn {
    private boolean mine = true;

    @Override
    public void give() {
      if (mine) {
        mine = false;
        reading.release();
      }
    }
  }
}
