package io.walproof.standalone;

import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.Lsn;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks again and again, on a thread of its own, whether the slot is confirmed past what the
 * offsets file holds (invariant C). The slot is read first: the file only moves forward.
 */
final class SlotWatch implements AutoCloseable {

  private final Operated operated;
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "slot-watch");
  private volatile boolean stopping;
  private final AtomicLong looks = new AtomicLong();
  private volatile Lsn lastConfirmed = Lsn.NONE;

  SlotWatch(Operated operated) {
    this.operated = operated;
    thread.start();
  }

  /** What was seen that must not be. */
  List<String> violations() {
    return violations;
  }

  /** How often both were there to be compared. */
  long looks() {
    return looks.get();
  }

  Lsn lastConfirmed() {
    return lastConfirmed;
  }

  private void run() {
    Path offsets = RunSession.offsetsFile(operated.state);
    try (Connection connection = operated.pair.source().connect(ReplicatedPair.DATABASE);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ?")) {
      statement.setString(1, operated.settings.get("slot.name"));
      while (!stopping) {
        look(offsets, statement);
        Thread.sleep(5);
      }
    } catch (SQLException | RuntimeException e) {
      violations.add("the watch failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Path offsets, PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (row.next() && row.getString(1) != null) {
        Lsn confirmed = Lsn.parse(row.getString(1));
        lastConfirmed = confirmed;
        PositionFile.read(offsets)
            .ifPresent(
                position -> {
                  looks.incrementAndGet();
                  if (confirmed.compareTo(position.resume()) > 0) {
                    violations.add(
                        "the slot is at " + confirmed + ", the file at " + position.resume());
                  }
                });
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
  }
}
