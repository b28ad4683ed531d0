package io.walproof.verifier.schedule;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs range checks that nobody waits for, on threads of its own: at a start, on a schedule, and
 * when drift or a gap says so. One table is read at a time; a table whose rows wait for their
 * verdicts lets the next one read meanwhile. Connections are open only while there is work.
 *
 * <p>{@link #start} and {@link #stop} belong to one thread; everything else is thread-safe, and
 * nothing of it waits for a check.
 */
public final class RangeScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(RangeScheduler.class);

  /** Tables that may be under way at once, all but one of them waiting for verdicts. */
  private static final int LANES = 8;

  private final Time time;
  private final ScheduleSettings settings;
  private final RangeWork work;
  private final RangeFigures figures;
  private final Optional<ScheduleFile> file;
  private final Agenda agenda;
  private final Cancellation cancel = new Cancellation();
  private final Semaphore reading = new Semaphore(1, true);
  private final Semaphore lanes = new Semaphore(LANES);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Map<TableId, Coverage> endedKeys = new HashMap<>();
  private final Thread dispatcher;
  private RangeWork.Desk desk;
  private int failedInARow;

  /**
   * A scheduler that has not started.
   *
   * @param figures what is counted, also beyond this scheduler's life
   * @param file remembers across restarts what is to be done; empty if nothing does
   */
  public RangeScheduler(
      Time time,
      ScheduleSettings settings,
      RangeWork work,
      RangeFigures figures,
      Optional<ScheduleFile> file) {
    this.time = time;
    this.settings = settings;
    this.work = work;
    this.figures = figures;
    this.file = file;
    this.agenda = new Agenda(time, settings, untilFirst());
    this.dispatcher = thread("walproof-range", this::dispatch);
  }

  private Duration untilFirst() {
    Duration interval = settings.interval().orElse(Duration.ZERO);
    return file.flatMap(ScheduleFile::lastScheduled)
        .map(at -> Duration.between(time.now(), at.plus(interval)))
        .filter(left -> left.compareTo(interval) < 0)
        .map(left -> left.isNegative() ? Duration.ZERO : left)
        .orElse(interval);
  }

  private static Thread thread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins; fires what a start fires, and what an earlier life left open. */
  public void start() {
    file.ifPresent(
        kept ->
            kept.open().forEach(each -> agenda.fire(each.reason(), each.table(), settle(each))));
    if (settings.onResume()) {
      agenda.fire(Trigger.Reason.RESUME, Optional.empty(), () -> {});
    }
    dispatcher.start();
  }

  private Runnable settle(ScheduleFile.Open trigger) {
    return () -> file.ifPresent(kept -> kept.remove(trigger));
  }

  /**
   * Takes notice of a drift event.
   *
   * @param settled runs once the checks that it sets off have ended, at once if it sets off none;
   *     never if this is stopped before
   * @return whether it sets off any
   */
  public boolean drift(DriftEvent event, Runnable settled) {
    Optional<Trigger.Reason> reason =
        settings.onDrift() ? Trigger.Reason.of(event) : Optional.empty();
    if (reason.isEmpty()) {
      settled.run();
      return false;
    }
    ScheduleFile.Open open = new ScheduleFile.Open(reason.get(), event.table());
    file.ifPresent(kept -> kept.add(open));
    agenda.fire(
        open.reason(),
        open.table(),
        () -> {
          settle(open).run();
          settled.run();
        });
    return true;
  }

  private void dispatch() {
    try {
      while (!agenda.isStopping()) {
        agenda.await();
        if (agenda.tick()) {
          file.ifPresent(kept -> kept.scheduled(time.now()));
        }
        if (agenda.mayBegin()) {
          round();
        }
      }
    } catch (InterruptedException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** From one look at what is claimed until nothing waits, or something new has to be looked at. */
  private void round() throws InterruptedException {
    try {
      Survey survey = work.survey(cancel);
      resolve(survey);
      if (agenda.waiting() > 0) {
        checks(survey);
      }
      failedInARow = 0;
      figures.roundWorked();
    } catch (AuditException e) {
      throw e;
    } catch (RuntimeException e) {
      if (agenda.isStopping()) {
        return;
      }
      LOG.warn("Range checks cannot begin or go on: {}", e.getMessage(), e);
      figures.roundFailed(String.valueOf(e.getMessage()));
      putOff(e);
    }
  }

  private void resolve(Survey survey) {
    for (Trigger trigger : agenda.take()) {
      Survey.Answer answer = survey.answer(trigger);
      LOG.info("Range checks ({}): {} tables", trigger, answer.claims().size());
      answer.left().forEach(this::unread);
      if (trigger.table().isEmpty()) {
        figures.scope(answer.claims().stream().map(Claim::table).collect(Collectors.toSet()));
      }
      for (Claim refused : agenda.offer(trigger, answer.claims())) {
        unread(
            incomplete(
                refused,
                "queue_full",
                "more tables than verify.range.queue.max ("
                    + settings.waitingMax()
                    + ") would wait; raise it"));
      }
      agenda.resolved(trigger);
    }
  }

  /** Attempts are bounded, and what is given up is recorded as not judged before it is settled. */
  private void putOff(RuntimeException why) {
    agenda.postpone();
    failedInARow++;
    for (Trigger trigger : agenda.failed()) {
      LOG.error("Range checks ({}) are given up: {}", trigger, why.getMessage());
      figures.gaveUp();
      trigger
          .table()
          .ifPresent(table -> unread(incomplete(Claim.whole(table), "not_begun", message(why))));
      agenda.resolved(trigger);
    }
    if (failedInARow > settings.retriesMax()) {
      failedInARow = 0;
      for (Check check : agenda.giveUpWaiting()) {
        unread(incomplete(check.claim(), "not_begun", message(why)));
        agenda.ended(check);
      }
    }
  }

  private static String message(RuntimeException why) {
    return "the check could not begin or go on: " + why.getMessage();
  }

  private static RangeResult incomplete(Claim claim, String reason, String detail) {
    return RangeResult.unread(
        claim, RangeOutcome.INCOMPLETE, Optional.of(reason), Optional.of(detail), Duration.ZERO);
  }

  private void unread(RangeResult result) {
    work.record(result);
    figures.ended(result, time.now());
  }

  private void checks(Survey survey) throws InterruptedException {
    RangeWork.Desk opened = work.open(survey, cancel);
    synchronized (this) {
      desk = opened;
    }
    AtomicReference<RuntimeException> broken = new AtomicReference<>();
    List<Thread> begun = new ArrayList<>();
    try {
      // The first one in any case: news that never ends must not keep all from beginning.
      boolean more = begin(opened, broken, begun, true);
      while (more) {
        // A round that lasts must not keep its ended threads.
        begun.removeIf(lane -> !lane.isAlive());
        more = begin(opened, broken, begun, false);
      }
    } finally {
      for (Thread lane : begun) {
        lane.join();
      }
      close(opened);
    }
    if (broken.get() != null) {
      throw broken.get();
    }
  }

  private boolean begin(
      RangeWork.Desk opened,
      AtomicReference<RuntimeException> broken,
      List<Thread> begun,
      boolean despiteNews)
      throws InterruptedException {
    lanes.acquire();
    reading.acquire();
    // Looked at with the turn: whatever came up while others read counts.
    boolean goesOn = broken.get() == null && (despiteNews || !agenda.hasNews());
    Optional<Check> next = goesOn ? agenda.next() : Optional.empty();
    if (next.isEmpty()) {
      reading.release();
      lanes.release();
      return false;
    }
    Thread lane =
        thread("walproof-range-" + agenda.begun(), () -> check(opened, next.get(), broken));
    begun.add(lane);
    lane.start();
    return true;
  }

  /** One table, on a thread of its own, which begins with the turn to read. */
  private void check(RangeWork.Desk opened, Check check, AtomicReference<RuntimeException> broken) {
    Turn turn = new Turn();
    try {
      RangeResult result =
          opened.check(
              check.claim(),
              check.restart(),
              Deadline.in(time, settings.deadline()),
              check.cancel(),
              turn);
      figures.ended(result, time.now());
      told(result);
    } catch (AuditException e) {
      fail(e);
    } catch (RuntimeException e) {
      failed(check, e, broken);
    } catch (InterruptedException | Error e) {
      fail(e);
    } finally {
      turn.end();
      lanes.release();
      ended(check);
    }
  }

  private void ended(Check check) {
    try {
      agenda.ended(check);
    } catch (RuntimeException e) {
      // Whoever asked cannot be told, so it must come again.
      fail(e);
    }
  }

  private void failed(Check check, RuntimeException why, AtomicReference<RuntimeException> broken) {
    broken.compareAndSet(null, why);
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuditException) {
        fail(why);
        return;
      }
    }
    try {
      unread(incomplete(check.claim(), "range_failed", message(why)));
    } catch (AuditException e) {
      fail(e);
    }
  }

  private static void told(RangeResult result) {
    String text = result.detail().map(detail -> ": " + detail).orElse("");
    switch (result.outcome()) {
      case PROVED ->
          LOG.info("{}: range check proved {} rows", result.table(), result.progress().rows());
      case FAILED ->
          LOG.error(
              "{}: range check failed, {} rows are missing or wrong{}",
              result.table(),
              result.keys().failures(),
              text);
      case INCOMPLETE, SKIPPED ->
          LOG.warn("{}: range check {}{}", result.table(), result.outcome().text(), text);
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

    @Override
    public void take() throws InterruptedException {
      if (!mine) {
        reading.acquire();
        mine = true;
      }
    }

    private void end() {
      give();
    }
  }

  private void close(RangeWork.Desk opened) {
    try {
      opened.close();
    } finally {
      synchronized (this) {
        opened.keys().forEach((table, more) -> endedKeys.merge(table, more, RangeScheduler::sum));
        desk = null;
      }
    }
  }

  private static Coverage sum(Coverage one, Coverage other) {
    return Coverage.sum(List.of(one, other));
  }

  /** What became of the keys that the checks named, by table. */
  public synchronized Map<TableId, Coverage> keys() {
    Map<TableId, Coverage> keys = new HashMap<>(endedKeys);
    if (desk != null) {
      desk.keys().forEach((table, more) -> keys.merge(table, more, RangeScheduler::sum));
    }
    return keys;
  }

  /** How far the running checks have come. */
  public synchronized List<RangeCheck.Status> progress() {
    return desk == null ? List.of() : desk.progress();
  }

  /** Tables whose check is running. */
  public int running() {
    return agenda.running();
  }

  /** Tables and reasons whose check waits for its turn. */
  public int waiting() {
    return agenda.waiting() + agenda.unresolved();
  }

  /** Whether nothing waits and nothing runs; a schedule may begin something later. */
  public boolean isIdle() {
    return agenda.isIdle();
  }

  /** What stopped range checks for good, empty while they work. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  private void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      LOG.error("Range checks have stopped", cause);
    }
    agenda.stop();
    cancel.cancel();
  }

  /**
   * Ends running checks: their statements are cancelled within a second, and what they proved is
   * kept for a later check of the same claims.
   *
   * @param atMost how long to wait for that
   * @return whether everything ended in time
   */
  public boolean stop(Duration atMost) throws InterruptedException {
    agenda.stop();
    cancel.cancel();
    dispatcher.join(Math.max(1, atMost.toMillis()));
    return !dispatcher.isAlive();
  }
}
