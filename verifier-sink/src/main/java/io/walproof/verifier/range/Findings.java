package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what the key checks decide of range checks' keys, from the audit. Thread-safe. */
public final class Findings {

  private static final class Tally {
    private long count;
    private final List<RowKey> named = new ArrayList<>();
  }

  private final int namedKeys;
  private final Map<TableId, Map<String, Tally>> tables = new HashMap<>();

  /** Names at most so many keys of each outcome. */
  public Findings(int namedKeys) {
    this.namedKeys = namedKeys;
  }

  /** Takes durable entries. */
  public synchronized void accept(List<AuditEntry> entries) {
    for (AuditEntry entry : entries) {
      if (entry instanceof AuditEntry.Decision decision && decision.stratum() == Stratum.RANGE) {
        Tally tally =
            tables
                .computeIfAbsent(decision.table(), table -> new TreeMap<>())
                .computeIfAbsent(outcome(decision.verdict()), outcome -> new Tally());
        tally.count++;
        if (tally.named.size() < namedKeys) {
          tally.named.add(decision.key());
        }
      }
    }
  }

  /** One table's decisions by outcome. */
  synchronized Map<String, RangeResult.Names> of(TableId table) {
    Map<String, RangeResult.Names> names = new TreeMap<>();
    tables
        .getOrDefault(table, Map.of())
        .forEach((o, t) -> names.put(o, new RangeResult.Names(t.count, t.named)));
    return names;
  }

  /** Forgets a table, whose next check starts anew. */
  synchronized void forget(TableId table) {
    tables.remove(table);
  }

  private static String outcome(Verdict verdict) {
    return verdict instanceof Verdict.Unresolved unresolved
        ? verdict.outcome() + '_' + unresolved.kind().text()
        : verdict.outcome();
  }
}
