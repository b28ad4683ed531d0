package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Refuses, before anything starts, tables that Debezium cannot capture. */
final class DebeziumLimits {

  private static final String COLUMNS_BY_CASE =
      """
      SELECT n.nspname, c.relname
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
      GROUP BY n.nspname, c.relname, pg_catalog.lower(a.attname)
      HAVING pg_catalog.count(*) > 1
      """;

  private DebeziumLimits() {}

  /**
   * Checks.
   *
   * @throws CaptureException naming the tables
   */
  static void check(Connection connection, List<SourceTable> included) throws SQLException {
    Set<TableId> mangled = new TreeSet<>();
    Set<TableId> names = new HashSet<>();
    for (SourceTable source : included) {
      names.add(source.table());
      if (!keepsItsName(source.table())) {
        mangled.add(source.table());
      }
    }
    refuse(mangled, "Debezium mangles the names of these tables and would lose their changes");
    Set<TableId> ambiguous = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(COLUMNS_BY_CASE)) {
      while (rows.next()) {
        TableId table = new TableId(rows.getString(1), rows.getString(2));
        if (names.contains(table)) {
          ambiguous.add(table);
        }
      }
    }
    refuse(ambiguous, "Debezium cannot capture tables with columns that differ only by case");
  }

  /** Debezium quotes a name and parses it again for each change. */
  private static boolean keepsItsName(TableId table) {
    io.debezium.relational.TableId id = SourceCatalog.debeziumId(table);
    try {
      io.debezium.relational.TableId again =
          io.debezium.relational.TableId.parse(id.toDoubleQuotedString(), false);
      return again != null
          && table.schema().equals(again.schema())
          && table.name().equals(again.table());
    } catch (RuntimeException e) {
      // Its parser refuses some names; no such table would be captured.
      return false;
    }
  }

  private static void refuse(Set<TableId> tables, String why) {
    if (!tables.isEmpty()) {
      throw new CaptureException(
          Reason.TABLE,
          why + ": " + Sql.display(tables) + "; exclude them with table.exclude.list");
    }
  }
}
