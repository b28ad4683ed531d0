package io.walproof.verifier.connect.decode;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.source.SourceRecord;

/** Debezium's own connector, embedded, whose records are kept in memory. */
final class DebeziumRun implements AutoCloseable {

  private final List<SourceRecord> records = new ArrayList<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private volatile Throwable failure;

  DebeziumRun(int port, String database, String user, Map<String, String> settings) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "name", "decode",
            "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
            "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore",
            "plugin.name", "pgoutput",
            "database.hostname", "127.0.0.1",
            "database.port", Integer.toString(port),
            "database.dbname", database,
            "database.user", user,
            "database.password", "",
            "topic.prefix", "plain"));
    properties.putAll(settings);
    engine =
        DebeziumEngine.create(io.debezium.engine.format.ChangeEventFormat.of(Connect.class))
            .using(properties)
            .using((ok, message, error) -> failure = error)
            .notifying(
                (batch, committer) -> {
                  for (RecordChangeEvent<SourceRecord> event : batch) {
                    synchronized (records) {
                      records.add(event.record());
                    }
                    committer.markProcessed(event);
                  }
                  committer.markBatchFinished();
                })
            .build();
    thread.execute(engine);
  }

  /** All records so far. */
  List<SourceRecord> records() {
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
    synchronized (records) {
      return List.copyOf(records);
    }
  }

  @Override
  public void close() throws IOException {
    engine.close();
    thread.shutdownNow();
  }
}
