package io.walproof.verifier.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How long a row is as text, told by the server before it sends the row: about, and not too little
 * for a row that matters. Values of a length that is known to be small do not count.
 */
final class RowSize {

  /** Built-in types whose texts have at most some hundred bytes; numeric's may have 150 kB. */
  private static final Set<String> SHORT =
      Set.of(
          "bool",
          "int2",
          "int4",
          "int8",
          "float4",
          "float8",
          "numeric",
          "money",
          "oid",
          "xid",
          "xid8",
          "cid",
          "tid",
          "date",
          "time",
          "timetz",
          "timestamp",
          "timestamptz",
          "interval",
          "uuid",
          "name",
          "char",
          "inet",
          "cidr",
          "macaddr",
          "macaddr8",
          "pg_lsn",
          "point",
          "line",
          "lseg",
          "box",
          "circle",
          "regclass",
          "regtype",
          "regproc",
          "regprocedure",
          "regoper",
          "regoperator",
          "regrole",
          "regnamespace",
          "regconfig",
          "regdictionary",
          "regcollation");

  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar");

  /**
   * How much longer than what is stored a text can be: a bit takes a byte as text. What cannot
   * reach the limit so is not put into text to be measured.
   */
  private static final int GROWTH = 8;

  /** The same of what is stored compressed, which is to 1/255 at best. */
  private static final int COMPRESSED_GROWTH = 255 * GROWTH;

  /** Two hexadecimal digits a byte. */
  private static final int BYTEA_GROWTH = 2;

  private RowSize() {}

  /** The type of what is fetched of a column. */
  static ColumnType fetched(ColumnType column, ValueRule rule) {
    return switch (rule) {
      case JSON_AS_JSONB -> ColumnType.scalar(new TypeName("pg_catalog", "jsonb"));
      case TEXT_AS_UUID -> ColumnType.scalar(new TypeName("pg_catalog", "uuid"));
      case EXACT_TEXT,
          BYTEA_BYTES,
          NUMERIC_BY_VALUE,
          FLOAT_SIGNLESS_ZERO,
          CHAR_WITHOUT_PADDING,
          MONEY_AS_NUMERIC,
          TIMESTAMP_IN_UTC,
          FUNCTION_SIGNATURE,
          OPERATOR_SIGNATURE,
          BY_PARTS ->
          column;
    };
  }

  /** Whether a value may be long. */
  static boolean mayBeLong(ColumnType type) {
    return type.kind() != ColumnType.Kind.ENUM
        && !(isBuiltIn(type) && SHORT.contains(type.name().name()));
  }

  /**
   * The expression for the sum of values that may be long; empty if none may be.
   *
   * @param types of the values
   * @param values expressions of these types
   * @param limit the sum is right where it is above this; an expression
   */
  static Optional<String> sql(List<ColumnType> types, List<String> values, String limit) {
    List<String> terms = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (mayBeLong(types.get(i))) {
        terms.add(
            "COALESCE(CAST("
                + term(types.get(i), values.get(i), limit)
                + " AS pg_catalog.int8), 0)");
      }
    }
    return terms.isEmpty() ? Optional.empty() : Optional.of(sum(terms));
  }

  /** In halves, because a server takes only so many that are nested in one another. */
  private static String sum(List<String> terms) {
    int size = terms.size();
    return size == 1
        ? terms.get(0)
        : '('
            + sum(terms.subList(0, size / 2))
            + " OPERATOR(pg_catalog.+) "
            + sum(terms.subList(size / 2, size))
            + ')';
  }

  /**
   * A condition that is true of rows that are not too long, and fails (division by zero, class 22)
   * where it meets one that is. Rows all of whose values are far below the limit, which are nearly
   * all, are not measured further.
   */
  static Optional<String> guard(List<ColumnType> types, List<String> values, int limit) {
    return sql(types, values, Integer.toString(limit))
        .map(
            size ->
                '('
                    + allShort(types, values, limit)
                    + " OR 1 OPERATOR(pg_catalog./) CASE WHEN "
                    + size
                    + " OPERATOR(pg_catalog.<=) "
                    + limit
                    + " THEN 1 ELSE 0 END OPERATOR(pg_catalog.=) 1)");
  }

  /** True only if no value has more than its even share of the limit; NULL has nothing. */
  private static String allShort(List<ColumnType> types, List<String> values, int limit) {
    long count = types.stream().filter(RowSize::mayBeLong).count();
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (mayBeLong(types.get(i))) {
        conditions.add(shortValue(types.get(i), values.get(i), limit / count));
      }
    }
    return '(' + String.join(" AND ", conditions) + ") IS NOT FALSE";
  }

  private static String shortValue(ColumnType type, String value, long share) {
    if (isText(type)) {
      return octetLength(value) + atMost(share);
    }
    if (isBytea(type)) {
      return octetLength(value) + atMost(share / BYTEA_GROWTH);
    }
    return storedSize(value) + atMost(share / COMPRESSED_GROWTH);
  }

  private static String atMost(long length) {
    return " OPERATOR(pg_catalog.<=) " + length;
  }

  private static String term(ColumnType type, String value, String limit) {
    if (isText(type)) {
      return octetLength(value);
    }
    if (isBytea(type)) {
      return BYTEA_GROWTH + "::pg_catalog.int8 OPERATOR(pg_catalog.*) " + octetLength(value);
    }
    String stored = storedSize(value);
    return "CASE WHEN "
        + stored
        + " OPERATOR(pg_catalog.<=) ("
        + limit
        + " OPERATOR(pg_catalog./) CASE WHEN pg_catalog.pg_column_compression("
        + value
        + ") IS NULL THEN "
        + GROWTH
        + " ELSE "
        + COMPRESSED_GROWTH
        + " END) THEN "
        + stored
        // The type's own output; a cast to text may be another function.
        + " ELSE pg_catalog.octet_length(pg_catalog.format('%s', "
        + value
        + ")) END";
  }

  private static boolean isText(ColumnType type) {
    return isBuiltIn(type) && TEXTS.contains(type.name().name());
  }

  private static boolean isBytea(ColumnType type) {
    return isBuiltIn(type) && type.name().is("bytea");
  }

  private static boolean isBuiltIn(ColumnType type) {
    return type.kind() == ColumnType.Kind.SCALAR && type.name().builtIn();
  }

  /** Known without fetching what is stored out of line. */
  private static String octetLength(String value) {
    return "pg_catalog.octet_length(" + value + ")";
  }

  private static String storedSize(String value) {
    return "pg_catalog.pg_column_size(" + value + ")";
  }
}
