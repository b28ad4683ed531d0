package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.range.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be checked next, and what is being checked. One check a table: a request for a table
 * that waits, or of which the same is being checked, joins; a table that was created anew ends its
 * running check; anything else waits behind it. Thread-safe, without threads of its own.
 */
final class Agenda {

  /** How long a look at the clock may be off. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Time time;
  private final ScheduleSettings settings;
  private final List<Trigger> fired = new ArrayList<>();
  private final List<Trigger> resolving = new ArrayList<>();
  private final Map<TableId, Check> waiting = new LinkedHashMap<>();
  private final Map<TableId, Check> running = new HashMap<>();

  /** Tables, empty for all, of which no check may build on what was proved before. */
  private final Set<Optional<TableId>> owedAnew = new HashSet<>();

  private long nextScheduled;
  private long notBefore;
  private long begun;
  private boolean stopping;

  /**
   * @param untilFirst how long until the schedule's first check; counts only if there is a schedule
   */
  Agenda(Time time, ScheduleSettings settings, Duration untilFirst) {
    this.time = time;
    this.settings = settings;
    this.nextScheduled = time.nanoTime() + untilFirst.toNanos();
    this.notBefore = time.nanoTime();
  }

  /**
   * Takes a reason to check. A reason that waits already is joined; when too many wait, they become
   * one that asks for all tables, so that none is lost.
   *
   * @param settled runs once nothing is left to be done for it; never after a stop
   */
  synchronized void fire(Trigger.Reason reason, Optional<TableId> table, Runnable settled) {
    if (stopping) {
      return;
    }
    Trigger trigger = null;
    for (Trigger each : fired) {
      if (each.isSame(reason, table)) {
        trigger = each;
      }
    }
    if (trigger == null) {
      trigger = new Trigger(reason, table);
      fired.add(trigger);
    }
    trigger.onSettled(settled);
    if (fired.size() > settings.waitingMax()) {
      Trigger all = new Trigger(Trigger.Reason.GAP, Optional.empty());
      fired.forEach(all::takeOver);
      fired.clear();
      fired.add(all);
    }
    if (reason == Trigger.Reason.RECREATED) {
      Check other = table.map(running::get).orElse(null);
      if (other != null && !other.isSuperseded()) {
        other.supersede();
        other.cancel().cancel();
      }
    }
    notifyAll();
  }

  /** Fires the schedule when it is due; gives whether it was. */
  synchronized boolean tick() {
    if (settings.interval().isEmpty() || time.nanoTime() - nextScheduled < 0) {
      return false;
    }
    // What was missed while the machine slept is not caught up on.
    nextScheduled = time.nanoTime() + settings.interval().get().toNanos();
    fire(Trigger.Reason.SCHEDULE, Optional.empty(), () -> {});
    return true;
  }

  /** Waits until there is something to begin, or a stop; at most a moment. */
  synchronized void await() throws InterruptedException {
    if (!stopping && !mayBegin()) {
      Duration left = LONGEST_WAIT;
      if (settings.interval().isPresent()) {
        left = earlier(left, nextScheduled);
      }
      if (!fired.isEmpty() || !waiting.isEmpty()) {
        left = earlier(left, notBefore);
      }
      time.waitOn(this, left.isZero() ? Duration.ofMillis(1) : left);
    }
  }

  private Duration earlier(Duration left, long atNanos) {
    Duration until = Duration.ofNanos(Math.max(0, atNanos - time.nanoTime()));
    return until.compareTo(left) < 0 ? until : left;
  }

  /** Whether a round may begin. */
  synchronized boolean mayBegin() {
    return !stopping
        && time.nanoTime() - notBefore >= 0
        && (!fired.isEmpty() || !waiting.isEmpty());
  }

  /** Whether a reason waits that a round that is under way does not know. */
  synchronized boolean hasNews() {
    return !fired.isEmpty();
  }

  /** The reasons that wait; each comes back by {@link #resolved} or {@link #postpone}. */
  synchronized List<Trigger> take() {
    resolving.addAll(fired);
    fired.clear();
    return List.copyOf(resolving);
  }

  /**
   * A reason's claims.
   *
   * @return tables that there is no room for
   */
  synchronized List<Claim> offer(Trigger trigger, List<Claim> claims) {
    List<Claim> refused = new ArrayList<>();
    for (Claim claim : claims) {
      if (!offer(trigger, claim)) {
        refused.add(claim);
      }
    }
    return refused;
  }

