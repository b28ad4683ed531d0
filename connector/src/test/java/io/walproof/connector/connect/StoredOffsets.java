package io.walproof.connector.connect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** What a worker does with the offsets of one partition, without the topic. Thread-safe. */
final class StoredOffsets implements OffsetStorageReader {

  private final Map<String, String> partition;
  private byte[] json;

  StoredOffsets(Map<String, String> partition) {
    this.partition = partition;
  }

  synchronized void commit(Map<String, ?> offset) {
    try (JsonConverter converter = converter()) {
      json = converter.fromConnectData("offsets", null, offset);
    }
  }

  synchronized int bytes() {
    return json.length;
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized <T> Map<String, Object> offset(Map<String, T> wanted) {
    if (json == null || !wanted.equals(partition)) {
      return null;
    }
    try (JsonConverter converter = converter()) {
      return new HashMap<>((Map<String, Object>) converter.toConnectData("offsets", json).value());
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
