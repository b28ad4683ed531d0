package io.walproof.standalone.run;

import io.walproof.standalone.ExitStatus;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What a range check found.
 *
 * @param runId what its audit records carry
 * @param results tables that were asked for
 * @param leftOut tables that nobody named and the pipeline does not carry
 */
public record RangeReport(String runId, List<RangeResult> results, List<RangeResult> leftOut) {

  /** Copies. */
  public RangeReport {
    results = List.copyOf(results);
    leftOut = List.copyOf(leftOut);
  }

  /** How the process ends. A row that only the target has is not judged, so it is not clean. */
  public ExitStatus status() {
    long failures = count(RangeOutcome.FAILED);
    long open =
        count(RangeOutcome.INCOMPLETE)
            + count(RangeOutcome.SKIPPED)
            + results.stream().mapToLong(result -> result.targetOnly().count()).sum();
    return ExitStatus.of(failures, open, false);
  }

  private long count(RangeOutcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }

  /** All of them. */
  public List<RangeResult> all() {
    List<RangeResult> all = new ArrayList<>(results);
    all.addAll(leftOut);
    return all;
  }
}
