package io.walproof.verifier.schedule;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final Time time;
  private final ScheduleSettings settings;
  private final RangeWork work;
  private final RangeFigures figures;
  private final Optional<ScheduleFile> file;
  private final Agenda agenda;
  private final Outcomes outcomes;
  private final Lanes lanes;
  private final Cancellation cancel = new Cancellation();
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
    this.outcomes = new Outcomes(time, work, figures);
    this.lanes = new Lanes(time, settings.deadline(), agenda, outcomes, this::fail);
    this.dispatcher = new Thread(this::dispatch, "walproof-range");
    this.dispatcher.setDaemon(true);
  }

  private Duration untilFirst() {
    Duration interval = settings.interval().orElse(Duration.ZERO);
    return file.flatMap(ScheduleFile::lastScheduled)
        .map(at -> Duration.between(time.now(), at.plus(interval)))
        .filter(left -> left.compareTo(interval) < 0)
        .map(left -> left.isNegative() ? Duration.ZERO : left)
        .orElse(interval);
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
    } catch (AuditException e) {
      throw e;
    } catch (RuntimeException e) {
      if (agenda.isStopping()) {
        return;
      }
      LOG.warn("Range checks cannot begin or go on: {}", e.getMessage(), e);
      figures.roundFailed();
      putOff(e);
    }
  }

  private void resolve(Survey survey) {
    List<Trigger> fired = agenda.take();
    if (fired.isEmpty()) {
      return;
    }
    OffsetClaims.Answer claimed = survey.claims();
    for (Trigger trigger : fired) {
      OffsetClaims.Answer answer = survey.answer(trigger, claimed);
      LOG.info("Range checks ({}): {} tables", trigger, answer.claims().size());
      if (trigger.table().isEmpty()) {
        outcomes.began(
            trigger, answer.claims().stream().map(Claim::table).collect(Collectors.toSet()));
      }
      answer.left().forEach(outcomes::unread);
      for (Claim refused : agenda.offer(trigger, answer.claims())) {
        outcomes.incomplete(
            refused,
            "queue_full",
            "more tables than verify.range.queue.max ("
                + settings.waitingMax()
                + ") would wait; raise it");
      }
      agenda.resolved(trigger);
    }
  }

  /** Attempts are bounded, and what is given up is recorded as not judged before it is settled. */
  private void putOff(RuntimeException why) {
    agenda.postpone();
    failedInARow++;
    for (Trigger trigger : agenda.failed()) {
      outcomes.gaveUp(trigger, why);
      agenda.resolved(trigger);
    }
    if (failedInARow > settings.retriesMax()) {
      failedInARow = 0;
      for (Check check : agenda.giveUpWaiting()) {
        outcomes.failed(check.claim(), "not_begun", why);
        agenda.endedUnread(check);
      }
    }
  }

  private void checks(Survey survey) throws InterruptedException {
    RangeWork.Desk opened = work.open(survey, cancel);
    synchronized (this) {
      desk = opened;
    }
    try {
      lanes.run(opened);
    } finally {
      close(opened);
    }
  }

  private void close(RangeWork.Desk opened) {
    try {
      opened.close();
    } finally {
      synchronized (this) {
        opened.keys().forEach((table, more) -> endedKeys.merge(table, more, Coverage::plus));
        desk = null;
      }
    }
  }

  /** What became of the keys that the checks named, by table. */
  public synchronized Map<TableId, Coverage> keys() {
    Map<TableId, Coverage> keys = new HashMap<>(endedKeys);
    if (desk != null) {
      desk.keys().forEach((table, more) -> keys.merge(table, more, Coverage::plus));
    }
    return keys;
  }

  /** How far the running checks have come. */
  public synchronized List<RangeCheck.Status> progress() {
    return desk == null ? List.of() : desk.progress();
  }

  /** Mismatches of the running checks that wait for their recheck. */
  public synchronized OnHold onHold() {
    return desk == null ? OnHold.NONE : desk.onHold();
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
