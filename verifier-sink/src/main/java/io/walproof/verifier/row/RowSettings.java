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
 */
public record RowSettings(
    String appColumn,
    Map<TableId, Set<String>> publishedColumns,
    int fetchBytes,
    Map<TableId, String> rowFilters) {

  /** Copies, and refuses what cannot work. */
  public RowSettings {
    Objects.requireNonNull(appColumn, "appColumn");
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
  public RowSettings(String appColumn, Map<TableId, Set<String>> publishedColumns, int fetchBytes) {
    this(appColumn, publishedColumns, fetchBytes, Map.of());
  }

  /** {@code app_pk}, no column lists, 16 MiB. */
  public static RowSettings defaults() {
    return new RowSettings("app_pk", Map.of(), 16 << 20);
  }
}
