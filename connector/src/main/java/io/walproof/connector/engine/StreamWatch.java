package io.walproof.connector.engine;

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

  /** The stream that the last look found nobody served, null if there is none. */
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
   * Has Debezium connect again if two looks in a row find that nobody serves the same stream.
   *
   * @param slot the slot as the server shows it now
   */
  void look(Optional<SlotState> slot) {
    Object stream = open.get().orElse(null);
    boolean served = slot.map(SlotState::activePid).filter(pid -> pid != 0).isPresent();
    if (stream == null || served) {
      suspect = null;
    } else if (stream.equals(suspect)) {
      LOG.warn("The source has ended the stream, and the network did not say so: connecting again");
      suspect = null;
      cut.run();
    } else {
      suspect = stream;
    }
  }
}
