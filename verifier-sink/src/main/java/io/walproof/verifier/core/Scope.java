package io.walproof.verifier.core;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.row.TablePlan;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the checks do not cover, said once per table and change: columns that cannot be compared,
 * and tables that cannot be judged. Thread-safe.
 */
final class Scope {

  private static final Logger LOG = LoggerFactory.getLogger(Scope.class);

  private final Map<TableId, String> said = new HashMap<>();
  private final Map<TableId, ColumnsLeftOut> leftOut = new TreeMap<>();

  synchronized void planned(TablePlan plan) {
    leftOut.put(
        plan.table(),
        new ColumnsLeftOut(
            plan.columnsNotCompared(), plan.columnsExcluded(), plan.columnsNotPublished()));
    if (isNews(plan.table(), plan.fingerprint())) {
      plan.heldAs()
          .ifPresent(names -> LOG.info("{}: the target has it as {}", plan.table(), names));
      if (!plan.columnsNotCompared().isEmpty()) {
        LOG.warn("{}: columns that are not compared: {}", plan.table(), plan.columnsNotCompared());
      }
      if (!plan.columnsExcluded().isEmpty()) {
        LOG.info(
            "{}: columns that are left out by setting: {}", plan.table(), plan.columnsExcluded());
      }
      if (!plan.columnsOnlyOnTarget().isEmpty()) {
        LOG.warn(
            "{}: columns that only the target has: {}", plan.table(), plan.columnsOnlyOnTarget());
      }
    }
  }

  synchronized void notJudged(TableId table, String detail) {
    if (isNews(table, detail)) {
      LOG.warn("{}: {}", table, detail);
    }
  }

  /** What is not covered of the tables that were read. */
  synchronized Map<TableId, ColumnsLeftOut> leftOut() {
    return Map.copyOf(leftOut);
  }

  private boolean isNews(TableId table, String what) {
    return !what.equals(said.put(table, what));
  }
}
