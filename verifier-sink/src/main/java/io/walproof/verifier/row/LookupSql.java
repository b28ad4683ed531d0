package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** The statement that looks up a batch of keys by equality in the key's own types. */
final class LookupSql {

  private final String relation;
  private final SideCatalog catalog;
  private final List<String> keyColumns;

  /**
   * @param relation what stands behind FROM
   */
  LookupSql(String relation, SideCatalog catalog, List<String> keyColumns) {
    this.relation = relation;
    this.catalog = catalog;
    this.keyColumns = keyColumns;
  }

  /**
   * One text array a key column in; per row found, of which a key has at most two: the key's
   * ordinal from 1, xmin, the values.
   *
   * @param values expressions over alias {@code t}
   */
  String text(List<String> values) {
    Optional<UniqueIndex> index = catalog.usableKey(keyColumns);
    String from = "ROWS FROM (" + arrays() + ") WITH ORDINALITY AS k (" + keyAliases() + ", n)";
    String rows = relation + " AS t";
    String match = matches(index, at -> "k.k" + at);
    if (index.isEmpty()) {
      // Without a unique index a lookup a key would scan the table each time: one join instead. A
      // key may have any number of rows there.
      return "SELECT r.n, r.xmin"
          + names("r", values.size())
          + " FROM (SELECT k.n, t.xmin"
          + list(values)
          + ", pg_catalog.row_number() OVER (PARTITION BY k.n) AS copy FROM "
          + from
          + " JOIN "
          + rows
          + " ON "
          + match
          + ") AS r WHERE r.copy OPERATOR(pg_catalog.<=) 2";
    }
    // LIMIT keeps the planner from turning the lookups into a scan of the whole table, and two rows
    // are enough to know that the key is not unique.
    return "SELECT k.n, r.* FROM "
        + from
        + " CROSS JOIN LATERAL (SELECT t.xmin"
        + list(values)
        + " FROM "
        + rows
        + " WHERE "
        + match
        + " LIMIT 2) AS r";
  }

  /**
   * The same, where values may be long: a row is sent with its size, in bytes as the last column,
   * and without its values that may be long if that is above a limit, which is the last parameter.
   *
   * @param types of the values
   * @param values as many expressions, and maybe one more whose value is short
   */
  String bounded(List<ColumnType> types, List<String> values) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      names.add("q.v" + i);
    }
    Optional<String> size = RowSize.sql(types, names, "m.bytes");
    if (size.isEmpty()) {
      return text(values);
    }
    StringBuilder list = new StringBuilder("SELECT q.n, q.xmin");
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      boolean mayBeLong = i < types.size() && RowSize.mayBeLong(types.get(i));
      list.append(", ")
          .append(
              mayBeLong
                  ? "CASE WHEN s.bytes OPERATOR(pg_catalog.<=) m.bytes THEN " + name + " END"
                  : name);
    }
    // OFFSET keeps each value and the size from being computed more than once.
    return list
        + ", s.bytes FROM ("
        + text(values)
        + " OFFSET 0) AS q CROSS JOIN (SELECT CAST(? AS pg_catalog.int8) AS bytes) AS m"
        + " CROSS JOIN LATERAL (SELECT "
        + size.get()
        + " AS bytes OFFSET 0) AS s";
  }

  /**
   * The condition that finds one row in a statement of its own.
   *
   * @param literals the key's values as SQL literals, in the key columns' order
   */
  String condition(List<String> literals) {
    return matches(catalog.usableKey(keyColumns), literals::get);
  }

  private String arrays() {
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < keyColumns.size(); i++) {
      calls.add("pg_catalog.unnest(CAST(? AS pg_catalog.text[]))");
    }
    return String.join(", ", calls);
  }

  private String keyAliases() {
    List<String> aliases = new ArrayList<>();
    for (int i = 0; i < keyColumns.size(); i++) {
      aliases.add("k" + i);
    }
    return String.join(", ", aliases);
  }

  private String matches(Optional<UniqueIndex> index, IntFunction<String> value) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < keyColumns.size(); i++) {
      String column = keyColumns.get(i);
      TypeName type = catalog.column(column).orElseThrow().type();
      String equality =
          index.flatMap(known -> known.equalityOf(column)).orElseGet(() -> defaultEquality(type));
      conditions.add(catalog.sql(column) + ' ' + equality + ' ' + type.of(value.apply(i)));
    }
    return String.join(" AND ", conditions);
  }

  /** An extension's type and its operators live in one schema; all others use the system's. */
  private String defaultEquality(TypeName type) {
    boolean own =
        keyColumns.stream()
            .flatMap(column -> catalog.column(column).stream())
            .anyMatch(
                c ->
                    c.type().equals(type)
                        && c.shape().kind() == ColumnType.Kind.SCALAR
                        && !type.builtIn());
    return "OPERATOR(" + (own ? SqlIdentifier.quoted(type.schema()) : "\"pg_catalog\"") + ".=)";
  }

  private static String names(String alias, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(", ").append(alias).append(".v").append(i);
    }
    return text.toString();
  }

  private static String list(List<String> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      text.append(", ").append(values.get(i)).append(" AS v").append(i);
    }
    return text.toString();
  }
}
