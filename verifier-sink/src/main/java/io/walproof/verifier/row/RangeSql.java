package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.verifier.row.KeyRange.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements that read one side of a table by ranges of its key. */
final class RangeSql {

  private final String relation;
  private final boolean nullable;
  private final List<OrderTerm> terms;
  private final List<String> values;
  private final List<String> canonical;
  private final List<Integer> keyPlaces;
  private final Optional<String> guard;

  /**
   * @param relation what stands behind FROM
   * @param nullable whether a row may have NULL in the key: it lies in no range, and {@link
   *     #withoutKey} counts it
   * @param terms the order, at least one
   * @param values expressions over alias {@code t}
   * @param canonical the same, such that their texts are canonical
   * @param keyPlaces for each term its column's place among the values
   * @param guard a condition that every row meets, or fails to be read: no value is sent of a row
   *     that is too long
   */
  RangeSql(
      String relation,
      boolean nullable,
      List<OrderTerm> terms,
      List<String> values,
      List<String> canonical,
      List<Integer> keyPlaces,
      Optional<String> guard) {
    this.relation = relation;
    this.nullable = nullable;
    this.terms = List.copyOf(terms);
    this.values = List.copyOf(values);
    this.canonical = List.copyOf(canonical);
    this.keyPlaces = List.copyOf(keyPlaces);
    this.guard = guard;
  }

  /** The first rows of the range, in order, with all compared values. */
  String rows(KeyRange range, int limit) {
    return select(String.join(", ", values), range, limit, guard);
  }

  /** The same, with the key's values only. */
  String keys(KeyRange range, int limit) {
    return select(
        keyPlaces.stream().map(values::get).collect(Collectors.joining(", ")),
        range,
        limit,
        Optional.empty());
  }

  private String select(String list, KeyRange range, int limit, Optional<String> condition) {
    return "SELECT "
        + list
        + " FROM "
        + relation
        + " AS t"
        + where(range, nullable, condition)
        + " ORDER BY "
        + terms.stream().map(OrderTerm::orderBy).collect(Collectors.joining(", "))
        + " LIMIT "
        + limit;
  }

  /**
   * The key that lies so many rows behind the range's first one, in order; no row if the range has
   * fewer.
   */
  String keyAt(KeyRange range, int offset) {
    return "SELECT "
        + keyPlaces.stream().map(values::get).collect(Collectors.joining(", "))
        + " FROM "
        + relation
        + " AS t"
        + where(range, nullable, Optional.empty())
        + " ORDER BY "
        + terms.stream().map(OrderTerm::orderBy).collect(Collectors.joining(", "))
        + " LIMIT 1 OFFSET "
        + offset;
  }

  /** Number of rows, two sums, and the encoding; {@link ServerDigest} says of what. */
  String digest(KeyRange range) {
    String hash = "pg_catalog.hashtextextended(s.line COLLATE pg_catalog.\"C\", ";
    return "SELECT pg_catalog.count(*), COALESCE(pg_catalog.sum("
        + hash
        + "0)), 0), COALESCE(pg_catalog.sum("
        + hash
        + "7046029254386353131)), 0), pg_catalog.getdatabaseencoding()"
        // Without OFFSET the row would be put together once for each hash.
        + " FROM (SELECT CAST(ROW("
        + String.join(", ", canonical)
        + ") AS pg_catalog.text) AS line FROM "
        + relation
        + " AS t"
        + where(range, nullable, guard)
        + " OFFSET 0) AS s";
  }

  /** How many rows have NULL in a key column. */
  String withoutKey() {
    return "SELECT pg_catalog.count(*) FROM "
        + relation
        + " AS t WHERE "
        + terms.stream()
            .map(term -> "t." + SqlIdentifier.quoted(term.own()) + " IS NULL")
            .collect(Collectors.joining(" OR "));
  }

  /** One row with the bound's values; fails where they are none of the columns' types. */
  String probe(Bound bound) {
    List<String> casts = new ArrayList<>();
    for (int i = 0; i < terms.size(); i++) {
      casts.add(terms.get(i).literal(bound));
    }
    return "SELECT " + String.join(", ", casts);
  }

