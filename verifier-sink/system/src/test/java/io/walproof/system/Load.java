package io.walproof.system;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Writes to one table of the source until it is stopped: transactions that insert and change rows.
 * Some of the inserted rows are lost on the target. The keys are read after {@link #stop}.
 */
final class Load implements AutoCloseable {

  private static final int ROWS = 10;
  private static final int ONE_LOST_IN = 37;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Thread thread;
  private volatile boolean stopping;
  private volatile SQLException failure;
  private volatile long written;

  private Load(ReplicatedPair pair, String table) {
    thread = new Thread(() -> write(pair, table), "load-" + table);
    thread.setDaemon(true);
  }

  static Load start(ReplicatedPair pair, String table) {
    Load load = new Load(pair, table);
    load.thread.start();
    return load;
  }

  /** Rows inserted so far; their keys are 1 to this. */
  long written() {
    return written;
  }

  /** Ends after the current transaction. */
  void stop() throws SQLException, InterruptedException {
    stopping = true;
    thread.join();
    if (failure != null) {
      throw failure;
    }
  }

  /** Every key that was inserted. */
  Set<String> keys() {
    return keys(id -> true);
  }

  /** The keys of the rows that the target loses. */
  Set<String> lost() {
    return keys(Load::isLost);
  }

  @Override
  public void close() throws SQLException, InterruptedException {
    stop();
  }

  private Set<String> keys(LongPredicate which) {
    return LongStream.rangeClosed(1, written)
        .filter(which)
        .mapToObj(Long::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isLost(long id) {
    return id % ONE_LOST_IN == 0;
  }

  private void write(ReplicatedPair pair, String table) {
    try (Connection connection = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stopping) {
        long first = written + 1;
        long last = written + ROWS;
        statement.execute(
            "INSERT INTO %s SELECT i, CASE WHEN i %% %d = 0 THEN 'lost' ELSE 'new' END FROM generate_series(%d, %d) AS i"
                .formatted(table, ONE_LOST_IN, first, last));
        statement.execute(
            "UPDATE %s SET note = 'changed' WHERE note = 'new' AND id BETWEEN %d AND %d"
                .formatted(table, Math.max(1, first - ROWS), first));
        connection.commit();
        written = last;
        Time.system().sleep(PAUSE);
      }
    } catch (SQLException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
