package io.walproof.standalone.bench;

import io.walproof.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Changes that wait in a slot. The slot is never read; each run reads a fresh copy of it, and so
 * the same changes from the same position. Not thread-safe.
 */
final class Backlog implements AutoCloseable {

  static final String DATABASE = "bench";
  static final String PUBLICATION = "bench";

  private static final String SLOT = "bench_backlog";

  private final PostgresServer server;
  private final SlotCopies slots;
  private final long changes;

  private Backlog(PostgresServer server, SlotCopies slots, long changes) {
    this.server = server;
    this.slots = slots;
    this.changes = changes;
  }

  /**
   * Makes a backlog of inserts and updates in equal parts.
   *
   * @param transactions how many, even
   * @param rows changes per transaction
   */
  static Backlog make(int transactions, int rows) throws SQLException {
    PostgresServer server =
        PostgresServer.builder()
            .setting("max_wal_size", "4GB")
            .setting("autovacuum", "off")
            .start();
    boolean made = false;
    try {
      server.execute("postgres", "CREATE DATABASE " + DATABASE);
      server.execute(
          DATABASE,
          BenchTable.CREATE,
          "CREATE PUBLICATION " + PUBLICATION + " FOR TABLE " + BenchTable.ID.sql());
      SlotCopies slots = SlotCopies.of(server, DATABASE, SLOT);
      server.execute(
          DATABASE,
          "DO $$ BEGIN FOR t IN 0.."
              + (transactions / 2 - 1)
              + " LOOP "
              + BenchTable.insert("t * " + rows + " + 1", "(t + 1) * " + rows)
              + "; COMMIT; UPDATE public.bench SET status = 'paid', paid = true WHERE id BETWEEN t * "
              + rows
              + " + 1 AND (t + 1) * "
              + rows
              + "; COMMIT; END LOOP; END $$",
          "CHECKPOINT");
      made = true;
      return new Backlog(server, slots, (long) transactions * rows);
    } finally {
      if (!made) {
        closeQuietly(server);
      }
    }
  }

  /** How many changes wait. */
  long changes() {
    return changes;
  }

  int port() {
    return server.port();
  }

  /** The slots that runs read it from. */
  SlotCopies slots() {
    return slots;
  }

  /** What the process that sends a run's changes has taken, in seconds of CPU time. */
  double senderCpu(String slot) throws SQLException {
    try (Connection connection = server.connect(DATABASE)) {
      return ServerCpu.ofSender(connection, slot);
    }
  }

  private static void closeQuietly(PostgresServer server) {
    try {
      server.close();
    } catch (java.io.IOException e) {
      // What failed before is under way and says more.
    }
  }

  @Override
  public void close() throws java.io.IOException {
    server.close();
  }
}
