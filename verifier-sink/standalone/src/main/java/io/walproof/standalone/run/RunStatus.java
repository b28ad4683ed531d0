package io.walproof.standalone.run;

import io.walproof.standalone.ExitStatus;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.model.Coverage;
import java.util.Map;

/** What a run's figures mean for the exit status. */
public final class RunStatus {

  /** Deletes and rows that are gone have nothing to judge: the one skip that is no gap. */
  private static final String SOURCE_ABSENT = "source_absent";

  private RunStatus() {}

  /**
   * The status of a run that could do its work so far.
   *
   * @param haltedOnDrift whether the drift policy ended it
   */
  public static ExitStatus of(RunSession session, boolean haltedOnDrift) {
    if (haltedOnDrift) {
      return ExitStatus.DRIFT_HALT;
    }
    Verifier verifier = session.verifier();
    ExitStatus keys =
        of(
            verifier.total(),
            verifier.columnsNotCompared().size(),
            verifier.gaps() + session.diverted());
    RunRanges ranges = session.ranges();
    ExitStatus tables = ExitStatus.of(ranges.failures(), ranges.open(), false);
    return keys == ExitStatus.FAILURES || tables == ExitStatus.CLEAN ? keys : tables;
  }

  /** Keys that are still pending were not judged: the end may have come before their records. */
  static ExitStatus of(Coverage total, long tablesNotFullyCompared, long gaps) {
    return ExitStatus.of(
        total.failures(),
        total.incomplete() + notJudged(total) + total.pending() + tablesNotFullyCompared + gaps,
        false);
  }

  /** Changes that were left out although there may have been something to judge. */
  public static long notJudged(Coverage total) {
    return total.skipped().entrySet().stream()
        .filter(skip -> !isNothingToJudge(skip.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Whether a skip's reason says that there was nothing to judge. */
  public static boolean isNothingToJudge(String reason) {
    return reason.equals(SOURCE_ABSENT);
  }
}
