package io.walproof.verifier.row;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One server's part of the matrix: tables in which row by row every value of a type on the source
 * meets every value on the target, and what PostgreSQL says of each pair.
 */
final class TypeMatrix implements AutoCloseable {

  /**
   * What PostgreSQL says of two values.
   *
   * @param operator whether {@code =} says that they are equal; null where the type has none
   * @param text whether they are printed alike
   */
  record Oracle(Boolean operator, boolean text) {}

  final TwoDatabases db;
  final int major;
  private final Map<String, Map<Integer, Oracle>> asked = new HashMap<>();

  TypeMatrix(int major) throws SQLException {
    this.major = major;
    db = new TwoDatabases(major);
    for (String definition : TypeSamples.DEFINITIONS) {
      db.onBoth(definition);
    }
    make("plain", TypeSamples.plain());
    make("arrays", TypeSamples.arrays());
    for (String name : List.of("here", "there")) {
      // Also what nobody would choose; and each side something else.
      boolean there = name.equals("there");
      db.server.execute(
          "postgres",
          alter(name, "TimeZone", there ? "Asia/Tokyo" : "America/St_Johns"),
          alter(name, "DateStyle", there ? "SQL, DMY" : "German"),
          alter(name, "IntervalStyle", there ? "iso_8601" : "sql_standard"),
          alter(name, "extra_float_digits", there ? "-10" : "0"),
          alter(name, "bytea_output", there ? "escape" : "hex"),
          alter(name, "xmloption", "document"),
          alter(name, "array_nulls", there ? "off" : "on"),
          alter(name, "quote_all_identifiers", there ? "on" : "off"));
      db.server.execute(
          "postgres",
          "ALTER ROLE postgres IN DATABASE " + name + " SET bytea_output = 'escape'",
          "ALTER ROLE postgres IN DATABASE " + name + " SET search_path = public, pg_catalog");
    }
  }

  private static String alter(String database, String setting, String value) {
    return "ALTER DATABASE "
        + database
        + " SET "
        + setting
        + " = '"
        + value.replace(", ", "','")
        + "'";
  }

  private void make(String table, List<TypeSamples.Column> columns) throws SQLException {
    for (boolean there : new boolean[] {false, true}) {
      try (Connection connection = db.server.connect(there ? "there" : "here");
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute(TypeSamples.PINNED);
        List<String> picks = new ArrayList<>();
        int rows = 0;
        for (TypeSamples.Column column : columns) {
          int count = column.values().size();
          rows = Math.max(rows, count * count);
          String values = "public.v_" + table + "_" + column.name();
          statement.execute(
              "CREATE TABLE " + values + " (i int PRIMARY KEY, v " + column.type() + ")");
          statement.execute(
              IntStream.range(0, count)
                  .mapToObj(i -> "(" + i + ", " + column.values().get(i) + ")")
                  .collect(Collectors.joining(", ", "INSERT INTO " + values + " VALUES ", "")));
          picks.add(
              "(SELECT v FROM "
                  + values
                  + " WHERE g < "
                  + count * count
                  + " AND i = g "
                  + (there ? "% " : "/ ")
                  + count
                  + ")");
        }
        statement.execute(
            columns.stream()
                .map(c -> c.name() + " " + c.type())
                .collect(
                    Collectors.joining(
                        ", ", "CREATE TABLE public." + table + " (id int PRIMARY KEY, ", ")")));
        statement.execute(
            "INSERT INTO public."
                + table
                + " SELECT g, "
                + String.join(", ", picks)
                + " FROM pg_catalog.generate_series(0, "
                + (rows - 1)
                + ") AS g");
        connection.commit();
      }
    }
  }

  /** By row of the table: what PostgreSQL says of the pair that the row holds. */
  Map<Integer, Oracle> oracle(String table, TypeSamples.Column column) throws SQLException {
    String values = "public.v_" + table + "_" + column.name();
    if (!asked.containsKey(values)) {
      asked.put(values, ask(values, column));
    }
    return asked.get(values);
  }

  private Map<Integer, Oracle> ask(String values, TypeSamples.Column column) throws SQLException {
    int count = column.values().size();
    try (Connection connection = db.server.connect("there");
        Statement statement = connection.createStatement()) {
      statement.execute(TypeSamples.PINNED);
      // Where the extensions' operators are.
      statement.execute("SET search_path = pg_catalog, public");
      boolean operator = groups(statement, values);
      Map<Integer, Oracle> oracle = new HashMap<>();
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT a.i, b.i, "
                  + (operator ? "a.v IS NOT DISTINCT FROM b.v" : "NULL::bool")
                  + ", CAST(ROW(a.v) AS text) COLLATE \"C\" = CAST(ROW(b.v) AS text) FROM "
                  + values
                  + " AS a CROSS JOIN "
                  + values
                  + " AS b")) {
        while (rows.next()) {
          Boolean equal = (Boolean) rows.getObject(3);
          oracle.put(
              rows.getInt(1) * count + rows.getInt(2), new Oracle(equal, rows.getBoolean(4)));
        }
      }
      return oracle;
    }
  }

  /** Whether the type has an equality that indexes and GROUP BY use. */
  private static boolean groups(Statement statement, String values) {
    try (ResultSet rows = statement.executeQuery("SELECT 1 FROM " + values + " GROUP BY v")) {
      return rows != null;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Built-in types that could be a column and that no table of the matrix has. */
  List<String> typesLeftOut() throws SQLException {
    try (Connection connection = db.server.connect("here");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT t.typname FROM pg_catalog.pg_type AS t WHERE t.typnamespace ="
                    + " 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'd', 'e', 'm', 'r') AND"
                    + " t.typname <> ALL ('{"
                    + String.join(",", TypeSamples.WITHOUT_VALUES)
                    + "}') AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid ="
                    + " (SELECT e.typrelid FROM pg_catalog.pg_type AS e WHERE e.oid = t.typelem))"
                    + " AND t.oid NOT IN (SELECT a.atttypid FROM pg_catalog.pg_attribute AS a WHERE"
                    + " a.attrelid IN ('public.plain'::regclass, 'public.arrays'::regclass))")) {
      List<String> names = new ArrayList<>();
      while (rows.next()) {
        names.add(rows.getString(1));
      }
      return names;
    }
  }

  @Override
  public void close() throws Exception {
    // So that the server has little to write when it is told to stop.
    db.server.execute("postgres", "CHECKPOINT");
    db.close();
  }
}
