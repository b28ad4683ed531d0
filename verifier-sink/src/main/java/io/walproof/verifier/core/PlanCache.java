package io.walproof.verifier.core;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.TablePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One worker's plans. Only usable plans are kept: whether a table can be compared is asked afresh
 * until it can. Confined to its worker.
 */
final class PlanCache {

  private record Group(TableId table, List<String> keyColumns) {}

  private final RowAccess rows;
  private final Scope scope;
  private final Map<Group, TablePlan> plans = new HashMap<>();

  PlanCache(RowAccess rows, Scope scope) {
    this.rows = rows;
    this.scope = scope;
  }

  Opening open(TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
    Group group = new Group(table, keyColumns);
    TablePlan known = plans.get(group);
    if (known != null) {
      return new Opening.Ready(known);
    }
    Opening opening = rows.open(table, keyColumns, deadline, cancel);
    if (opening instanceof Opening.Ready ready) {
      plans.put(group, ready.plan());
      scope.planned(ready.plan());
    } else if (opening instanceof Opening.Skipped skipped) {
      scope.notJudged(table, skipped.detail());
    } else if (opening instanceof Opening.Unavailable unavailable) {
      scope.notJudged(table, unavailable.detail());
    }
    return opening;
  }

  void forget(TablePlan plan) {
    plans.values().removeIf(known -> known == plan);
  }

  BatchRead read(
      Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
    if (keys.isEmpty()) {
      return new BatchRead.Rows(List.of(), Optional.empty());
    }
    BatchRead read = rows.read(side, plan, keys, deadline, cancel);
    if (read instanceof BatchRead.Rows found && found.rows().size() != keys.size()) {
      throw new IllegalStateException(
          "asked for " + keys.size() + " keys and got " + found.rows().size());
    }
    return read;
  }

  /** Empty if nobody is accused by a plan that no longer holds. */
  Optional<BatchRead> confirm(TablePlan plan, Deadline deadline, Cancellation cancel) {
    return rows.confirm(plan, deadline, cancel);
  }

  HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
    return rows.heldCommits(deadline, cancel);
  }

  /** The results, or each key as unreadable for the batch's reason. */
  static List<KeyRead> perKey(BatchRead read, int keys) {
    if (read instanceof BatchRead.Rows found) {
      return found.rows();
    }
    KeyRead same =
        read instanceof BatchRead.Failed failed
            ? new KeyRead.Unreadable(failed.reason(), failed.detail())
            : new KeyRead.Unreadable(
                IncompleteReason.SCHEMA_CHANGED, "the table's columns keep changing");
    return java.util.Collections.nCopies(keys, same);
  }
}
