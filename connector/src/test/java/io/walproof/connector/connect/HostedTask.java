package io.walproof.connector.connect;

import static org.awaitility.Awaitility.await;

import io.walproof.connector.PostgresDriftTask;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.embedded.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** A task that a test polls and commits by hand: the moments in between are where crashes are. */
final class HostedTask implements AutoCloseable {

  /** A slot that is being created is active too, and has no place yet. */
  static final String STREAMING = "(active AND confirmed_flush_lsn IS NOT NULL)::text";

  private static final AtomicInteger NUMBER = new AtomicInteger();

  final PostgresServer server;
  final String database;
  final Map<String, String> config = new HashMap<>();
  final StoredOffsets offsets;
  private final boolean successor;
  private final List<SourceRecord> polled = new ArrayList<>();
  private SourceTask task;

  HostedTask(PostgresServer server) throws SQLException {
    this.server = server;
    this.database = "task" + NUMBER.incrementAndGet();
    this.successor = false;
    this.offsets = new StoredOffsets(Map.of("server", database));
    server.execute("postgres", "CREATE DATABASE " + database);
    config.put("name", database);
    config.put("topic.prefix", database);
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(server.port()));
    config.put("database.user", PostgresServer.SUPERUSER);
    config.put("database.dbname", database);
    config.put("slot.name", "slot_" + database);
    config.put("poll.interval.ms", "20");
    config.put("feed.poll.wait.ms", "50");
    config.put("feed.heartbeat.interval.ms", "1");
  }

  /** Another life of the same connector: the same source, slot and offsets. */
  HostedTask(HostedTask former) {
    server = former.server;
    database = former.database;
    offsets = former.offsets;
    successor = true;
    config.putAll(former.config);
  }

  HostedTask with(String key, String value) {
    config.put(key, value);
    return this;
  }

  HostedTask sql(String... statements) throws SQLException {
    server.execute(database, statements);
    return this;
  }

  void start() {
    task = new PostgresDriftTask();
    task.initialize(new Context());
    task.start(config);
  }

  /** The next batch, empty if there is none yet. */
  List<SourceRecord> poll() throws InterruptedException {
    List<SourceRecord> records = task.poll();
    if (records == null) {
      return List.of();
    }
    polled.addAll(records);
    return records;
  }

  /** Waits until changes are streamed to the task. */
  void awaitStreaming() {
    await().atMost(Deployment.PATIENCE).until(() -> "true".equals(slot(STREAMING)));
  }

  /** Polls until the records fulfil the condition; commits nothing. */
  List<SourceRecord> pollUntil(Predicate<List<SourceRecord>> condition) {
    List<SourceRecord> all = new ArrayList<>();
    await()
        .atMost(Deployment.PATIENCE)
        .until(
            () -> {
              all.addAll(poll());
              return condition.test(all);
            });
    return all;
  }

  /** Polls until there are so many changed keys. */
  List<SourceRecord> pollUntil(int changes) {
    return pollUntil(all -> keys(all).size() >= changes);
  }

  /** What a worker does once the record, and all before it, are written. */
  @SuppressWarnings("ReferenceEquality")
  void commit(SourceRecord record) {
    Map<Map<String, ?>, Map<String, ?>> latest = new HashMap<>();
    for (SourceRecord each : polled) {
      latest.put(each.sourcePartition(), each.sourceOffset());
      if (each == record) {
        break;
      }
    }
    latest.forEach((partition, offset) -> offsets.commit(partition, new HashMap<>(offset)));
  }

  void stop() {
    task.stop();
  }

  String slot(String column) throws SQLException {
    try (var connection = server.connect(database);
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT "
                    + column
                    + " FROM pg_catalog.pg_replication_slots WHERE slot_name = '"
                    + config.get("slot.name")
                    + "'")) {
      return row.next() ? row.getString(1) : null;
    }
  }

  static List<ChangedKey> keys(List<SourceRecord> records) {
    return records.stream()
        .filter(record -> record.valueSchema() == ChangedKeyData.VALUE)
        .map(record -> ChangedKeyRecord.of(map((Struct) record.value())))
        .toList();
  }

  static List<String> texts(List<SourceRecord> records) {
    return keys(records).stream().map(key -> key.key().texts().get(0)).toList();
  }

  static List<SourceRecord> on(List<SourceRecord> records, String suffix) {
    return records.stream().filter(record -> record.topic().endsWith(suffix)).toList();
  }

  private static Map<String, Object> map(Struct struct) {
    Map<String, Object> map = new HashMap<>();
    struct
        .schema()
        .fields()
        .forEach(
            field -> {
              Object value = struct.get(field);
              map.put(
                  field.name(),
                  value instanceof List<?> list
                      ? list.stream().map(each -> map((Struct) each)).toList()
                      : value);
            });
    return map;
  }

  @Override
  public void close() throws SQLException {
    if (task != null) {
      task.stop();
    }
    if (successor) {
      return;
    }
    await().atMost(Deployment.PATIENCE).until(() -> !"true".equals(slot("active::text")));
    server.execute(
        "postgres",
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"
            + config.get("slot.name")
            + "'",
        "DROP DATABASE " + database + " WITH (FORCE)");
  }

  private final class Context implements SourceTaskContext {
    @Override
    public Map<String, String> configs() {
      return config;
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
      return offsets;
    }

    /** As on workers before 4.1. */
    @Override
    public PluginMetrics pluginMetrics() {
      throw new NoSuchMethodError("pluginMetrics");
    }
  }
}
