package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the pipeline carries from the source, as far as the servers tell.
 *
 * @param tables the source's tables, sorted by name
 * @param published what the target's subscriptions carry; empty if it has none from this source, so
 *     that nothing is known
 */
public record Route(Map<TableId, SourceTable> tables, Optional<Map<TableId, Published>> published) {

  /** Copies. */
  public Route {
    tables = java.util.Collections.unmodifiableMap(new TreeMap<>(tables));
    published = published.map(map -> java.util.Collections.unmodifiableMap(new TreeMap<>(map)));
  }

  /**
   * A table of the source.
   *
   * @param partition whether it is a partition of another
   * @param leaves its leaf partitions, if it is partitioned
   */
  public record SourceTable(boolean partition, List<TableId> leaves) {
    /** Copies. */
    public SourceTable {
      leaves = List.copyOf(leaves);
    }
  }

  /**
   * How a table is published.
   *
   * @param columns the publication's column list; empty for all columns
   * @param rowFilter whether only some rows are
   */
  public record Published(Optional<Set<String>> columns, boolean rowFilter) {
    /** Copies. */
    public Published {
      columns = columns.map(Set::copyOf);
    }
  }

  /**
   * What to check where somebody asks for a table: the table, or its leaf partitions where those
   * are published instead.
   */
  public List<TableId> resolve(TableId asked) {
    SourceTable table = tables.get(asked);
    if (table == null || published.isEmpty() || published.get().containsKey(asked)) {
      return List.of(asked);
    }
    // All of them: what is not published of the table must be seen to be left out.
    return table.leaves().stream().anyMatch(published.get()::containsKey)
        ? table.leaves().stream().sorted().toList()
        : List.of(asked);
  }

  /** All tables that can be asked for, each row in one of them. */
  public List<TableId> all() {
    List<TableId> all = new ArrayList<>();
    tables.forEach(
        (id, table) -> {
          if (published.isPresent()
              ? published.get().containsKey(id) || (!table.partition() && unpublished(table))
              : !table.partition()) {
            all.add(id);
          }
        });
    return all;
  }

  private boolean unpublished(SourceTable table) {
    return table.leaves().stream().noneMatch(published.orElseThrow()::containsKey);
  }

  /** Why the table is not judged, if the pipeline does not carry it, or not all of its rows. */
  public Optional<Excluded> excluded(TableId id) {
    if (published.isEmpty() || !tables.containsKey(id)) {
      return Optional.empty();
    }
    Published how = published.get().get(id);
    if (how == null) {
      return Optional.of(
          new Excluded(
              "not_replicated", "the publications of the target's subscription leave it out"));
    }
    return how.rowFilter()
        ? Optional.of(
            new Excluded(
                Excluded.ROW_FILTER,
                "the publication has a row filter for it, and rows outside are not sent; what lies"
                    + " inside is not judged by ranges"))
        : Optional.empty();
  }

  /** Column lists by table. */
  public Map<TableId, Set<String>> columnLists() {
    Map<TableId, Set<String>> lists = new TreeMap<>();
    published.ifPresent(
        map -> map.forEach((id, how) -> how.columns().ifPresent(list -> lists.put(id, list))));
    return lists;
  }

  /**
   * Why a table is left out.
   *
   * @param reason a short code
   * @param detail a sentence for people
   */
  public record Excluded(String reason, String detail) {

    private static final String ROW_FILTER = "row_filter";

    /** Whether the pipeline carries some of the table's rows. */
    public boolean inPart() {
      return reason.equals(ROW_FILTER);
    }
  }
}
