package io.walproof.verifier.preflight;

import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import java.sql.SQLException;
import java.util.List;

/** Whether the target finds rows by the key without reading the whole table. */
final class TargetIndex {

  private static final String SQL =
      """
      SELECT EXISTS (
        SELECT FROM pg_catalog.pg_index AS i
        WHERE i.indrelid = pg_catalog.to_regclass(?) AND i.indisvalid AND i.indpred IS NULL
          AND ARRAY(
            SELECT a.attname::text
            FROM pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
            WHERE k.place <= LEAST(i.indnkeyatts, pg_catalog.cardinality(CAST(? AS text[])))
          ) @> CAST(? AS text[]))
      """;

  private TargetIndex() {}

  /** Whether a usable index begins with the key's columns, in any order. */
  static boolean exists(Session session, TableId table, List<String> key) throws SQLException {
    String[] names = key.toArray(String[]::new);
    return session.query(
        SQL,
        binder -> {
          binder.text(table.sql());
          binder.texts(names);
          binder.texts(names);
        },
        row -> {
          row.next();
          return row.getBoolean(1);
        });
  }
}
