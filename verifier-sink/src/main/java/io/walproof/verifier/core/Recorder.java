package io.walproof.verifier.core;

import io.walproof.contract.ChangedKey;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The only way for a key to leave the pending state, always in this order: evidence durable, then
 * counted, then closed towards the stream, whose offset may then be committed (invariant B).
 */
final class Recorder {

  private static final int ABANDONED_AT_ONCE = 1_000;

  /** How often a key is observed anew because its table's shape changed. */
  private static final int RENEWALS = 3;

  private final AuditLog audit;
  private final Ledger ledger;
  private final PendingBoard board;

  Recorder(AuditLog audit, Ledger ledger, PendingBoard board) {
    this.audit = audit;
    this.ledger = ledger;
    this.board = board;
  }

  /** A key's end that needs evidence. */
  record Ended(KeyEntry entry, Decision decision) {}

  /** A mismatch at the first read, with its evidence. */
  record Mismatch(Deferred deferred, Observation observation) {}

  /** Keys of one table that were equal. */
  void matched(List<KeyEntry> entries) {
    if (!entries.isEmpty()) {
      ledger.ended(entries.get(0).table(), new Verdict.Matched(), entries.size());
      close(entries);
    }
  }

  /** Keys of one table that are not judged. */
  void skipped(List<KeyEntry> entries, String reason) {
    if (!entries.isEmpty()) {
      ledger.skipped(entries.get(0).table(), reason, entries.size());
      close(entries);
    }
  }

  /** Observations become durable before anything waits for the recheck. */
  void deferred(List<Mismatch> mismatches) {
    if (!mismatches.isEmpty()) {
      append(mismatches.stream().<AuditEntry>map(Mismatch::observation).toList());
      revoked(List.of(), board.defer(mismatches.stream().map(Mismatch::deferred).toList()));
    }
  }

  /**
   * Ends keys. Where the table's shape changed between the first and the last read, nothing was
   * judged: that observation ends, and the key is observed anew under the new shape, a bounded
   * number of times.
   */
  void ended(List<Ended> ended) {
    if (!ended.isEmpty()) {
      append(ended.stream().<AuditEntry>map(Ended::decision).toList());
      List<KeyEntry> over = new ArrayList<>();
      List<KeyEntry> anew = new ArrayList<>();
      for (Ended end : ended) {
        ledger.ended(end.entry().table(), end.decision().verdict(), 1);
        (isObservedAnew(end) ? anew : over).add(end.entry());
      }
      // Whoever reads a stream that went to somebody else checks its keys.
      board.ended(board.renew(anew));
      close(over);
    }
  }

  private static boolean isObservedAnew(Ended end) {
    return end.decision().verdict() instanceof Verdict.Incomplete incomplete
        && incomplete.reason() == IncompleteReason.SCHEMA_CHANGED
        // A range check has one end for each key, and repeats the range by itself.
        && end.entry().stratum() == Stratum.CDC
        && end.entry().renewals() < RENEWALS;
  }

  /**
   * The run ends before these are decided. They are audited and counted as incomplete, but not
   * closed: the offset stays below them and a restart checks them again.
   */
  void abandoned(List<KeyEntry> unread, List<Deferred> deferred) {
    abandoned(
        unread,
        deferred,
        IncompleteReason.CANCELLED,
        "the run ended first; a restart checks this key again");
  }

  /** Whoever named the keys does not wait for them any more. */
  void cancelled(List<KeyEntry> unread, List<Deferred> deferred) {
    abandoned(
        unread,
        deferred,
        IncompleteReason.CANCELLED,
        "the range check that named this key ended first; the next one names it again");
  }

  /** Keys that are not to be checked now; they were never pending, and nobody's offset is held. */
  void setAside(List<ChangedKey> keys, IncompleteReason reason, String detail) {
    Verdict verdict = new Verdict.Incomplete(reason);
    for (int from = 0; from < keys.size(); from += ABANDONED_AT_ONCE) {
      List<ChangedKey> part = keys.subList(from, Math.min(keys.size(), from + ABANDONED_AT_ONCE));
      append(part.stream().<AuditEntry>map(key -> undecided(key, verdict, detail)).toList());
      for (ChangedKey key : part) {
        ledger.queued(key.table());
        ledger.ended(key.table(), verdict, 1);
      }
    }
  }

  private static Decision undecided(ChangedKey key, Verdict verdict, String detail) {
    return new Decision(
        Stratum.CDC,
        key.table(),
        key.key(),
        verdict,
        List.of(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(key.shape()),
        Optional.of(detail));
  }

  /** First reads that are put off, unless nobody waits for them any more. */
  void postponed(List<KeyEntry> entries) {
    revoked(board.postpone(entries), List.of());
  }

  /** The keys' stream went to somebody else, whose offset is still below them. */
  void revoked(List<KeyEntry> unread, List<Deferred> deferred) {
    abandoned(
        unread,
        deferred,
        IncompleteReason.PARTITION_REVOKED,
        "the partition was taken from this task, or the task stops; whoever reads the partition"
            + " next checks this key again");
  }

  private void abandoned(
      List<KeyEntry> unread, List<Deferred> deferred, IncompleteReason reason, String detail) {
    inParts(
        unread,
        entry ->
            new Ended(entry, undecided(entry, Optional.empty(), Optional.empty(), reason, detail)));
    inParts(
        deferred,
        mismatch ->
            new Ended(
                mismatch.entry(),
                undecided(
                    mismatch.entry(),
                    Optional.of(mismatch.source()),
                    Optional.of(mismatch.target()),
                    reason,
                    detail)));
  }

  /** All records of a hundred thousand keys at once would take more heap than the keys did. */
  private <T> void inParts(List<T> left, Function<T, Ended> end) {
    for (int from = 0; from < left.size(); from += ABANDONED_AT_ONCE) {
      List<Ended> ends =
          left.subList(from, Math.min(left.size(), from + ABANDONED_AT_ONCE)).stream()
              .map(end)
              .toList();
      append(ends.stream().<AuditEntry>map(Ended::decision).toList());
      for (Ended ended : ends) {
        ledger.ended(ended.entry().table(), ended.decision().verdict(), 1);
      }
      board.ended(ends.stream().map(Ended::entry).toList());
    }
  }

  private static Decision undecided(
      KeyEntry entry,
      Optional<RowSnapshot> source,
      Optional<RowSnapshot> target,
      IncompleteReason reason,
      String detail) {
    return new Decision(
        entry.stratum(),
        entry.table(),
        entry.key(),
        new Verdict.Incomplete(reason),
        List.of(),
        false,
        source,
        target,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        entry.shape(),
        Optional.of(detail));
  }

  private void append(List<AuditEntry> entries) {
    audit.append(entries);
  }

  private void close(List<KeyEntry> entries) {
    entries.forEach(KeyEntry::close);
    board.ended(entries);
  }
}
