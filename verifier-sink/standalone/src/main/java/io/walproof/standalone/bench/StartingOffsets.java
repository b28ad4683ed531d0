package io.walproof.standalone.bench;

import io.walproof.contract.Lsn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;

/** Offsets in memory that begin at a given LSN, so that a plain engine reads a slot's backlog. */
public final class StartingOffsets extends MemoryOffsetBackingStore {

  static final String START = "walproof.bench.start";

  private ByteBuffer start;

  /** For Debezium, which instantiates by class name. */
  public StartingOffsets() {}

  @Override
  public void configure(WorkerConfig config) {
    super.configure(config);
    long lsn = Lsn.parse(config.originalsStrings().get(START)).value();
    String json = "{\"lsn\":" + lsn + ",\"lsn_commit\":" + lsn + "}";
    start = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Map<ByteBuffer, ByteBuffer> answers = new HashMap<>();
    keys.forEach(key -> answers.put(key, data.getOrDefault(key, start).duplicate()));
    return CompletableFuture.completedFuture(answers);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }
}
