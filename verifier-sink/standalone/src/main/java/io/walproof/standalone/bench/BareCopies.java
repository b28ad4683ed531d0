package io.walproof.standalone.bench;

import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * What anything costs at least that sees every value: both tables copied at once, and discarded.
 */
final class BareCopies {

  private BareCopies() {}

  /** Copies both, and counts one side's rows. */
  static long copy(Connection source, Connection target, TableId table)
      throws SQLException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Callable<Long>> both =
          List.of(() -> discard(source, table), () -> discard(target, table));
      long rows = 0;
      for (Future<Long> side : threads.invokeAll(both)) {
        rows = side.get();
      }
      return rows;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a bare copy failed", e.getCause());
    } finally {
      threads.shutdown();
    }
  }

  private static long discard(Connection connection, TableId table) throws SQLException {
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("COPY " + table.sql() + " TO STDOUT");
    long rows = 0;
    while (copy.readFromCopy() != null) {
      rows++;
    }
    return rows;
  }
}
