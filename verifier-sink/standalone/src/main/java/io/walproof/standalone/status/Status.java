package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The state of verification at one moment, as the page and the JSON show it.
 *
 * @param at that moment
 * @param health the whole
 * @param reasons sentences about what keeps it from being clean, worst first
 * @param runs the runs that the figures come from
 * @param runsLeftOut runs so old that only their open failures are counted
 * @param scope what the verdict covers
 * @param total the figures over all tables
 * @param openFailures failures of these runs that nothing is known to have mended
 * @param tables the worst first
 * @param tablesLeftOut how many more there are
 * @param failures open failures, the newest first
 * @param failuresLeftOut how many more are open
 * @param earlierFailures open failures of runs before these, the newest first
 * @param earlierLeftOut how many more of those
 * @param notJudged some of the checks that ended without a judgement, the newest first
 * @param earlierNotJudged checks of runs before these that ended without a judgement and that
 *     nothing has made up for, the newest first
 * @param earlierNotJudgedLeftOut how many more of those
 * @param incompleteReasons all of them of these runs, by reason
 * @param drift drift events and gaps, the newest first
 * @param driftLeftOut how many older ones there were
 * @param ranges the range checks that say something still, the newest first
 * @param rangesLeftOut range checks that there was no room for
 * @param wrongFor how long keys were wrong
 * @param notMeasured keys whose time was not measured, because too many were on hold
 * @param replay where replay was confirmed to
 * @param oldestPending how long the oldest mismatch on hold has waited
 * @param live figures that only the process itself has
 * @param disagreements sentences about figures that do not agree with the run's own
 */
public record Status(
    Instant at,
    Health health,
    List<String> reasons,
    List<Run> runs,
    long runsLeftOut,
    Scope scope,
    Coverage total,
    long openFailures,
    List<Table> tables,
    long tablesLeftOut,
    List<Failure> failures,
    long failuresLeftOut,
    List<Failure> earlierFailures,
    long earlierLeftOut,
    List<Failure> notJudged,
    List<Failure> earlierNotJudged,
    long earlierNotJudgedLeftOut,
    Map<String, Long> incompleteReasons,
    List<DriftEntry> drift,
    long driftLeftOut,
    List<RangeView> ranges,
    long rangesLeftOut,
    List<WrongFor.Bucket> wrongFor,
    long notMeasured,
    Optional<Replay> replay,
    Optional<Duration> oldestPending,
    Optional<LiveFigures> live,
    List<String> disagreements) {

  /** What the lists of tables, open failures, drift events and range checks leave out. */
  public long leftOut() {
    return tablesLeftOut
        + failuresLeftOut
        + earlierLeftOut
        + earlierNotJudgedLeftOut
        + driftLeftOut
        + rangesLeftOut;
  }

  /** Failures of runs before these that nothing is known to have mended. */
  public long openEarlier() {
    return earlierFailures.size() + earlierLeftOut;
  }

  /** Failures of all runs that nothing is known to have mended. */
  public long openInAll() {
    return openFailures + openEarlier();
  }

  /**
   * One run.
   *
   * @param id its id
   * @param startedAt when it began
   * @param lastAt when it last wrote something
   * @param endedAt when it ended, empty while it goes on
   * @param endReason why it ended
   * @param countedAt when it last reported its own counts
   */
  public record Run(
      String id,
      Instant startedAt,
      Instant lastAt,
      Optional<Instant> endedAt,
      Optional<String> endReason,
      Optional<Instant> countedAt) {}

  /**
   * What the verdict covers.
   *
   * @param rulesVersion the row equality rules
   * @param confirmation how replay is confirmed
   * @param ignoredApps applications whose mismatches are no failures
   * @param settings settings that limit what is judged
   * @param skipped tables or keys that are not judged, by table and reason, without rows that are
   *     gone
   * @param columns columns that are not covered, by table
   * @param columnsUnknown tables of which it is not known
   */
  public record Scope(
      String rulesVersion,
      String confirmation,
      List<Long> ignoredApps,
      Map<String, String> settings,
      Map<TableId, Map<String, Long>> skipped,
      Map<TableId, ColumnsLeftOut> columns,
      Set<TableId> columnsUnknown) {

    /** Those of the columns that one list of them has, by table. */
    Map<TableId, List<String>> columns(Function<ColumnsLeftOut, List<String>> which) {
      Map<TableId, List<String>> found = new TreeMap<>();
      columns.forEach(
          (table, left) -> {
            if (!which.apply(left).isEmpty()) {
              found.put(table, which.apply(left));
            }
          });
      return found;
    }
  }

  /**
   * One table.
   *
   * @param table which
   * @param health its own
   * @param coverage its counts
   * @param open open failures of these runs
   * @param earlier open failures of runs before these
   * @param oldestPending how long its oldest mismatch on hold has waited, by the records
   * @param replay where replay of it was last confirmed to, which is how far behind its verdicts
   *     are at most; empty where no recheck asked
   */
  public record Table(
      TableId table,
      Health health,
      Coverage coverage,
      long open,
      long earlier,
      Optional<Duration> oldestPending,
      Optional<Replay> replay) {}

  /**
   * Where replay was confirmed to.
   *
   * @param boundary the last boundary
   * @param at when that was recorded
   * @param waited how long the confirmation took, where it is known
   */
  public record Replay(String boundary, Instant at, Optional<Duration> waited) {}
}