  /** All of a reason's claims are taken, or recorded as refused. */
  void resolved(Trigger trigger) {
    List<Runnable> settled;
    synchronized (this) {
      resolving.remove(trigger);
      trigger.resolved();
      if (trigger.isWhole() && !trigger.isGivenUp()) {
        owedAnew.remove(Optional.<TableId>empty());
      }
      settled = trigger.isOver() ? trigger.settledActions() : List.of();
    }
    settled.forEach(Runnable::run);
  }

  private boolean offer(Trigger trigger, Claim claim) {
    boolean anew =
        trigger.reason().beginsAnew()
            || owedAnew.contains(Optional.of(claim.table()))
            || owedAnew.contains(Optional.<TableId>empty());
    Check check = waiting.get(claim.table());
    if (check == null) {
      Check same = running.get(claim.table());
      boolean joins = same != null && !same.isSuperseded() && !anew && same.claim().equals(claim);
      if (joins) {
        same.serve(trigger, claim, false);
        return true;
      }
      if (waiting.size() >= settings.waitingMax()) {
        owe(anew, Optional.of(claim.table()));
        return false;
      }
      check = new Check(claim);
      waiting.put(claim.table(), check);
    }
    check.serve(trigger, claim, anew);
    owedAnew.remove(Optional.of(claim.table()));
    return true;
  }

  /** What was not checked anew must not be proved by older reads later. */
  private void owe(boolean anew, Optional<TableId> table) {
    if (anew) {
      owedAnew.add(table);
    }
  }

  /** A round could not begin, or broke off; what waits is tried again later. */
  synchronized void postpone() {
    notBefore = time.nanoTime() + settings.retry().toNanos();
    fired.addAll(0, resolving);
    resolving.clear();
  }

  /**
   * Counts a failed attempt against those that wait.
   *
   * @return the reasons that have had enough; each is settled by {@link #resolved}
   */
  synchronized List<Trigger> failed() {
    List<Trigger> over = new ArrayList<>();
    for (Iterator<Trigger> each = fired.iterator(); each.hasNext(); ) {
      Trigger trigger = each.next();
      if (trigger.failed() > settings.retriesMax()) {
        each.remove();
        over.add(trigger);
        trigger.giveUp();
        owe(trigger.reason().beginsAnew(), trigger.table());
      }
    }
    resolving.addAll(over);
    return over;
  }

  /** All that wait for their turn are given up; each is settled by {@link #endedUnread}. */
  synchronized List<Check> giveUpWaiting() {
    List<Check> over = List.copyOf(waiting.values());
    waiting.clear();
    return over;
  }

  /** The next table, whose check is running from now on; drift comes first. */
  synchronized Optional<Check> next() {
    Check next = null;
    for (Check check : waiting.values()) {
      if (!running.containsKey(check.table()) && (next == null || better(check, next))) {
        next = check;
      }
    }
    if (next == null || stopping) {
      return Optional.empty();
    }
    waiting.remove(next.table());
    running.put(next.table(), next);
    begun++;
    return Optional.of(next);
  }

  private static boolean better(Check check, Check than) {
    return check.restart() && !than.restart();
  }

  /** A check has ended that may have read nothing. */
  void endedUnread(Check check) {
    synchronized (this) {
      owe(check.restart(), Optional.of(check.table()));
    }
    ended(check);
  }

  /** A check has ended that began to read, so that what it proves is its own. */
  void ended(Check check) {
    synchronized (this) {
      running.remove(check.table(), check);
      notifyAll();
      if (stopping) {
        // Whoever begins next has the same reasons.
        return;
      }
    }
    release(check);
  }

  private void release(Check check) {
    List<Runnable> settled = new ArrayList<>();
    synchronized (this) {
      for (Trigger trigger : check.triggers()) {
        trigger.closed();
        if (trigger.isOver()) {
          settled.addAll(trigger.settledActions());
        }
      }
    }
    settled.forEach(Runnable::run);
  }

  /** Nothing begins any more, and what runs is cancelled. */
  void stop() {
    List<Check> cut;
    synchronized (this) {
      stopping = true;
      cut = List.copyOf(running.values());
      notifyAll();
    }
    cut.forEach(check -> check.cancel().cancel());
  }

  synchronized boolean isStopping() {
    return stopping;
  }

  /** Tables whose check waits for its turn. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Tables whose check is running. */
  synchronized int running() {
    return running.size();
  }

  /** Reasons whose tables are not known yet. */
  synchronized int unresolved() {
    return fired.size() + resolving.size();
  }

  /** Whether nothing waits and nothing runs. */
  synchronized boolean isIdle() {
    return waiting() == 0 && running() == 0 && unresolved() == 0;
  }

  /** Checks that began. */
  synchronized long begun() {
    return begun;
  }
}
