package io.walproof.standalone;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One pair for the tests of this JVM that need no servers of their own; the servers' shutdown hooks
 * end it. The pipeline carries schema {@code public}, and the applier runs unless a test pauses it.
 */
final class JoinedPair {

  private static ReplicatedPair pair;

  private JoinedPair() {}

  static synchronized ReplicatedPair get() throws Exception {
    if (pair == null) {
      ReplicatedPair started =
          ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
      started.onBoth("CREATE SCHEMA apart");
      started.onTarget(
          "CREATE SCHEMA test",
          "CREATE FUNCTION test.lose() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN RETURN NULL; END'");
      started.onSource(
          "CREATE PUBLICATION " + ReplicatedPair.PUBLICATION + " FOR TABLES IN SCHEMA public");
      started.subscribe(ReplicatedPair.SUBSCRIPTION, ReplicatedPair.PUBLICATION);
      pair = started;
    }
    return pair;
  }

  /** An empty table in {@code public} that the applier carries. */
  static void table(String name, String columns) throws Exception {
    get().onBoth("CREATE TABLE public." + name + " (" + columns + ")");
    get().refresh();
  }

  /** An empty table with a number and a text, which the applier carries. */
  static void healthy(String name) throws Exception {
    table(name, "id bigint PRIMARY KEY, v text");
  }

  /** The same, of which the target loses every row, so that each key must be reported. */
  static void lossy(String name) throws Exception {
    healthy(name);
    lose(name);
  }

  /** From now on the applier confirms this table's changes and loses them. */
  static void lose(String name) throws Exception {
    get()
        .onTarget(
            "CREATE TRIGGER lose BEFORE INSERT OR UPDATE OR DELETE ON public."
                + name
                + " FOR EACH ROW EXECUTE FUNCTION test.lose()",
            "ALTER TABLE public." + name + " ENABLE REPLICA TRIGGER lose");
  }

  /** The first column of the one row, as text. */
  static String ask(PostgresServer server, String query) throws SQLException {
    try (Connection connection = server.connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
