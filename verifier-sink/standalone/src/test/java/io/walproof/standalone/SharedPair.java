package io.walproof.standalone;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;

/**
 * One joined pair for all tests of this JVM, each with tables and a slot of its own; a shutdown
 * hook of the servers ends them.
 */
final class SharedPair {

  private static ReplicatedPair pair;

  private SharedPair() {}

  static synchronized ReplicatedPair get()
      throws SQLException, IOException, TimeoutException, InterruptedException {
    if (pair == null) {
      pair = ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
      pair.onTarget(
          "CREATE FUNCTION public.lose() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN RETURN NULL; END'");
      pair.join();
    }
    return pair;
  }

  /** A table that the pipeline carries. */
  static void healthy(String table)
      throws SQLException, IOException, TimeoutException, InterruptedException {
    get().onBoth("CREATE TABLE public." + table + " (id bigint PRIMARY KEY, v text)");
    get().refresh();
  }

  /** A table of which the target loses every row, so that each of its keys must be reported. */
  static void lossy(String table)
      throws SQLException, IOException, TimeoutException, InterruptedException {
    get().onBoth("CREATE TABLE public." + table + " (id bigint PRIMARY KEY, v text)");
    get()
        .onTarget(
            "CREATE TRIGGER lose BEFORE INSERT OR UPDATE ON public."
                + table
                + " FOR EACH ROW EXECUTE FUNCTION public.lose()",
            "ALTER TABLE public." + table + " ENABLE ALWAYS TRIGGER lose");
    get().refresh();
  }
}
