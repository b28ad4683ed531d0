package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the pipeline carries from the source, as far as the servers tell.
 *
 * @param tables the source's tables, sorted by name
 * @param published what the pipeline's publications carry; empty if none are named and the target
 *     has no subscription from this source, so that nothing is known
 */
public record Route(Map<TableId, SourceTable> tables, Optional<Map<TableId, Published>> published) {

  private static final Excluded NOT_REPLICATED =
      new Excluded("not_replicated", "the publications of the pipeline leave it out");

  private static final Excluded BY_PARTITION =
      new Excluded(
          Excluded.ROW_FILTER,
          "its partitions are published one by one, and not all or not alike: which of its rows and"
              + " columns the target should have does not follow from that");

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
   * @param columns the column list; empty for all columns
   * @param condition what a row meets that the target should have; empty for all rows
   * @param excluded why it does not follow which rows the target should have, if it does not
   */
  public record Published(
      Optional<Set<String>> columns, Optional<String> condition, Optional<Excluded> excluded) {

    /** All rows and columns. */
    public static final Published WHOLE =
        new Published(Optional.empty(), Optional.empty(), Optional.empty());

    /** Copies. */
    public Published {
      columns = columns.map(Set::copyOf);
    }
  }

  /**
   * What to check where somebody asks for a table: the table, or what carries its rows instead, and
   * its leaf partitions that nothing carries.
   */
  public List<TableId> resolve(TableId asked) {
    SourceTable table = tables.get(asked);
    return table == null || published.isEmpty() ? List.of(asked) : carriers(asked, table);
  }

  /** All tables that can be asked for, each row in one of them. */
  public List<TableId> all() {
    Set<TableId> all = new TreeSet<>();
    tables.forEach(
        (id, table) -> {
          if (published.isPresent() && published.get().containsKey(id)) {
            all.add(id);
          } else if (!table.partition()) {
            all.addAll(published.isPresent() ? carriers(id, table) : List.of(id));
          }
        });
    return List.copyOf(all);
  }

  /**
   * The table where it is published, or nothing of it is; else the partitions that are, and the
   * leaves that lie in none of them: what is not published of a table must be seen to be left out.
   */
  private List<TableId> carriers(TableId id, SourceTable table) {
    Map<TableId, Published> carried = published.orElseThrow();
    if (carried.containsKey(id)) {
      return List.of(id);
    }
    Set<TableId> leaves = new TreeSet<>(table.leaves());
    Set<TableId> carriers = new TreeSet<>();
    for (TableId other : carried.keySet()) {
      SourceTable part = tables.get(other);
      List<TableId> own = part == null || part.leaves().isEmpty() ? List.of(other) : part.leaves();
      if (table.leaves().containsAll(own)) {
        carriers.add(other);
        own.forEach(leaves::remove);
      }
    }
    if (carriers.isEmpty()) {
      return List.of(id);
    }
    carriers.addAll(leaves);
    return List.copyOf(carriers);
  }

  /**
   * Why the table is not judged, if the pipeline does not carry it, or if it does not follow which
   * of its rows the target should have.
   */
  public Optional<Excluded> excluded(TableId id) {
    if (published.isEmpty() || !tables.containsKey(id)) {
      return Optional.empty();
    }
    Published how = published.get().get(id);
    return how == null ? Optional.of(NOT_REPLICATED) : how.excluded();
  }

  /**
   * How the pipeline carries a table's rows, also where it names them by a table above, or by
   * partitions below. Empty if nothing is known of what it carries.
   */
  public Optional<Published> carried(TableId id) {
    if (published.isEmpty()) {
      return Optional.empty();
    }
    Map<TableId, Published> carried = published.get();
    if (carried.containsKey(id)) {
      return Optional.of(carried.get(id));
    }
    if (!tables.containsKey(id)) {
      // Whoever reads it finds that out.
      return Optional.of(Published.WHOLE);
    }
    Set<TableId> open = new TreeSet<>(leaves(id));
    Set<Published> parts = new HashSet<>();
    for (Map.Entry<TableId, Published> other : carried.entrySet()) {
      if (tables.containsKey(other.getKey())) {
        Set<TableId> others = leaves(other.getKey());
        if (others.containsAll(leaves(id))) {
          return Optional.of(other.getValue());
        }
        if (leaves(id).containsAll(others)) {
          open.removeAll(others);
          parts.add(other.getValue());
        }
      }
    }
    if (parts.isEmpty()) {
      return Optional.of(left(NOT_REPLICATED));
    }
    return Optional.of(
        open.isEmpty() && parts.size() == 1 ? parts.iterator().next() : left(BY_PARTITION));
  }

  private static Published left(Excluded why) {
    return new Published(Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /** A table's leaf partitions, which a table without partitions is itself. */
  private Set<TableId> leaves(TableId id) {
    List<TableId> leaves = tables.get(id).leaves();
    return leaves.isEmpty() ? Set.of(id) : Set.copyOf(leaves);
  }

  /** Row filters by table, for {@link io.walproof.verifier.row.RowSettings}. */
  public Map<TableId, String> rowFilters() {
    Map<TableId, String> filters = new TreeMap<>();
    published.ifPresent(
        map -> map.forEach((id, how) -> how.condition().ifPresent(text -> filters.put(id, text))));
    return filters;
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

    static final String ROW_FILTER = "row_filter";
    static final String CHANGES_NOT_SENT = "changes_not_sent";

    /** Whether the pipeline carries some of the table's rows or changes. */
    public boolean inPart() {
      return reason.equals(ROW_FILTER) || reason.equals(CHANGES_NOT_SENT);
    }
  }
}
