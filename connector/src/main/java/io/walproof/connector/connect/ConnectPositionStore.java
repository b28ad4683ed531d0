package io.walproof.connector.connect;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.connector.offset.PositionStoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Connect's committed source offsets as the place where positions are kept. A position becomes
 * durable only when the worker commits the offset of a record that it has written, so a write asks
 * for such a record. Thread-safe; reading waits for the worker's offset topic.
 */
final class ConnectPositionStore implements PositionStore {

  private final OffsetStorageReader reader;
  private final Map<String, String> partition;
  private final Consumer<Position> carrier;

  /** The last answer: a history is read again only when it has changed. Guarded by this. */
  private Map<String, Object> lastEntries;

  private Position lastPosition;

  /**
   * A view.
   *
   * @param carrier sees to a record that carries a position
   */
  ConnectPositionStore(
      OffsetStorageReader reader, Map<String, String> partition, Consumer<Position> carrier) {
    this.reader = reader;
    this.partition = partition;
    this.carrier = carrier;
  }

  @Override
  public Optional<Position> durable() {
    // Not under the lock: it may take as long as the broker is away.
    Map<String, Object> offset = reader.offset(partition);
    if (offset == null) {
      return Optional.empty();
    }
    Map<String, Object> entries = new HashMap<>(offset);
    entries.values().removeIf(Objects::isNull);
    synchronized (this) {
      if (!entries.equals(lastEntries)) {
        lastPosition = read(entries);
        lastEntries = Map.copyOf(entries);
      }
      return Optional.of(lastPosition);
    }
  }

  /** The position is durable some time after the return: once its record and offset are. */
  @Override
  public void write(Position position) {
    carrier.accept(position);
  }

  private static Position read(Map<String, Object> entries) {
    try {
      return Position.of(entries);
    } catch (IllegalArgumentException e) {
      throw new PositionStoreException(
          "the connector's stored source offset cannot be read ("
              + e.getMessage()
              + "); restore it with PATCH /connectors/<name>/offsets, or reset it with DELETE: the"
              + " next start then begins at the slot's position, without a schema history",
          e);
    }
  }
}
