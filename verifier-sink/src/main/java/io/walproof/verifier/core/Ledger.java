package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts what became of every observed key, per table (invariant I). Pending is counted on its own
 * and not derived, so that {@link Coverage} notices a key that went astray. Thread-safe.
 */
final class Ledger {

  /** The skip reason of keys whose source row is gone: counted, not judged. */
  static final String SOURCE_ABSENT = "source_absent";

  private static final class Counts {
    private long observed;
    private long coalesced;
    private long pending;
    private final Map<String, Long> skipped = new TreeMap<>();
    private final Map<String, Long> outcomes = new TreeMap<>();

    private Coverage coverage() {
      long checked = outcomes.values().stream().mapToLong(Long::longValue).sum();
      return new Coverage(observed, checked, coalesced, skipped, pending, outcomes);
    }

    private void addTo(Counts sum) {
      sum.observed += observed;
      sum.coalesced += coalesced;
      sum.pending += pending;
      skipped.forEach((reason, n) -> sum.skipped.merge(reason, n, Long::sum));
      outcomes.forEach((outcome, n) -> sum.outcomes.merge(outcome, n, Long::sum));
    }
  }

  private final Map<TableId, Counts> tables = new HashMap<>();
  private final Map<String, Long> ignoredRecords = new TreeMap<>();

  /** Up to where changes of all tables, or of one, may be missing. */
  private Optional<Lsn> streamGap = Optional.empty();

  private final Map<TableId, Lsn> tableGaps = new HashMap<>();

  synchronized void queued(TableId table) {
    Counts counts = of(table);
    counts.observed++;
    counts.pending++;
  }

  synchronized void coalesced(TableId table) {
    Counts counts = of(table);
    counts.observed++;
    counts.coalesced++;
  }

  /** A change that is not judged and never was pending. */
  synchronized void skippedAtOnce(TableId table, String reason) {
    Counts counts = of(table);
    counts.observed++;
    counts.skipped.merge(reason, 1L, Long::sum);
  }

  synchronized void skipped(TableId table, String reason, long keys) {
    Counts counts = of(table);
    counts.pending -= keys;
    counts.skipped.merge(reason, keys, Long::sum);
  }

  synchronized void ended(TableId table, Verdict verdict, long keys) {
    Counts counts = of(table);
    counts.pending -= keys;
    counts.outcomes.merge(outcomeKey(verdict), keys, Long::sum);
  }

  /** A record of the stream that names no key at all. */
  synchronized void ignoredRecord(String reason) {
    ignoredRecords.merge(reason, 1L, Long::sum);
  }

  synchronized Map<String, Long> ignoredRecords() {
    return Map.copyOf(ignoredRecords);
  }

  /**
   * Changes up to there may be missing.
   *
   * @param table empty for those of all tables
   */
  synchronized void gap(Optional<TableId> table, Lsn to) {
    if (table.isPresent()) {
      tableGaps.merge(table.get(), to, Lsn::max);
    } else {
      streamGap = Optional.of(streamGap.map(known -> Lsn.max(known, to)).orElse(to));
    }
  }

  /** Up to where changes may be missing, of those of the tables that have a gap. */
  synchronized Map<TableId, Lsn> verdictsAfter(Collection<TableId> of) {
    Map<TableId, Lsn> after = new HashMap<>();
    for (TableId table : of) {
      streamGap.ifPresent(to -> after.put(table, to));
      Optional.ofNullable(tableGaps.get(table)).ifPresent(to -> after.merge(table, to, Lsn::max));
    }
    return after;
  }

  synchronized Coverage total() {
    Counts sum = new Counts();
    tables.values().forEach(counts -> counts.addTo(sum));
    return sum.coverage();
  }

  synchronized Map<TableId, Coverage> perTable() {
    Map<TableId, Coverage> result = new TreeMap<>();
    tables.forEach((table, counts) -> result.put(table, counts.coverage()));
    return result;
  }

  private Counts of(TableId table) {
    return tables.computeIfAbsent(table, t -> new Counts());
  }

  private static String outcomeKey(Verdict verdict) {
    return verdict instanceof Verdict.Unresolved unresolved
        ? verdict.outcome() + "_" + unresolved.kind().text()
        : verdict.outcome();
  }
}
