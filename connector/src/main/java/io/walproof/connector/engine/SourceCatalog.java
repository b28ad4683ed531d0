package io.walproof.connector.engine;

import io.debezium.relational.RelationalTableFilters;
import io.debezium.util.Strings;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which tables Debezium's filters include, and whether the settings name tables that exist. */
final class SourceCatalog {

  private static final Logger LOG = LoggerFactory.getLogger(SourceCatalog.class);

  private static final String TABLES =
      """
      SELECT n.nspname, c.relname, c.relkind = 'p', c.relispartition, rn.nspname, r.relname,
             CASE c.relreplident
               WHEN 'f' THEN true
               WHEN 'n' THEN false
               ELSE EXISTS (
                 SELECT FROM pg_catalog.pg_index i
                 WHERE i.indrelid = c.oid
                   AND CASE c.relreplident WHEN 'i' THEN i.indisreplident
                         ELSE i.indisprimary AND i.indimmediate END)
             END,
             EXISTS (
               SELECT FROM pg_catalog.pg_index i
               WHERE i.indrelid = c.oid
                 AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END),
             EXISTS (
               SELECT FROM pg_catalog.pg_index i
               WHERE i.indrelid = c.oid AND i.indisprimary AND i.indimmediate)
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_class r
        ON r.oid = CASE WHEN c.relispartition THEN pg_catalog.pg_partition_root(c.oid) ELSE c.oid END
      JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
      WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p'
        AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      ORDER BY 1, 2
      """;

  /** An entry of an include list that can only mean one name: no pattern but the dot. */
  private static final Pattern LITERAL = Pattern.compile("(?:[^\\\\.\\[\\](){}*+?|^$]|\\\\?\\.)+");

  private SourceCatalog() {}

  /**
   * The tables that the settings include.
   *
   * @throws CaptureException if there is none, or one that is named does not exist
   */
  static List<SourceTable> included(Connection connection, CaptureSettings settings)
      throws SQLException {
    RelationalTableFilters filters = settings.connectorConfig().getTableFilters();
    List<SourceTable> included = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        SourceTable table =
            new SourceTable(
                new TableId(rows.getString(1), rows.getString(2)),
                rows.getBoolean(3),
                rows.getBoolean(4),
                new TableId(rows.getString(5), rows.getString(6)),
                rows.getBoolean(7),
                rows.getBoolean(8),
                rows.getBoolean(9));
        if (filters.dataCollectionFilter().isIncluded(debeziumId(table.table()))) {
          included.add(table);
        }
      }
    }
    checkNamed(settings, included);
    if (included.isEmpty()) {
      throw new CaptureException(
          Reason.TABLE,
          "no table of database "
              + settings.get("database.dbname")
              + " is included; check table.include.list and schema.include.list");
    }
    return included;
  }

  /** The name as Debezium's filters take it. */
  static io.debezium.relational.TableId debeziumId(TableId table) {
    return new io.debezium.relational.TableId(null, table.schema(), table.name());
  }

  private static void checkNamed(CaptureSettings settings, List<SourceTable> included) {
    String list = settings.get("table.include.list");
    if (list == null) {
      return;
    }
    for (Pattern entry : Strings.setOfRegex(list, Pattern.CASE_INSENSITIVE)) {
      boolean found =
          included.stream()
              .map(SourceTable::table)
              .anyMatch(table -> entry.matcher(table.schema() + "." + table.name()).matches());
      if (!found && LITERAL.matcher(entry.pattern()).matches()) {
        throw new CaptureException(
            Reason.TABLE,
            "table.include.list names "
                + entry.pattern()
                + ", but database "
                + settings.get("database.dbname")
                + " has no such table (entries have the form schema.table, without quotes;"
                + " views, temporary and unlogged tables are not replicated)");
      }
      if (!found) {
        LOG.warn("table.include.list: the pattern {} matches no table", entry.pattern());
      }
    }
  }
}
