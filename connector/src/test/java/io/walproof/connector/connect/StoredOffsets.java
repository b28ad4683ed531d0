package io.walproof.connector.connect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** What a worker does with source offsets, without the topic. Thread-safe. */
final class StoredOffsets implements OffsetStorageReader {

  private final Map<String, String> partition;
  private final Map<Map<String, ?>, byte[]> json = new HashMap<>();

  /** Offsets, of which one partition is the one that tests look at. */
  StoredOffsets(Map<String, String> partition) {
    this.partition = partition;
  }

  void commit(Map<String, ?> offset) {
    commit(partition, offset);
  }

  synchronized void commit(Map<String, ?> of, Map<String, ?> offset) {
    try (JsonConverter converter = converter()) {
      json.put(Map.copyOf(of), converter.fromConnectData("offsets", null, offset));
    }
  }

  /** As {@code DELETE /connectors/<name>/offsets}. */
  synchronized void reset() {
    json.clear();
  }

  synchronized int bytes() {
    return json.get(partition).length;
  }

  /** Zero while there is none. */
  synchronized int bytes(Map<String, ?> of) {
    return json.getOrDefault(of, new byte[0]).length;
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized <T> Map<String, Object> offset(Map<String, T> wanted) {
    byte[] stored = json.get(wanted);
    if (stored == null) {
      return null;
    }
    try (JsonConverter converter = converter()) {
      return new HashMap<>(
          (Map<String, Object>) converter.toConnectData("offsets", stored).value());
    }
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    throw new UnsupportedOperationException();
  }

  private static JsonConverter converter() {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", "false"), false);
    return converter;
  }
}