  /**
   * Which of the given keys lie in the range: their ordinals from 1. Takes one text array a key
   * column, and no table.
   */
  String within(KeyRange range) {
    List<String> arrays = new ArrayList<>();
    List<String> aliases = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < terms.size(); i++) {
      OrderTerm term = terms.get(i);
      arrays.add("pg_catalog.unnest(CAST(? AS pg_catalog.text[]))");
      aliases.add("k" + i);
      columns.add(
          term.common().of("k.k" + term.place()) + " AS " + SqlIdentifier.quoted(term.own()));
    }
    String place = noColumn("n");
    return "SELECT t."
        + place
        + " FROM (SELECT k."
        + place
        + ", "
        + String.join(", ", columns)
        + " FROM ROWS FROM ("
        + String.join(", ", arrays)
        + ") WITH ORDINALITY AS k ("
        + String.join(", ", aliases)
        + ", "
        + place
        + ")) AS t"
        + where(range, false, Optional.empty());
  }

  /** A name that no key column has. */
  private String noColumn(String wanted) {
    String name = wanted;
    while (isColumn(name)) {
      name += "_";
    }
    return name;
  }

  private boolean isColumn(String name) {
    return terms.stream().anyMatch(term -> term.own().equals(name));
  }

  private String where(KeyRange range, boolean withKeyOnly, Optional<String> condition) {
    List<String> conditions = new ArrayList<>();
    if (withKeyOnly) {
      terms.forEach(
          term -> conditions.add("t." + SqlIdentifier.quoted(term.own()) + " IS NOT NULL"));
    }
    range.from().ifPresent(bound -> conditions.add(beyond(bound, true)));
    range.to().ifPresent(bound -> conditions.add(beyond(bound, false)));
    condition.ifPresent(conditions::add);
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }

  private String beyond(Bound bound, boolean behind) {
    if (bound.key().size() != terms.size()) {
      throw new IllegalArgumentException(
          "a key has " + terms.size() + " columns, the bound has " + bound.key().size());
    }
    String operator = rowOperator(behind, bound.inclusive());
    if (operator == null) {
      return stepwise(bound, behind);
    }
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    for (int i = 0; i < terms.size(); i++) {
      left.add(terms.get(i).expression());
      right.add(terms.get(i).literal(bound));
    }
    return terms.size() == 1
        ? left.get(0) + ' ' + operator + ' ' + right.get(0)
        : "ROW("
            + String.join(", ", left)
            + ") "
            + operator
            + " ROW("
            + String.join(", ", right)
            + ')';
  }

  /** The operator that means the same for every column, which an index can serve; else null. */
  private String rowOperator(boolean behind, boolean orAt) {
    String first = operator(terms.get(0), behind, orAt);
    return terms.stream().allMatch(term -> operator(term, behind, orAt).equals(first))
        ? first
        : null;
  }

  private static String operator(OrderTerm term, boolean behind, boolean orAt) {
    return behind ? term.behind(orAt) : term.before(orAt);
  }

  /**
   * For columns that are sorted in different directions or by different operators: the row is
   * beyond if its first column is, or equal and its second is, and so on. The first condition says
   * nothing new; an index can serve it.
   */
  private String stepwise(Bound bound, boolean behind) {
    List<String> ways = new ArrayList<>();
    StringBuilder equal = new StringBuilder();
    for (int i = 0; i < terms.size(); i++) {
      OrderTerm term = terms.get(i);
      boolean last = i == terms.size() - 1;
      String literal = term.literal(bound);
      ways.add(
          '('
              + equal.toString()
              + term.expression()
              + ' '
              + operator(term, behind, last && bound.inclusive())
              + ' '
              + literal
              + ')');
      equal
          .append(term.expression())
          .append(' ')
          .append(term.at())
          .append(' ')
          .append(literal)
          .append(" AND ");
    }
    OrderTerm first = terms.get(0);
    return first.expression()
        + ' '
        + operator(first, behind, true)
        + ' '
        + first.literal(bound)
        + " AND ("
        + String.join(" OR ", ways)
        + ')';
  }
}
