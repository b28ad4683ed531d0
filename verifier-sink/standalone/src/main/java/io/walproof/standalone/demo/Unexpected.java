package io.walproof.standalone.demo;

import io.walproof.standalone.demo.Evidence.Verdicts;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import java.util.ArrayList;
import java.util.List;

/** What was reported and was not injected. */
final class Unexpected {

  private Unexpected() {}

  /** In words; empty as it should be. */
  static List<String> in(Evidence evidence, DemoWorkload workload) {
    List<String> found = new ArrayList<>();
    if (workload.failure() != null) {
      found.add("the workload failed: " + workload.failure().getMessage());
    }
    for (Decision decision : evidence.decisions(0)) {
      if (decision.verdict() instanceof Verdict.Unresolved && !isInjected(decision)) {
        found.add(Verdicts.inWords(decision.verdict()) + " in " + decision.table());
      } else if (decision.verdict() instanceof Verdict.Incomplete incomplete
          && !isExplained(incomplete.reason())) {
        found.add(Verdicts.inWords(decision.verdict()) + " in " + decision.table());
      }
    }
    int drift = evidence.drift(0).size();
    if (drift != 1) {
      found.add(drift + " drift events instead of one");
    }
    return found;
  }

  private static boolean isInjected(Decision decision) {
    return decision.table().equals(Evidence.ORDERS)
        && Injections.expectedFailures().stream()
            .anyMatch(id -> decision.key().texts().equals(List.of(id.toString())));
  }

  /**
   * The stopped applier leaves the workload's keys unproven too, a row that never rests may stay
   * so, a stopped Walproof leaves keys to its next run, and the altered table is read anew.
   */
  private static boolean isExplained(IncompleteReason reason) {
    return switch (reason) {
      case REPLAY_NOT_CONFIRMED, CANCELLED, SOURCE_UNSTABLE, SCHEMA_CHANGED -> true;
      case CONFIRMATION_FAILED,
          SOURCE_READ_FAILED,
          TRANSACTION_NOT_VISIBLE,
          TARGET_READ_FAILED,
          NOT_COMPARABLE,
          ROW_TOO_LARGE,
          NOT_UNIQUE,
          PARTITION_REVOKED,
          SOURCE_TABLE_MISSING,
          TARGET_TABLE_MISSING,
          TARGET_COLUMN_MISSING,
          TABLE_TIMEOUT,
          SHAPE_NOT_ACCEPTED,
          DIVERTED_NOT_KEPT,
          TABLE_NOT_REPLICATED ->
          false;
    };
  }
}
