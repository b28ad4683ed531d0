package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What an operator said of names that differ on the target. Everything else goes by the source's
 * names; only what is read of the target, or is to be done there, uses these. No two tables of the
 * source are the same table of the target, and no two columns the same column.
 *
 * @param schemas the target's schemas by the source's
 * @param tables the target's tables by the source's; they count before schemas
 * @param columns the target's columns by the source's, by the source's table
 */
public record TargetNames(
    Map<String, String> schemas,
    Map<TableId, TableId> tables,
    Map<TableId, Map<String, String>> columns) {

  /** The configuration key of {@link #schemas}. */
  public static final String SCHEMAS = "verify.schema.mapping";

  /** The configuration key of {@link #tables}. */
  public static final String TABLES = "verify.table.mapping";

  /** The configuration key of {@link #columns}. */
  public static final String COLUMNS = "verify.column.mapping";

  /** The target has the source's names. */
  public static final TargetNames SAME = new TargetNames(Map.of(), Map.of(), Map.of());

  private static final char TO = ':';

  /**
   * Copies.
   *
   * @throws IllegalArgumentException if two names lead to one
   */
  public TargetNames {
    schemas = oneToOne(schemas, "schema");
    tables = oneToOne(tables, "table");
    Map<TableId, Map<String, String>> copies = new TreeMap<>();
    columns.forEach((table, names) -> copies.put(table, oneToOne(names, "column")));
    columns = Map.copyOf(copies);
  }

  private static <T> Map<T, T> oneToOne(Map<T, T> names, String what) {
    if (new HashSet<>(names.values()).size() < names.size()) {
      throw new IllegalArgumentException(
          "must not lead from two " + what + "s of the source to one of the target");
    }
    return Map.copyOf(names);
  }

  /**
   * Reads {@code schema:schema, ...}, the source's name first.
   *
   * @throws IllegalArgumentException if it is something else, or leads from two schemas to one;
   *     without the text
   */
  public static Map<String, String> parseSchemas(String text) {
    Map<String, String> schemas = new TreeMap<>();
    for (String item : SqlIdentifier.split(text, ',')) {
      Pair<String, String> pair =
          pair(item, ColumnName::identifier, ColumnName::identifier, "schema:schema");
      add(schemas, pair.here(), pair.there(), "schema");
    }
    return oneToOne(schemas, "schema");
  }

  /**
   * Reads {@code schema.table:schema.table, ...}, the source's name first.
   *
   * @throws IllegalArgumentException if it is something else, or leads from two tables to one;
   *     without the text
   */
  public static Map<TableId, TableId> parseTables(String text) {
    Map<TableId, TableId> tables = new TreeMap<>();
    for (String item : SqlIdentifier.split(text, ',')) {
      Pair<TableId, TableId> pair =
          pair(item, TableId::parse, TableId::parse, "schema.table:schema.table");
      add(tables, pair.here(), pair.there(), "table");
    }
    return oneToOne(tables, "table");
  }

  /**
   * Reads {@code schema.table.column:column, ...}, the source's name first.
   *
   * @throws IllegalArgumentException if it is something else, or leads from two columns of a table
   *     to one; without the text
   */
  public static Map<TableId, Map<String, String>> parseColumns(String text) {
    Map<TableId, Map<String, String>> columns = new TreeMap<>();
    for (String item : SqlIdentifier.split(text, ',')) {
      Pair<ColumnName, String> pair =
          pair(item, ColumnName::parse, ColumnName::identifier, "schema.table.column:column");
      add(
          columns.computeIfAbsent(pair.here().table(), table -> new TreeMap<>()),
          pair.here().name(),
          pair.there(),
          "column");
    }
    columns.values().forEach(names -> oneToOne(names, "column"));
    return columns;
  }

  private record Pair<S, T>(S here, T there) {}

  private static <S, T> Pair<S, T> pair(
      String item, Function<String, S> here, Function<String, T> there, String form) {
    List<String> sides = SqlIdentifier.split(item, TO);
    try {
      if (sides.size() == 2) {
        return new Pair<>(here.apply(sides.get(0)), there.apply(sides.get(1)));
      }
    } catch (IllegalArgumentException e) {
      throw malformed(form, e);
    }
    throw malformed(form, null);
  }

  private static IllegalArgumentException malformed(String form, Exception cause) {
    return new IllegalArgumentException(
        "must be "
            + form
            + ", the source's name first, with commas between and double quotes around names that"
            + " need them",
        cause);
  }

  private static <T> void add(Map<T, T> names, T here, T there, String what) {
    T before = names.put(here, there);
    if (before != null && !before.equals(there)) {
      throw new IllegalArgumentException("must give each " + what + " one name on the target");
    }
  }

  /**
   * The target's table that holds a source table's rows; empty if another table of the source, or
   * another schema, has been given that name: {@link #whyNone} says which.
   */
  public Optional<TableId> table(TableId source) {
    return Optional.of(tables.getOrDefault(source, bySchema(source)))
        .filter(there -> tables.containsKey(source) || !isTaken(source, there));
  }

  private TableId bySchema(TableId source) {
    return new TableId(schemas.getOrDefault(source.schema(), source.schema()), source.name());
  }

  private boolean isTaken(TableId source, TableId there) {
    return tables.containsValue(there)
        || (!schemas.containsKey(source.schema()) && schemas.containsValue(source.schema()));
  }

  /** A sentence for people where {@link #table} is empty. */
  public String whyNone(TableId source) {
    TableId there = bySchema(source);
    String taken =
        tables.containsValue(there)
            ? TABLES + " gives " + there + " to another table of the source"
            : SCHEMAS
                + " gives the schema "
                + SqlIdentifier.display(there.schema())
                + " to another schema of the source";
    return "which table of the target holds "
        + source
        + " is not said: "
        + taken
        + "; give "
        + source
        + " its own in "
        + TABLES;
  }

  /** The columns of a source's table that have other names on the target, with these. */
  public Map<String, String> columns(TableId source) {
    return columns.getOrDefault(source, Map.of());
  }

  /** The target's name of a column of a source's table. */
  public String column(TableId source, String column) {
    return columns(source).getOrDefault(column, column);
  }
}
