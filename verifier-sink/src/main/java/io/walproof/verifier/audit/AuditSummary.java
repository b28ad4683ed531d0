package io.walproof.verifier.audit;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What an audit file says of a run, counted from its records and held against the run's own final
 * counts.
 *
 * @param runs the ids of the runs it covers, in order
 * @param startedAt when the first of them began
 * @param endedAt when the last of them ended; empty if it is running or was killed
 * @param endReason why it ended
 * @param exitStatus the status that the last run's process ended with, if it recorded one
 * @param records records that the figures come from
 * @param total the figures over all tables
 * @param tables the figures by table, sorted
 * @param drift drift events by kind, baselines included
 * @param ranges what each run's last range checks of its tables came to
 * @param reported the runs' own counts, from each one's end or else its last summary; empty if
 *     there are none
 * @param verdictsAfter of tables with a gap, up to where changes may be missing
 * @param columns of tables whose changed keys were read, what the verdicts do not cover; the last
 *     run's word where several say it
 * @param columnSettings what the last run's configuration said of single columns and of names, by
 *     key
 * @param disagreements sentences about every figure that differs between records and the runs' own
 *     final counts; empty as it should be
 */
public record AuditSummary(
    List<String> runs,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> endReason,
    OptionalLong exitStatus,
    long records,
    Figures total,
    Map<TableId, Figures> tables,
    Map<String, Long> drift,
    Ranges ranges,
    Optional<Coverage> reported,
    Map<TableId, Lsn> verdictsAfter,
    Map<TableId, ColumnsLeftOut> columns,
    Map<String, String> columnSettings,
    List<String> disagreements) {

  /**
   * Settings that say what a verdict covers of a row, and what it is compared with, as a run's
   * scope names them.
   */
  public static final List<String> COLUMN_SETTINGS =
      List.of(
          "verify.columns.exclude",
          "verify.column.rules",
          "verify.schema.mapping",
          "verify.table.mapping",
          "verify.column.mapping");

  /** Columns that exist on both sides and were not compared, by table, each with the reason. */
  public Map<TableId, List<String>> notCompared() {
    Map<TableId, List<String>> found = new TreeMap<>();
    columns.forEach(
        (table, left) -> {
          if (!left.notCompared().isEmpty()) {
            found.put(table, left.notCompared());
          }
        });
    return found;
  }

  /**
   * Counts of records.
   *
   * @param deferred mismatches at the first read
   * @param outcomes decisions by outcome, as in {@link Coverage#outcomes()}
   * @param incompleteReasons {@code incomplete} decisions by reason
   */
  public record Figures(
      long deferred, Map<String, Long> outcomes, Map<String, Long> incompleteReasons) {

    /** Decisions that are confirmed failures. */
    public long failures() {
      return outcomes.entrySet().stream()
          .filter(outcome -> outcome.getKey().startsWith("unresolved"))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    /** Decisions without a judgement. */
    public long incomplete() {
      return outcomes.getOrDefault("incomplete", 0L);
    }
  }

  /**
   * Range checks that are not proofs; a table that is missing has no other record.
   *
   * @param failed ones that found rows or the table missing or different
   * @param open ones without a judgement, or with rows that only the target has
   */
  public record Ranges(long failed, long open) {}

  /** The last run in the file. */
  public static AuditSummary ofLastRun(Path file) {
    return of(file, Optional.empty(), false);
  }

  /** One run. */
  public static AuditSummary ofRun(Path file, String runId) {
    return of(file, Optional.of(runId), false);
  }

  /** All runs together. */
  public static AuditSummary ofAllRuns(Path file) {
    return of(file, Optional.empty(), true);
  }

  /**
   * Runs whose records came from elsewhere, such as a topic, together.
   *
   * @param tallies in the order of their beginnings, at least one; not to be used any more
   */
  public static AuditSummary of(List<RunTally> tallies) {
    RunTally sum = null;
    List<String> runs = new ArrayList<>();
    for (RunTally tally : tallies) {
      runs.add(tally.runId());
      sum = RunTally.sum(sum, tally);
    }
    if (sum == null) {
      throw new IllegalArgumentException("no run");
    }
    return sum.summary(runs);
  }

  private static AuditSummary of(Path file, Optional<String> runId, boolean all) {
    RunTally sum = null;
    RunTally current = null;
    List<String> runs = new ArrayList<>();
    try (AuditReader reader = AuditReader.open(file)) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        AuditRecord record = next.get();
        if (runId.isEmpty() || runId.get().equals(record.runId())) {
          if (current == null || !current.runId().equals(record.runId())) {
            sum = all ? RunTally.sum(sum, current) : null;
            current = RunTally.ofFile(file, record);
            if (!all) {
              runs.clear();
            }
            runs.add(record.runId());
          }
          current.add(record);
        }
        next = reader.next();
      }
    }
    if (current == null) {
      throw new AuditException(
          "The audit file "
              + file
              + (runId.isPresent() ? " holds no run with this id." : " holds no run yet."));
    }
    return RunTally.sum(sum, current).summary(runs);
  }
}
