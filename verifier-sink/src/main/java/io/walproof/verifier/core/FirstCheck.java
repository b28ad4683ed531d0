package io.walproof.verifier.core;

import io.walproof.contract.RowKey;
import io.walproof.contract.Time;
import io.walproof.verifier.core.Recorder.Ended;
import io.walproof.verifier.core.Recorder.Mismatch;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.TablePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first read of each key (design section 8, steps 1 and 2): source, then target. Equal rows are
 * matched; every mismatch is recorded and put on hold. Runs on one worker thread.
 */
final class FirstCheck {

  /** How often a batch is planned anew when the catalog changes under it. */
  private static final int PLAN_ATTEMPTS = 3;

  /** How often a key's first read is put off before the key is given up, each by a settle time. */
  private static final int POSTPONEMENTS = 12;

  private final Time time;
  private final VerifierLimits limits;
  private final PendingBoard board;
  private final PlanCache plans;
  private final Recorder recorder;
  private final Cancellation cancel;
  private HeldCommits lastHeld = HeldCommits.NONE;

  FirstCheck(
      Time time,
      VerifierLimits limits,
      PendingBoard board,
      PlanCache plans,
      Recorder recorder,
      Cancellation cancel) {
    this.time = time;
    this.limits = limits;
    this.board = board;
    this.plans = plans;
    this.recorder = recorder;
    this.cancel = cancel;
  }

  /** Works until the board stops. */
  void run() throws InterruptedException {
    List<KeyEntry> due = board.awaitKeys(limits.batchRows());
    while (!due.isEmpty()) {
      check(due);
      due = board.awaitKeys(limits.batchRows());
    }
  }

  /** Checks one batch of one table. */
  void check(List<KeyEntry> due) {
    List<KeyEntry> entries = new ArrayList<>(due.size());
    List<KeyEntry> deleted = new ArrayList<>();
    due.forEach(entry -> (entry.deleted() ? deleted : entries).add(entry));
    recorder.skipped(deleted, Ledger.SOURCE_ABSENT);
    if (entries.isEmpty()) {
      return;
    }
    for (int attempt = 1; attempt <= PLAN_ATTEMPTS; attempt++) {
      if (attemptCheck(entries)) {
        return;
      }
    }
    end(entries, IncompleteReason.SCHEMA_CHANGED, "the table's columns kept changing");
  }

  /** Whether the batch came to an end; if not, the plan was stale and is forgotten. */
  private boolean attemptCheck(List<KeyEntry> entries) {
    KeyEntry first = entries.get(0);
    Opening opening = plans.open(first.table(), first.key().names(), deadline(), cancel);
    if (cancel.isCancelled()) {
      recorder.abandoned(entries, List.of());
      return true;
    }
    if (opening instanceof Opening.Ready ready) {
      return readAndCompare(ready.plan(), entries);
    }
    if (opening instanceof Opening.Skipped skipped) {
      skipped(entries, skipped);
    } else if (opening instanceof Opening.Unavailable unavailable) {
      end(entries, unavailable.reason(), unavailable.detail());
    }
    return true;
  }

  /** A range's rows were readable a moment ago, and its claim waits for an answer to each. */
  private void skipped(List<KeyEntry> entries, Opening.Skipped skipped) {
    recorder.skipped(
        entries.stream().filter(entry -> entry.stratum() == Stratum.CDC).toList(),
        skipped.reason());
    end(
        entries.stream().filter(entry -> entry.stratum() != Stratum.CDC).toList(),
        IncompleteReason.SCHEMA_CHANGED,
        skipped.detail());
  }

