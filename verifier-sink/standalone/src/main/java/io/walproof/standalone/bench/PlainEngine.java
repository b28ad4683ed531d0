package io.walproof.standalone.bench;

import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.walproof.connector.engine.CaptureSettings;
import io.walproof.contract.Lsn;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Debezium's engine as it is, with the settings that Walproof gives it and none of Walproof's
 * parts; its consumer only counts.
 */
final class PlainEngine implements AutoCloseable {

  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread thread;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private PlainEngine(CaptureSettings settings, Lsn start, Meter meter) {
    Properties properties = new Properties();
    properties.putAll(settings.debezium());
    // Names a class of Walproof's.
    properties.remove("converters");
    properties.setProperty("name", "plain");
    properties.setProperty("connector.class", PostgresConnector.class.getName());
    properties.setProperty("publication.autocreate.mode", "disabled");
    properties.setProperty("internal.log.position.check.enable", "false");
    properties.setProperty("offset.storage", StartingOffsets.class.getName());
    properties.setProperty(StartingOffsets.START, start.toString());
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(properties)
            .using(PlainEngine.class.getClassLoader())
            .using((success, message, error) -> failure.compareAndSet(null, error))
            .notifying(new Counting(settings.debezium().get("topic.prefix"), meter))
            .build();
    this.thread = new Thread(engine, "bench-plain-engine");
    thread.setContextClassLoader(PlainEngine.class.getClassLoader());
    thread.setDaemon(true);
  }

  static PlainEngine start(CaptureSettings settings, Lsn start, Meter meter) {
    PlainEngine plain = new PlainEngine(settings, start, meter);
    plain.thread.start();
    return plain;
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  @Override
  public void close() throws IOException {
    engine.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Counting implements ChangeConsumer<RecordChangeEvent<SourceRecord>> {
    private final String topic;
    private final Meter meter;

    Counting(String prefix, Meter meter) {
      this.topic = prefix + "." + BenchTable.ID.schema() + "." + BenchTable.ID.name();
      this.meter = meter;
    }

    @Override
    public void handleBatch(
        List<RecordChangeEvent<SourceRecord>> records,
        RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
        throws InterruptedException {
      int changes = 0;
      for (RecordChangeEvent<SourceRecord> event : records) {
        if (topic.equals(event.record().topic())) {
          changes++;
        }
      }
      meter.add(changes);
      // As cheaply as Walproof does it: marking every record would cost the plain engine more.
      committer.markProcessed(records.get(records.size() - 1));
      committer.markBatchFinished();
    }
  }
}
