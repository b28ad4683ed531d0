package io.walproof.standalone;

import io.walproof.embedded.ReplicatedPair;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.PGConnection;

/**
 * Writes to the source until it is closed, on a thread of its own: transactions of several rows,
 * COPY, updates, updates that change the key, deletes, rollbacks. Each kind of write goes to a
 * table that the pipeline carries, and in the same transaction, between its rows, to one that the
 * target loses.
 */
final class WitnessLoad implements AutoCloseable {

  private static final int ROWS = 15;
  private static final int COPY_ROWS = 150;
  private static final int RECENT = 500;

  private final ReplicatedPair pair;
  private final String healthy;
  private final String witness;
  private final Random random;
  private final long pauseMillis;
  private final AtomicLong transactions = new AtomicLong();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "witness-load");
  private volatile boolean stopping;
  private long next = 1;

  WitnessLoad(ReplicatedPair pair, String healthy, String witness, long seed, long pauseMillis) {
    this.pair = pair;
    this.healthy = healthy;
    this.witness = witness;
    this.random = new Random(seed);
    this.pauseMillis = pauseMillis;
    thread.start();
  }

  long transactions() {
    return transactions.get();
  }

  private void run() {
    try (Connection connection = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stopping) {
        write(connection, statement);
        transactions.incrementAndGet();
        Thread.sleep(pauseMillis);
      }
    } catch (SQLException | IOException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(Connection connection, Statement statement) throws SQLException, IOException {
    long recent = Math.max(1, next - 1 - random.nextInt(RECENT));
    switch (random.nextInt(12)) {
      case 0 -> copy(connection);
      case 1, 2 -> {
        // Keys below zero are moved ones; the new key must be seen as well as the old one.
        both(statement, "UPDATE public.%s SET id = -id WHERE id BETWEEN %d AND %d", recent, 4);
      }
      case 3 -> both(statement, "DELETE FROM public.%s WHERE id BETWEEN %d AND %d", recent, 3);
      case 4, 5, 6 ->
          both(
              statement, "UPDATE public.%s SET v = v || 'u' WHERE id BETWEEN %d AND %d", recent, 6);
      case 7 -> {
        insert(statement);
        connection.rollback();
      }
      default -> insert(statement);
    }
    connection.commit();
  }

  private void both(Statement statement, String sql, long from, int rows) throws SQLException {
    statement.execute(sql.formatted(healthy, from, from + rows));
    statement.execute(sql.formatted(witness, from, from + rows));
  }

  private void insert(Statement statement) throws SQLException {
    for (int i = 0; i < ROWS; i++) {
      String table = random.nextInt(5) == 0 ? witness : healthy;
      statement.execute("INSERT INTO public." + table + " VALUES (" + next++ + ", 'new')");
    }
  }

  /** Rows of one COPY share an LSN. */
  private void copy(Connection connection) throws SQLException, IOException {
    for (String table : new String[] {healthy, witness}) {
      StringBuilder rows = new StringBuilder();
      int count = table.equals(healthy) ? COPY_ROWS : COPY_ROWS / 5;
      for (int i = 0; i < count; i++) {
        rows.append(next++).append("\tcopied\n");
      }
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "COPY public." + table + " FROM STDIN",
              new ByteArrayInputStream(rows.toString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Ends the load. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
    if (failure.get() != null) {
      throw new IllegalStateException("the load failed", failure.get());
    }
  }
}
