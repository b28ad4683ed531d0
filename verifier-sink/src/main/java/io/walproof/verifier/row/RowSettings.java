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
 * @param rowMaxBytes a longer row is not fetched: it ends as too large
 * @param names names that differ on the target
 */
public record RowSettings(
    String appColumn,
    Map<TableId, Set<String>> publishedColumns,
    int fetchBytes,
    Map<TableId, String> rowFilters,
    ColumnSettings columns,
    int rowMaxBytes,
    TargetNames names) {

  /** 16 MiB: read and hashed, a row takes a multiple of its length. */
  public static final int ROW_MAX_BYTES = 16 << 20;

  /** Copies, and refuses what cannot work. */
  public RowSettings {
    Objects.requireNonNull(appColumn, "appColumn");
    Objects.requireNonNull(columns, "columns");
    Objects.requireNonNull(names, "names");
    publishedColumns =
        publishedColumns.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> Set.copyOf(e.getValue())));
    if (fetchBytes < 1 || rowMaxBytes < 1) {
      throw new IllegalArgumentException("fetchBytes and rowMaxBytes must be positive");
    }
    rowFilters = Map.copyOf(rowFilters);
  }

  /** Without row filters, rows of up to {@link #ROW_MAX_BYTES}, and the source's names. */
  public RowSettings(
      String appColumn,
      Map<TableId, Set<String>> publishedColumns,
      int fetchBytes,
      ColumnSettings columns) {
    this(
        appColumn,
        publishedColumns,
        fetchBytes,
        Map.of(),
        columns,
        ROW_MAX_BYTES,
        TargetNames.SAME);
  }

  /** {@code app_pk}, no column lists, 16 MiB a fetch, no row filters, nothing said of columns. */
  public static RowSettings defaults() {
    return new RowSettings("app_pk", Map.of(), 16 << 20, ColumnSettings.NONE);
  }

  /**
   * Whether the pipeline carries a column and nobody has excluded it. Of key columns that is not
   * asked.
   */
  boolean takesPart(TableId table, String column) {
    return published(table, column) && !columns.excludedOf(table).contains(column);
  }

  /** Whether publications carry a column. */
  boolean published(TableId table, String column) {
    Set<String> list = publishedColumns.get(table);
    return list == null || list.contains(column);
  }

  /** The same, for publications with these column lists and row filters. */
  public RowSettings publishing(
      Map<TableId, Set<String>> columnLists, Map<TableId, String> filters) {
    return new RowSettings(
        appColumn, columnLists, fetchBytes, filters, columns, rowMaxBytes, names);
  }

  /** The same, with another longest row. */
  public RowSettings withRowMaxBytes(int most) {
    return new RowSettings(
        appColumn, publishedColumns, fetchBytes, rowFilters, columns, most, names);
  }

  /** The same, with other names on the target. */
  public RowSettings withNames(TargetNames others) {
    return new RowSettings(
        appColumn, publishedColumns, fetchBytes, rowFilters, columns, rowMaxBytes, others);
  }
}