  private boolean readAndCompare(TablePlan plan, List<KeyEntry> entries) {
    board.versions().use(plan);
    List<RowKey> keys = entries.stream().map(KeyEntry::key).toList();
    BatchRead source = plans.read(Side.SOURCE, plan, keys, deadline(), cancel);
    if (source instanceof BatchRead.PlanStale) {
      plans.forget(plan);
      return false;
    }
    List<KeyRead> sourceRows = PlanCache.perKey(source, keys.size());
    List<KeyEntry> unseen = new ArrayList<>();
    List<KeyEntry> seen = new ArrayList<>(entries.size());
    List<KeyRead> seenRows = new ArrayList<>(entries.size());
    List<RowKey> present = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (source instanceof BatchRead.Rows rows
          && rows.visible().isPresent()
          && !entries.get(i).isSeenBy(rows.visible().get())) {
        unseen.add(entries.get(i));
      } else {
        seen.add(entries.get(i));
        seenRows.add(sourceRows.get(i));
        if (sourceRows.get(i) instanceof KeyRead.Found) {
          present.add(keys.get(i));
        }
      }
    }
    BatchRead target = plans.read(Side.TARGET, plan, present, deadline(), cancel);
    if (target instanceof BatchRead.PlanStale) {
      plans.forget(plan);
      return false;
    }
    if (cancel.isCancelled()) {
      recorder.abandoned(entries, List.of());
      return true;
    }
    putOff(unseen);
    sort(plan, seen, seenRows, PlanCache.perKey(target, present.size()));
    return true;
  }

  /** A read that cannot see a change is no check of it; the next one may see it. */
  private void putOff(List<KeyEntry> unseen) {
    List<KeyEntry> again = new ArrayList<>();
    List<KeyEntry> given = new ArrayList<>();
    unseen.forEach(entry -> (entry.postponed() < POSTPONEMENTS ? again : given).add(entry));
    recorder.postponed(again);
    end(
        given,
        IncompleteReason.TRANSACTION_NOT_VISIBLE,
        "the change is in the source's WAL, but its queries do not see it: a commit that waits for a"
            + " synchronous standby, or a standby behind verify.source.jdbc.url that lags");
  }

  private void sort(
      TablePlan plan, List<KeyEntry> entries, List<KeyRead> source, List<KeyRead> target) {
    List<Mismatch> mismatches = new ArrayList<>();
    List<Ended> ended = new ArrayList<>();
    List<KeyEntry> matched = new ArrayList<>(entries.size());
    List<KeyEntry> absent = new ArrayList<>();
    int nextTarget = 0;
    HeldCommits held = null;
    for (int i = 0; i < entries.size(); i++) {
      KeyEntry entry = entries.get(i);
      KeyRead sourceRow = source.get(i);
      if (sourceRow instanceof KeyRead.NotFound) {
        absent.add(entry);
      } else if (sourceRow instanceof KeyRead.Unreadable unreadable) {
        ended.add(incomplete(entry, Optional.empty(), unreadable.reason(), unreadable.detail()));
      } else if (sourceRow instanceof KeyRead.Found found) {
        KeyRead targetRow = target.get(nextTarget++);
        if (targetRow instanceof KeyRead.Unreadable unreadable) {
          ended.add(
              incomplete(
                  entry, Optional.of(found.snapshot()), unreadable.reason(), unreadable.detail()));
        } else if (targetRow instanceof KeyRead.Found other && other.hash().equals(found.hash())) {
          matched.add(entry);
        } else {
          if (held == null) {
            held = heldCommits();
          }
          mismatches.add(mismatch(plan, entry, found, targetRow, held));
        }
      }
    }
    recorder.matched(matched);
    recorder.skipped(absent, Ledger.SOURCE_ABSENT);
    recorder.ended(ended);
    recorder.deferred(mismatches);
  }

  /** Equal looks are kept once: many mismatches are on hold at a time. */
  private HeldCommits heldCommits() {
    HeldCommits now = plans.heldCommits(deadline(), cancel);
    if (!now.equals(lastHeld)) {
      lastHeld = now;
    }
    return lastHeld;
  }

  private static Mismatch mismatch(
      TablePlan plan, KeyEntry entry, KeyRead.Found source, KeyRead target, HeldCommits held) {
    RowSnapshot targetSnapshot = RowSnapshot.absent();
    List<String> columns = List.of();
    if (target instanceof KeyRead.Found found) {
      targetSnapshot = found.snapshot();
      columns = plan.differingColumns(source, found);
    }
    return new Mismatch(
        new Deferred(entry, source.snapshot(), targetSnapshot, plan.fingerprint(), held),
        new Observation(
            entry.stratum(),
            entry.table(),
            entry.key(),
            columns,
            source.snapshot(),
            targetSnapshot,
            entry.shape()));
  }

  private void end(List<KeyEntry> entries, IncompleteReason reason, String detail) {
    recorder.ended(
        entries.stream().map(e -> incomplete(e, Optional.empty(), reason, detail)).toList());
  }

  private static Ended incomplete(
      KeyEntry entry, Optional<RowSnapshot> source, IncompleteReason reason, String detail) {
    return new Ended(
        entry,
        new Decision(
            entry.stratum(),
            entry.table(),
            entry.key(),
            new Verdict.Incomplete(reason),
            List.of(),
            false,
            source,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            entry.shape(),
            Optional.of(detail)));
  }

  private Deadline deadline() {
    return Deadline.in(time, limits.readTimeout());
  }
}
