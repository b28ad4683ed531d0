package io.walproof.verifier.audit;

import io.walproof.contract.TableId;
import java.util.HashMap;
import java.util.Map;

/** What runs' last range checks of each table came to. Owned by one thread. */
final class RangeTally {

  private final Map<Checked, Ended> last = new HashMap<>();

  /** A run checks a table once at a time, and its last word on it counts. */
  private record Checked(String runId, TableId table) {}

  private record Ended(long seq, boolean failed, boolean proved) {
    static Ended of(AuditRecord end) {
      String outcome = end.json().path("outcome").asText();
      boolean targetOnly = end.json().path("target_only").asLong() > 0;
      return new Ended(
          end.seq(), outcome.equals("failed"), outcome.equals("proved") && !targetOnly);
    }
  }

  void add(AuditRecord end) {
    last.merge(
        new Checked(end.runId(), end.table().orElseThrow()),
        Ended.of(end),
        (known, fresh) -> fresh.seq() > known.seq() ? fresh : known);
  }

  void add(RangeTally other) {
    last.putAll(other.last);
  }

  AuditSummary.Ranges sum() {
    long failed = 0;
    long open = 0;
    for (Ended end : last.values()) {
      failed += end.failed() ? 1 : 0;
      open += end.failed() || end.proved() ? 0 : 1;
    }
    return new AuditSummary.Ranges(failed, open);
  }
}
