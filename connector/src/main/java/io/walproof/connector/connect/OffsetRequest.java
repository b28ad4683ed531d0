package io.walproof.connector.connect;

import io.walproof.connector.catalog.CatalogStoreException;
import io.walproof.connector.offset.Position;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;

/** What an operator asks to become of the stored offsets: checked before the worker does it. */
public final class OffsetRequest {

  private static final Set<String> OURS =
      Set.of(
          OffsetKeys.SCHEMA_HISTORY,
          OffsetKeys.POSITION,
          OffsetKeys.SYSTEM_IDENTIFIER,
          OffsetKeys.TIMELINES,
          OffsetKeys.UNPUBLISHED);

  private static final Set<String> NUMBERS = Set.of("lsn", "lsn_commit", "lsn_proc", "ts_usec");

  private OffsetRequest() {}

  /**
   * Accepts resets of any partition, and for the connector's own two partitions an offset of their
   * format.
   *
   * @param config the connector's configuration
   * @param offsets by partition; null asks for a reset
   * @throws ConnectException with the reason for a refusal
   */
  public static void check(
      Map<String, String> config, Map<Map<String, ?>, Map<String, ?>> offsets) {
    String prefix = config.getOrDefault(ConnectorSettings.PREFIX, "").trim();
    offsets.forEach(
        (partition, offset) -> {
          if (offset != null && ConnectCatalogStore.partition(prefix).equals(partition)) {
            checkReading(offset);
          } else if (offset != null) {
            checkPartition(partition, prefix);
            checkOffset(offset);
          }
        });
  }

  private static void checkReading(Map<String, ?> offset) {
    try {
      ConnectCatalogStore.read(offset);
    } catch (CatalogStoreException e) {
      throw new ConnectException(
          "the offset holds no catalog reading of this connector: " + e.getMessage(), e);
    }
  }

  private static void checkPartition(Map<String, ?> partition, String prefix) {
    if (partition == null || !partition.equals(Map.of("server", prefix))) {
      throw new ConnectException(
          "the only source partition of this connector, beside that of its catalog readings, is {\"server\": \""
              + prefix
              + "\"}, after topic.prefix; other partitions can only be reset");
    }
  }

  private static void checkOffset(Map<String, ?> offset) {
    offset.forEach(OffsetRequest::checkEntry);
    Position position;
    try {
      position = Position.of(offset);
    } catch (IllegalArgumentException e) {
      throw new ConnectException("the offset is not one of this connector: " + e.getMessage(), e);
    }
    if (position.resume().equals(Lsn.NONE)) {
      throw new ConnectException(
          "the offset begins at LSN 0; to begin at the slot's own position, reset the offset");
    }
  }

  private static void checkEntry(String key, Object value) {
    if (OURS.contains(key) && !(value instanceof String)) {
      throw new ConnectException("the offset's entry '" + key + "' must be a string");
    }
    boolean whole =
        value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte;
    if (NUMBERS.contains(key) && !whole) {
      throw new ConnectException("the offset's entry '" + key + "' must be a whole number");
    }
    if (!whole && !(value instanceof String) && !(value instanceof Boolean)) {
      throw new ConnectException(
          "the offset's entry '" + key + "' must be a string, a boolean or a whole number");
    }
  }
}
