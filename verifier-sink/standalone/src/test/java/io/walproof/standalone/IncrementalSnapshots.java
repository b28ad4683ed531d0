package io.walproof.standalone;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.source.SourceRecord;

/** A Debezium engine that snapshots tables on request and shows the offsets of their rows. */
final class IncrementalSnapshots implements AutoCloseable {

  private final ReplicatedPair pair;
  private final int row;
  private final Map<String, Integer> rows = new ConcurrentHashMap<>();
  private final Map<String, Map<String, ?>> offsets = new ConcurrentHashMap<>();
  private final DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;
  private final ExecutorService runner = Executors.newSingleThreadExecutor();

  /**
   * Starts.
   *
   * @param row which row's offset is kept, from 1
   */
  IncrementalSnapshots(ReplicatedPair pair, Path directory, int row) throws Exception {
    this.pair = pair;
    this.row = row;
    engine =
        DebeziumEngine.create(Connect.class)
            .using(SnapshotPipeline.engine(pair, directory.resolve("snapshots.dat"), "public\\..*"))
            .notifying(this::deliver)
            .build();
    runner.execute(engine);
    SnapshotPipeline.awaitStreaming(pair);
  }

  private void deliver(
      List<ChangeEvent<SourceRecord, SourceRecord>> records,
      DebeziumEngine.RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer)
      throws InterruptedException {
    for (ChangeEvent<SourceRecord, SourceRecord> event : records) {
      SourceRecord delivered = event.value();
      String table = delivered.topic().substring(delivered.topic().lastIndexOf('.') + 1);
      if (rows.merge(table, 1, Integer::sum) == row) {
        offsets.put(table, Map.copyOf(delivered.sourceOffset()));
      }
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  /** The offset that goes with the row, of a snapshot of that table alone. */
  Map<String, ?> offsetIn(String table) throws Exception {
    pair.onSource(SnapshotPipeline.signal(table, List.of(table)));
    Operated.until("rows of " + table, () -> offsets.containsKey(table));
    return offsets.get(table);
  }

  @Override
  public void close() throws IOException {
    engine.close();
    runner.shutdownNow();
  }
}
