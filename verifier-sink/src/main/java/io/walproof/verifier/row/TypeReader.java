package io.walproof.verifier.row;

import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what the types of a table's columns are made of. */
final class TypeReader {

  /** One row a part, and one for a type without parts. Parameters are schema and table name. */
  private static final String TYPES =
      """
      WITH RECURSIVE used (oid) AS (
        SELECT a.atttypid
          FROM pg_catalog.pg_attribute AS a
          JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = CAST(? AS pg_catalog.text) AND c.relname = CAST(? AS pg_catalog.text)
           AND a.attnum > 0 AND NOT a.attisdropped
        UNION
        SELECT p.oid
          FROM used AS u
          JOIN pg_catalog.pg_type AS t ON t.oid = u.oid
         CROSS JOIN LATERAL (%1$s) AS p (oid, at, name))
      SELECT t.oid, n.nspname, t.typname,
        CASE WHEN t.typtype = 'b'
          AND t.typoutput = CAST('pg_catalog.array_out' AS pg_catalog.regproc) THEN 'a'
          ELSE t.typtype END AS kind,
        p.oid AS part, p.name AS part_name
        FROM used AS u
        JOIN pg_catalog.pg_type AS t ON t.oid = u.oid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
        LEFT JOIN LATERAL (%1$s) AS p (oid, at, name) ON true
       ORDER BY t.oid, p.at
      """
          .formatted(
              """
              SELECT t.typbasetype, 1, NULL::pg_catalog.name WHERE t.typtype = 'd'
              UNION ALL SELECT t.typelem, 1, NULL
                WHERE t.typtype = 'b'
                  AND t.typoutput = CAST('pg_catalog.array_out' AS pg_catalog.regproc)
              UNION ALL SELECT r.rngsubtype, 1, NULL
                FROM pg_catalog.pg_range AS r WHERE r.rngtypid = t.oid
              UNION ALL SELECT r.rngtypid, 1, NULL
                FROM pg_catalog.pg_range AS r WHERE r.rngmultitypid = t.oid
              UNION ALL SELECT a.atttypid, a.attnum, a.attname
                FROM pg_catalog.pg_attribute AS a
               WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0
                 AND NOT a.attisdropped
              """);

  private record Entry(TypeName name, char kind, List<Part> parts) {}

  private record Part(String oid, String name) {}

  private final Map<String, Entry> entries;

  private TypeReader(Map<String, Entry> entries) {
    this.entries = entries;
  }

  static TypeReader of(Session session, TableId table) throws SQLException {
    return new TypeReader(
        session.query(
            TYPES, Session.Parameters.texts(table.schema(), table.name()), TypeReader::entries));
  }

  private static Map<String, Entry> entries(ResultSet rows) throws SQLException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    while (rows.next()) {
      TypeName name = new TypeName(rows.getString("nspname"), rows.getString("typname"));
      char kind = rows.getString("kind").charAt(0);
      Entry entry =
          entries.computeIfAbsent(
              rows.getString("oid"), oid -> new Entry(name, kind, new ArrayList<>()));
      String part = rows.getString("part");
      if (part != null) {
        String partName = rows.getString("part_name");
        entry.parts().add(new Part(part, partName == null ? "" : partName));
      }
    }
    return entries;
  }

  /** The type of this OID, a domain's at the bottom. */
  ColumnType type(String oid) throws SQLException {
    Entry entry = entries.get(oid);
    if (entry == null) {
      throw new SQLException("type " + oid + " is gone", "42704");
    }
    if (entry.kind() == 'd') {
      return type(entry.parts().get(0).oid());
    }
    List<ColumnType.Part> parts = new ArrayList<>();
    for (Part part : entry.parts()) {
      parts.add(new ColumnType.Part(part.name(), type(part.oid())));
    }
    return new ColumnType(entry.name(), kind(entry.kind()), parts);
  }

  /** Changes with every type that is in use, at any depth. */
  String fingerprint() {
    return entries.toString();
  }

  private static ColumnType.Kind kind(char kind) {
    return switch (kind) {
      case 'a' -> ColumnType.Kind.ARRAY;
      case 'c' -> ColumnType.Kind.COMPOSITE;
      case 'r' -> ColumnType.Kind.RANGE;
      case 'm' -> ColumnType.Kind.MULTIRANGE;
      case 'e' -> ColumnType.Kind.ENUM;
      default -> ColumnType.Kind.SCALAR;
    };
  }
}
