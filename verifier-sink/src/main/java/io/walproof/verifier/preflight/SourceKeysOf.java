package io.walproof.verifier.preflight;

import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import java.sql.Array;
import java.sql.SQLException;
import java.util.List;

/** The columns by which a table's changes will name its rows, from the source's catalog. */
final class SourceKeysOf {

  private static final String SQL =
      """
      SELECT ARRAY(
        SELECT a.attname::text
        FROM pg_catalog.pg_index AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
        CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = pg_catalog.to_regclass(?) AND k.place <= i.indnkeyatts
          AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END
        ORDER BY k.place)
      """;

  private SourceKeysOf() {}

  /** The key, empty if there is none. */
  static List<String> read(Session session, TableId table) throws SQLException {
    return session.query(
        SQL,
        Session.Parameters.texts(table.sql()),
        row -> {
          row.next();
          Array names = row.getArray(1);
          return List.of((String[]) names.getArray());
        });
  }
}
