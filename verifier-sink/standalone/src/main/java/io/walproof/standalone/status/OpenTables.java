package io.walproof.standalone.status;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Open keys by table, under one bound for all of them. Owned by one thread. */
final class OpenTables {

  private final int mostOfTable;
  private final int most;
  private final Map<TableId, OpenKeys> tables = new TreeMap<>();
  private int kept;

  /**
   * Empty.
   *
   * @param mostOfTable how many keys of a table are kept with their evidence
   * @param most how many of all tables are, before further tables keep one each
   */
  OpenTables(int mostOfTable, int most) {
    this.mostOfTable = mostOfTable;
    this.most = most;
  }

  /** A decision opened its key. */
  void opened(Failure decision) {
    OpenKeys open = tables.computeIfAbsent(decision.table(), any -> new OpenKeys());
    int before = open.size();
    open.opened(decision, mostOfTable, kept >= most);
    kept += open.size() - before;
  }

  /** The key's next word was spoken then. */
  void closed(TableId table, RowKey key, Instant at) {
    OpenKeys open = tables.get(table);
    if (open != null) {
      int before = open.size();
      open.closed(key, at);
      kept += open.size() - before;
    }
  }

  /** The whole table was proved by a check that began then. */
  void proved(TableId table, Instant began) {
    OpenKeys open = tables.get(table);
    if (open != null) {
      int before = open.size();
      open.proved(began);
      kept += open.size() - before;
    }
  }

  /** Takes another's over as numbers only: a proof still closes them. */
  void countAll(OpenTables other) {
    other.tables.forEach(
        (table, open) -> {
          if (open.count() > 0) {
            tables.computeIfAbsent(table, any -> new OpenKeys()).countAll(open);
          }
        });
  }

  /** How many are open. */
  long count() {
    return tables.values().stream().mapToLong(OpenKeys::count).sum();
  }

  /** Adds how many are open of each table. */
  void addTo(Map<TableId, Long> sum) {
    tables.forEach(
        (table, open) -> {
          if (open.count() > 0) {
            sum.merge(table, open.count(), Long::sum);
          }
        });
  }

  /** Those with their evidence, of each table the newest first. */
  List<Failure> kept() {
    List<Failure> all = new ArrayList<>();
    tables.values().forEach(open -> all.addAll(open.kept()));
    return all;
  }
}
