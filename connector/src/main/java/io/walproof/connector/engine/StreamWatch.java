package io.walproof.connector.engine;

import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a stream that only this side takes for open. A server that hears nothing ends it after
 * its {@code wal_sender_timeout}; if whatever lies between has forgotten the connection, nobody
 * tells us, and an end of the stream looks like a source on which nothing happens. The server's
 * slot knows better. Owned by the thread that looks.
 */
final class StreamWatch {

  private static final Logger LOG = LoggerFactory.getLogger(StreamWatch.class);

  private final Supplier<? extends Optional<?>> open;
  private final Runnable cut;

  /** Reads the slot as the server shows it now, empty if it is gone. */
  @FunctionalInterface
  interface SlotReader {
    Optional<SlotState> read() throws SQLException;
  }

  /** The stream that was first seen served, and by which process; null before. */
  private Object known;

  private int server;

  /** The stream that the last look found not served, null if there is none. */
  private Object suspect;

  /**
   * @param open the stream that is open as far as this side knows
   * @param cut has it, and whatever else may hang with it, connected again
   */
  StreamWatch(Supplier<? extends Optional<?>> open, Runnable cut) {
    this.open = open;
    this.cut = cut;
  }

  /**
   * Has Debezium connect again if two looks in a row find that the same stream is not served: by
   * nobody, or the slot by another process than before, which then is another consumer's.
   */
  void look(SlotReader slot) throws SQLException {
    Object before = open.get().orElse(null);
    int pid = slot.read().map(SlotState::activePid).orElse(0);
    Object stream = open.get().orElse(null);
    // What was read while one stream followed another belongs to neither.
    if (stream == null || !stream.equals(before) || serves(pid, stream)) {
      suspect = null;
    } else if (stream.equals(suspect)) {
      LOG.warn("The source has ended the stream, and the network did not say so: connecting again");
      suspect = null;
      cut.run();
    } else {
      suspect = stream;
    }
  }

  /** Not compared with what the driver takes for its process: a proxy may tell it another. */
  private boolean serves(int pid, Object stream) {
    if (pid != 0 && !stream.equals(known)) {
      known = stream;
      server = pid;
    }
    return pid != 0 && pid == server;
  }
}
