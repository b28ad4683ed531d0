package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.model.Side;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a table's catalog entries; needs a transaction whose statements see one state. */
final class CatalogReader {

  /** A composite is the one type that ALTER TYPE remakes under the same OID. */
  private static final String NO_COMPOSITES = "";

  private CatalogReader() {}

  /**
   * The table as this side has it, in this side's own names; empty if it has none of that name.
   *
   * @param table its name on this side
   */
  static Optional<SideCatalog> read(Session session, Side side, TableId table) throws SQLException {
    Session.Parameters name = Session.Parameters.texts(table.schema(), table.name());
    Relation relation = session.query(CatalogSql.RELATION, name, CatalogReader::relation);
    if (relation == null) {
      return Optional.empty();
    }
    TypeReader types = TypeReader.of(session, table);
    List<CatalogColumn> columns =
        session.query(
            CatalogSql.COLUMNS,
            Session.Parameters.texts(relation.oid()),
            rows -> columns(rows, types));
    List<UniqueIndex> indexes =
        session.query(
            CatalogSql.UNIQUE_INDEXES,
            Session.Parameters.texts(relation.oid()),
            CatalogReader::indexes);
    String fingerprint =
        fingerprint(
            session,
            table,
            SideCatalog.hasComposites(columns) ? types.fingerprint() : NO_COMPOSITES);
    return Optional.of(
        new SideCatalog(
            side,
            table,
            relation.kind(),
            relation.encoding(),
            moneyDigits(session, columns),
            relation.access(),
            columns,
            List.of(),
            indexes,
            fingerprint));
  }

  /** Asked under the database's own locale, which is pinned to another one otherwise. */
  private static int moneyDigits(Session session, List<CatalogColumn> columns) throws SQLException {
    if (columns.stream().noneMatch(column -> column.shape().holds("money"))) {
      return SideCatalog.USUAL_MONEY_DIGITS;
    }
    String pinned = session.text(CatalogSql.OWN_MONETARY, Session.Parameters.NONE);
    int digits = Integer.parseInt(session.text(CatalogSql.MONEY_DIGITS, Session.Parameters.NONE));
    session.text(CatalogSql.MONETARY, Session.Parameters.texts(pinned));
    return digits;
  }

  /** This side's fingerprint now. */
  static String fingerprint(Session session, SideCatalog catalog) throws SQLException {
    return fingerprint(
        session,
        catalog.table(),
        catalog.hasComposites()
            ? TypeReader.of(session, catalog.table()).fingerprint()
            : NO_COMPOSITES);
  }

  /**
   * Empty text if the table is gone.
   *
   * @param types what its types are made of
   */
  private static String fingerprint(Session session, TableId table, String types)
      throws SQLException {
    String text =
        session.text(
            CatalogSql.FINGERPRINT, Session.Parameters.texts(table.schema(), table.name()));
    return text == null ? "" : text + types;
  }

  private record Relation(String oid, char kind, String encoding, SideCatalog.Access access) {}

  private static Relation relation(ResultSet rows) throws SQLException {
    if (!rows.next()) {
      return null;
    }
    SideCatalog.Access access =
        !rows.getBoolean("readable")
            ? SideCatalog.Access.NO_PRIVILEGE
            : rows.getBoolean("hidden")
                ? SideCatalog.Access.ROWS_HIDDEN
                : SideCatalog.Access.READABLE;
    return new Relation(
        rows.getString("oid"),
        rows.getString("kind").charAt(0),
        rows.getString("encoding"),
        access);
  }

  private static List<CatalogColumn> columns(ResultSet rows, TypeReader types) throws SQLException {
    List<CatalogColumn> columns = new ArrayList<>();
    while (rows.next()) {
      columns.add(
          new CatalogColumn(rows.getString(1), types.type(rows.getString(2)), rows.getString(3)));
    }
    return columns;
  }

  private static List<UniqueIndex> indexes(ResultSet rows) throws SQLException {
    Map<String, List<UniqueIndex.Part>> parts = new LinkedHashMap<>();
    Map<String, String> unusable = new LinkedHashMap<>();
    Set<String> primary = new HashSet<>();
    while (rows.next()) {
      String index = rows.getString("relname");
      String column = rows.getString("attname");
      List<UniqueIndex.Part> known = parts.computeIfAbsent(index, k -> new ArrayList<>());
      if (column != null && rows.getString("oprname") != null) {
        known.add(new UniqueIndex.Part(column, operator(rows), order(rows)));
      }
      if (rows.getBoolean("indisprimary")) {
        primary.add(index);
      }
      String reason = unusableBecause(rows, column);
      if (reason != null) {
        unusable.putIfAbsent(index, reason);
      }
    }
    return parts.entrySet().stream()
        .map(
            e ->
                new UniqueIndex(
                    e.getKey(),
                    primary.contains(e.getKey()),
                    e.getValue(),
                    Optional.ofNullable(unusable.get(e.getKey()))))
        .toList();
  }

  private static IndexSort order(ResultSet rows) throws SQLException {
    Object[] operators = (Object[]) rows.getArray("operators").getArray();
    if (operators.length != IndexSort.STRATEGIES) {
      return IndexSort.UNKNOWN;
    }
    return new IndexSort(
        Arrays.stream(operators).map(Object::toString).toList(),
        Optional.ofNullable(rows.getString("collation")),
        rows.getString("sorting")
            + Optional.ofNullable(rows.getString("labels")).map(labels -> ' ' + labels).orElse(""),
        rows.getBoolean("descending"),
        rows.getBoolean("nulls_first"));
  }

  private static String operator(ResultSet rows) throws SQLException {
    return "OPERATOR("
        + SqlIdentifier.quoted(rows.getString("nspname"))
        + '.'
        + rows.getString("oprname")
        + ')';
  }

  private static String unusableBecause(ResultSet rows, String column) throws SQLException {
    if (!rows.getBoolean("valid")) {
      return "it is not valid";
    }
    if (!rows.getBoolean("indimmediate")) {
      return "it is deferrable";
    }
    if (!rows.getBoolean("complete")) {
      return "it is partial";
    }
    if (!rows.getBoolean("plain") || column == null) {
      return "it has expressions";
    }
    if (!rows.getBoolean("ordinary") || rows.getString("oprname") == null) {
      return "it is not an ordinary btree index";
    }
    return rows.getBoolean("attnotnull")
        ? null
        : "its column " + SqlIdentifier.display(column) + " may be NULL";
  }
}
