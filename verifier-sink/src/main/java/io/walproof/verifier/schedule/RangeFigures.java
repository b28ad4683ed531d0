package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What unattended range checks have come to so far. Thread-safe. */
public final class RangeFigures {

  private final Map<RangeOutcome, Long> ended = new EnumMap<>(RangeOutcome.class);
  private final Map<TableId, RangeResult> last = new TreeMap<>();
  private Set<TableId> scope = Set.of();
  private long rows;
  private long failingRows;

  /** Checks that failed for a whole table: it, or a column of it, is missing. */
  private long failingTables;

  private long targetOnlyRows;
  private long failedRounds;
  private long givenUp;
  private Optional<String> allGivenUp = Optional.empty();
  private Optional<Instant> lastEnd = Optional.empty();

  /** Nothing was checked yet. */
  public RangeFigures() {}

  synchronized void ended(RangeResult result, Instant at) {
    ended.merge(result.outcome(), 1L, Long::sum);
    last.put(result.table(), result);
    rows += result.progress().rows();
    failingRows += result.keys().failures();
    targetOnlyRows += result.targetOnly().count();
    if (result.outcome() == RangeOutcome.FAILED && result.keys().failures() == 0) {
      failingTables++;
    }
    lastEnd = Optional.of(at);
  }

  /** All tables are looked at: the ones that are to be checked. */
  synchronized void began(Set<TableId> tables) {
    scope = Set.copyOf(tables);
    allGivenUp = Optional.empty();
  }

  synchronized void roundFailed() {
    failedRounds++;
  }

  synchronized void gaveUp() {
    givenUp++;
  }

  synchronized void gaveUpAll(String why) {
    gaveUp();
    allGivenUp = Optional.of(why);
  }

  /** Checks that ended so. */
  public synchronized long ended(RangeOutcome outcome) {
    return ended.getOrDefault(outcome, 0L);
  }

  /** Checks that ended. */
  public synchronized long ended() {
    return ended.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Source rows that were compared. */
  public synchronized long rows() {
    return rows;
  }

  /** Rows that were confirmed to be missing or wrong. */
  public synchronized long failingRows() {
    return failingRows;
  }

  /** Rows that only the target has. */
  public synchronized long targetOnlyRows() {
    return targetOnlyRows;
  }

  /** Tables that were in scope when a check of all of them was last planned. */
  public synchronized int tables() {
    return scope.size();
  }

  /** Those of them whose last check reached the end of its range on both sides. */
  public synchronized long tablesCovered() {
    return scope.stream()
        .map(last::get)
        .filter(result -> result != null && result.progress().complete())
        .count();
  }

  /** Attempts to begin that failed. */
  public synchronized long failedRounds() {
    return failedRounds;
  }

  /** Reasons to check that were given up, because no attempt to begin succeeded. */
  public synchronized long givenUp() {
    return givenUp;
  }

  /** Why the last look at all tables was given up; empty once another one began. */
  public synchronized Optional<String> allGivenUp() {
    return allGivenUp;
  }

  /** When the last check ended. */
  public synchronized Optional<Instant> lastEnd() {
    return lastEnd;
  }

  /** Each table's last result, sorted by name. */
  public synchronized List<RangeResult> last() {
    return new ArrayList<>(last.values());
  }

  /** Confirmed failures, rows and whole tables, also those that a later check found mended. */
  public synchronized long failures() {
    return failingRows + failingTables;
  }

  /** What the tables' last checks left unjudged, and whether the last look at all was given up. */
  public synchronized long open() {
    long tables =
        last.values().stream()
            .filter(
                result ->
                    result.outcome() == RangeOutcome.INCOMPLETE
                        || result.outcome() == RangeOutcome.SKIPPED
                        || result.targetOnly().count() > 0
                        || !result.columnsNotCompared().isEmpty())
            .count();
    return tables + (allGivenUp.isPresent() ? 1 : 0);
  }
}
