package io.walproof.verifier.core;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.Time;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.defer.DeferredQueue;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.ingest.KeyQueue;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where intake and the two workers meet: both queues, the count of undecided keys, and the wish to
 * stop, under one monitor. Thread-safe; every wait ends on stop.
 */
final class PendingBoard {

  /** How long a worker sleeps at most before it looks again; it is notified of everything. */
  private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

  private final Time time;
  private final Ledger ledger;
  private final VersionBook versions;
  private final KeyQueue keys;
  private final DeferredQueue deferred;
  private final int pendingMax;
  private int pending;
  private boolean stopping;

  PendingBoard(Time time, VerifierLimits limits, Ledger ledger, VersionBook versions) {
    this.time = time;
    this.ledger = ledger;
    this.versions = versions;
    this.keys = new KeyQueue(limits.settle(), versions::opened);
    this.deferred = new DeferredQueue(limits.recheckDelay());
    this.pendingMax = limits.pendingMax();
  }

  /**
   * Takes in a change; waits while {@code verify.pending.max} keys are undecided.
   *
   * @param row what the stream shows of it; empty if it is not the stream that names the key
   * @return false if the board stopped before there was room
   */
  synchronized boolean offer(
      ChangedKey change, Optional<StreamedRow> row, Stratum stratum, Watermark watermark)
      throws InterruptedException {
    while (pending >= pendingMax && !stopping) {
      time.waitOn(this, LONGEST_NAP);
    }
    if (stopping) {
      return false;
    }
    row.ifPresent(shown -> versions.arrived(change, shown));
    OptionalLong dueBefore = keys.nextDue();
    // Counted before the monitor is left: a worker may end the key at once.
    switch (keys.offer(change, stratum, watermark, time.nanoTime())) {
      case QUEUED -> {
        ledger.queued(change.table());
        pending++;
        // Whoever sleeps until the first key is due need not be woken for one behind it.
        if (!keys.nextDue().equals(dueBefore)) {
          notifyAll();
        }
      }
      case COALESCED -> ledger.coalesced(change.table());
      case SOURCE_ABSENT -> ledger.skippedAtOnce(change.table(), Ledger.SOURCE_ABSENT);
    }
    if (row.isEmpty() && stratum == Stratum.CDC) {
      // It may be named late, behind newer changes of the key that no read needs to have seen.
      versions.lost(change.table());
    }
    return true;
  }

  /** What is kept of the rows of undecided keys. */
  VersionBook versions() {
    return versions;
  }

  synchronized boolean hasRoom() {
    return pending < pendingMax;
  }

  /** Due keys of one table, without waiting. */
  synchronized List<KeyEntry> takeDueKeys(int atMost) {
    return keys.takeDue(time.nanoTime(), atMost);
  }

  /** Due rechecks, without waiting. */
  synchronized List<Deferred> takeDueDeferred(int atMost) {
    return deferred.takeDue(time.nanoTime(), atMost);
  }

  /** Waits for due keys of one table; empty on stop. */
  synchronized List<KeyEntry> awaitKeys(int atMost) throws InterruptedException {
    while (!stopping) {
      List<KeyEntry> due = takeDueKeys(atMost);
      if (!due.isEmpty()) {
        return due;
      }
      nap(keys.nextDue());
    }
    return List.of();
  }

  /** Waits for due rechecks; empty on stop. */
  synchronized List<Deferred> awaitDeferred(int atMost) throws InterruptedException {
    while (!stopping) {
      List<Deferred> due = takeDueDeferred(atMost);
      if (!due.isEmpty()) {
        return due;
      }
      nap(deferred.nextDue());
    }
    return List.of();
  }

  private void nap(OptionalLong until) throws InterruptedException {
    Duration nap = LONGEST_NAP;
    if (until.isPresent()) {
      long left = Math.max(1, until.getAsLong() - time.nanoTime());
      nap = left < nap.toNanos() ? Duration.ofNanos(left) : nap;
    }
    time.waitOn(this, nap);
  }

  /**
   * Puts first reads off; the keys stay pending.
   *
   * @return those that nobody waits for any more; they are not put off
   */
  synchronized List<KeyEntry> postpone(List<KeyEntry> entries) {
    List<KeyEntry> abandoned = entries.stream().filter(KeyEntry::isAbandoned).toList();
    entries.stream()
        .filter(entry -> !entry.isAbandoned())
        .forEach(entry -> keys.postpone(entry, time.nanoTime()));
    notifyAll();
    return abandoned;
  }

  /**
   * Observes keys anew; they stay pending, and their ended entries stay open to the stream.
   *
   * @return those that nobody waits for any more; they are not observed anew
   */
  synchronized List<KeyEntry> renew(List<KeyEntry> ended) {
    List<KeyEntry> abandoned = new ArrayList<>();
    for (KeyEntry entry : ended) {
      if (entry.isAbandoned()) {
        abandoned.add(entry);
      } else {
        versions.closed(entry);
        ledger.queued(entry.table());
        keys.renew(entry, time.nanoTime());
      }
    }
    notifyAll();
    return abandoned;
  }

  /**
   * Puts mismatches on hold; they stay pending.
   *
   * @return those that nobody waits for any more; they are not put on hold
   */
  synchronized List<Deferred> defer(List<Deferred> mismatches) {
    List<Deferred> abandoned = mismatches.stream().filter(m -> m.entry().isAbandoned()).toList();
    deferred.add(
        mismatches.stream().filter(m -> !m.entry().isAbandoned()).toList(), time.nanoTime());
    notifyAll();
    return abandoned;
  }

  /** What waits of these streams; nothing of them is put on hold from now on. */
  synchronized Leftovers abandon(Collection<Watermark> streams) {
    streams.forEach(Watermark::abandon);
    return new Leftovers(keys.takeAbandoned(), deferred.takeAbandoned());
  }

  /** These are not undecided any more. */
  synchronized void ended(List<KeyEntry> entries) {
    entries.forEach(versions::closed);
    pending -= entries.size();
    notifyAll();
  }

  synchronized void stop() {
    stopping = true;
    notifyAll();
  }

  synchronized boolean isStopping() {
    return stopping;
  }

  /** Everything still waiting, after both workers have stopped. */
  synchronized Leftovers takeAll() {
    return new Leftovers(keys.takeAll(), deferred.takeAll());
  }

  synchronized int pending() {
    return pending;
  }

  synchronized int deferredCount() {
    return deferred.size();
  }

  /** How long until the next recheck; empty while nothing is on hold. */
  synchronized Optional<Duration> untilRecheck() {
    OptionalLong due = deferred.nextDue();
    return due.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, due.getAsLong() - time.nanoTime())));
  }

  synchronized Duration oldestDeferred() {
    return deferred.oldestAge(time.nanoTime());
  }

  /**
   * What a stop found waiting.
   *
   * @param unread keys before their first read
   * @param deferred mismatches before their recheck
   */
  record Leftovers(List<KeyEntry> unread, List<Deferred> deferred) {}
}
