package io.walproof.connector.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.connector.relation.TapRegistry;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;

/**
 * Debezium's view of its stored offset. Reads answer from what is durable, and writes do nothing:
 * Debezium reads its offset again before it confirms anything to the slot, so the slot follows
 * durability (invariant C).
 */
public final class DurableOffsets implements OffsetBackingStore {

  private static final Map<String, StartingPosition> SOURCES = new ConcurrentHashMap<>();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private StartingPosition source;

  /** For Debezium, which instantiates by class name. */
  public DurableOffsets() {}

  static void add(String id, StartingPosition source) {
    SOURCES.put(id, source);
  }

  static void remove(String id) {
    SOURCES.remove(id);
  }

  @Override
  public void configure(WorkerConfig config) {
    String id = config.originalsStrings().get(TapRegistry.ID);
    source = id == null ? null : SOURCES.get(id);
    if (source == null) {
      throw new IllegalStateException("no capture with id " + id + " is running");
    }
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  /** The same answer for every key: a capture has one partition. */
  @Override
  public Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Map<ByteBuffer, ByteBuffer> answers = new HashMap<>();
    source
        .current()
        .ifPresent(
            position -> {
              byte[] json = json(position.forDebezium());
              keys.forEach(key -> answers.put(key, ByteBuffer.wrap(json)));
            });
    return CompletableFuture.completedFuture(answers);
  }

  @Override
  public Future<Void> set(Map<ByteBuffer, ByteBuffer> values, Callback<Void> callback) {
    if (callback != null) {
      callback.onCompletion(null, null);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }

  private static byte[] json(Map<String, Object> entries) {
    try {
      return MAPPER.writeValueAsBytes(entries);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a position holds an entry that JSON cannot express", e);
    }
  }
}
