package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import java.sql.SQLException;
import java.util.Optional;

/** The SQL of the marker table; the only table that Walproof writes to (invariant L). */
final class MarkerTable {

  private final TableId table;
  private final String instance;

  MarkerTable(TableId table, String instance) {
    this.table = table;
    this.instance = instance;
  }

  TableId table() {
    return table;
  }

  /** What creates it, on both sides. */
  String ddl() {
    return "CREATE TABLE "
        + table.sql()
        + " (instance text PRIMARY KEY, token text NOT NULL); GRANT SELECT, INSERT, UPDATE ON "
        + table.sql()
        + " TO <role>;";
  }

  /** Whether the table is there as it should be. */
  boolean exists(Session session) throws SQLException {
    return "2"
        .equals(
            session.text(
                "SELECT pg_catalog.count(*) FROM pg_catalog.pg_attribute AS a"
                    + " JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid"
                    + " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname = CAST(? AS pg_catalog.text)"
                    + " AND c.relname = CAST(? AS pg_catalog.text)"
                    + " AND a.attname IN ('instance', 'token') AND NOT a.attisdropped",
                Session.Parameters.texts(table.schema(), table.name())));
  }

  void write(Session session, String token) throws SQLException {
    session.update(
        "INSERT INTO "
            + table.sql()
            + " AS m (instance, token) VALUES (?, ?)"
            + " ON CONFLICT (instance) DO UPDATE SET token = excluded.token",
        Session.Parameters.texts(instance, token));
  }

  Optional<String> read(Session session) throws SQLException {
    return Optional.ofNullable(
        session.text(
            "SELECT m.token FROM "
                + table.sql()
                + " AS m WHERE m.instance = CAST(? AS pg_catalog.text)",
            Session.Parameters.texts(instance)));
  }
}
