package io.walproof.verifier.row;

import io.walproof.contract.TableId;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is compared and how much is fetched at once.
 *
 * @param appColumn the column that names the application that wrote a row
 * @param publishedColumns for tables whose publication has a column list, that list; other columns
 *     are not compared
 * @param fetchBytes about how many bytes of rows one statement may return; the next statement's
 *     number of keys follows from the widths seen so far
 * @param rowFilters for tables whose publication has a row filter, that condition as PostgreSQL
 *     writes it with nothing but its own schema in the search path; source rows that do not meet it
 *     are as good as absent
 * @param columns what is said of single columns
 */
public record RowSettings(
    String appColumn,
    Map<TableId, Set<String>> publishedColumns,
    int fetchBytes,
    Map<TableId, String> rowFilters,
    ColumnSettings columns) {

  /** Copies, and refuses what cannot work. */
  public RowSettings {
    Objects.requireNonNull(appColumn, "appColumn");
    Objects.requireNonNull(columns, "columns");
    publishedColumns =
        publishedColumns.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> Set.copyOf(e.getValue())));
    if (fetchBytes < 1) {
      throw new IllegalArgumentException("fetchBytes must be positive");
    }
    rowFilters = Map.copyOf(rowFilters);
  }

  /** Without row filters. */
  public RowSettings(
      String appColumn,
      Map<TableId, Set<String>> publishedColumns,
      int fetchBytes,
      ColumnSettings columns) {
    this(appColumn, publishedColumns, fetchBytes, Map.of(), columns);
  }

  /** {@code app_pk}, no column lists, 16 MiB, no row filters, nothing said of columns. */
  public static RowSettings defaults() {
    return new RowSettings("app_pk", Map.of(), 16 << 20, Map.of(), ColumnSettings.NONE);
  }

  /**
   * Whether the pipeline carries a column and nobody has excluded it. Of key columns that is not
   * asked.
   */
  boolean takesPart(TableId table, String column) {
    Set<String> list = publishedColumns.get(table);
    return (list == null || list.contains(column)) && !columns.excludedOf(table).contains(column);
  }

  /** The same, for publications with these column lists and row filters. */
  public RowSettings publishing(
      Map<TableId, Set<String>> columnLists, Map<TableId, String> filters) {
    return new RowSettings(appColumn, columnLists, fetchBytes, filters, columns);
  }
}
