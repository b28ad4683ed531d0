package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What runs before the shown ones left open: a restart mends nothing and judges nothing.
 *
 * @param runs those that are still told apart
 * @param forgottenFailures confirmed failures of older ones
 * @param forgottenUnjudged checks of older ones that nothing made up for
 */
record EarlierRuns(
    List<RunState> runs, OpenTables forgottenFailures, OpenTables forgottenUnjudged) {

  /** Confirmed failures that nothing is known to have mended. */
  long failures() {
    return forgottenFailures.count() + runs.stream().mapToLong(run -> run.failures().count()).sum();
  }

  /** Checks without a judgement that nothing has made up for, or will by itself. */
  long unjudged() {
    return forgottenUnjudged.count() + runs.stream().mapToLong(run -> run.unjudged().count()).sum();
  }

  Map<TableId, Long> failuresByTable() {
    Map<TableId, Long> sum = new TreeMap<>();
    forgottenFailures.addTo(sum);
    runs.forEach(run -> run.failures().addTo(sum));
    return sum;
  }

  Map<TableId, Long> unjudgedByTable() {
    Map<TableId, Long> sum = new TreeMap<>();
    forgottenUnjudged.addTo(sum);
    runs.forEach(run -> run.unjudged().addTo(sum));
    return sum;
  }
}
