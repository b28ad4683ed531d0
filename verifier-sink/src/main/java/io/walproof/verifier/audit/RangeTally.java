package io.walproof.verifier.audit;

import io.walproof.contract.TableId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What runs' last range checks of each table came to. Owned by one thread. */
final class RangeTally {

  private final Map<Checked, Ended> last = new HashMap<>();

  /** A run checks a table once at a time, and its last word on it, or on all tables, counts. */
  private record Checked(String runId, Optional<TableId> table) {}

  private record Ended(long seq, boolean failed, boolean proved) {
    static Ended of(AuditRecord end) {
      String outcome = end.json().path("outcome").asText();
      boolean targetOnly = end.json().path("target_only").asLong() > 0;
      return new Ended(
          end.seq(), outcome.equals("failed"), outcome.equals("proved") && !targetOnly);
    }
  }

  void ended(AuditRecord end) {
    put(end, Ended.of(end));
  }

  /** Once all tables are looked at, each one's end says what is open. */
  void began(AuditRecord start) {
    if (start.table().isEmpty()) {
      put(start, new Ended(start.seq(), false, true));
    }
  }

  private void put(AuditRecord record, Ended now) {
    last.merge(
        new Checked(record.runId(), record.table()),
        now,
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
