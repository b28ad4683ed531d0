package io.walproof.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A row's key: column names and their values as PostgreSQL's text. Key columns are never NULL.
 * Order counts for equality, so the same row must always be named with its columns in one order
 * (that of the RELATION message or of the catalog).
 *
 * @param columns at least one
 */
public record RowKey(List<Column> columns) {

  /**
   * One key column.
   *
   * @param name the column's name
   * @param text the value in PostgreSQL's text form
   */
  public record Column(String name, String text) {
    /** Refuses null: a NULL cannot identify a row. */
    public Column {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(text, "text");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Refuses an empty key. */
  public RowKey {
    columns = List.copyOf(columns);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("a key has at least one column");
    }
  }

  /** The names, in order. */
  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /** Whether these are the names, in order; asked of every key, so it makes no list. */
  public boolean isNamed(List<String> names) {
    if (names.size() != columns.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).name().equals(names.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The values, in order. */
  public List<String> texts() {
    return columns.stream().map(Column::text).toList();
  }

  /** Name to text, in order, for audit and topic. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    for (Column column : columns) {
      map.put(column.name(), column.text());
    }
    return map;
  }

  /** For people, names quoted only where SQL needs it. It holds values: never for logs. */
  public String display() {
    return columns.stream()
        .map(column -> SqlIdentifier.display(column.name()) + '=' + column.text())
        .collect(Collectors.joining(" "));
  }

  /** The names only: values are data and stay out of logs. */
  @Override
  public String toString() {
    return "key" + names();
  }
}
