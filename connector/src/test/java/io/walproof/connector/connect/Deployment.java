package io.walproof.connector.connect;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.cluster.ConnectRest;
import io.walproof.cluster.TopicReader;
import io.walproof.connector.PostgresDriftConnector;
import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.embedded.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One database and a connector on it, on a worker that tests share. */
final class Deployment implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final PostgresServer server;
  final String database;
  final String name;
  final Map<String, String> config = new HashMap<>();
  private final String bootstrapServers;
  private ConnectRest rest;

  Deployment(PostgresServer server, String bootstrapServers, ConnectRest rest) throws SQLException {
    this.server = server;
    this.bootstrapServers = bootstrapServers;
    this.rest = rest;
    this.name = "c" + NUMBER.incrementAndGet();
    this.database = "connect_" + name;
    server.execute("postgres", "CREATE DATABASE " + database);
    config.put("connector.class", PostgresDriftConnector.class.getName());
    config.put("tasks.max", "1");
    config.put("topic.prefix", name);
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(server.port()));
    config.put("database.user", PostgresServer.SUPERUSER);
    config.put("database.password", "unused");
    config.put("database.dbname", database);
    config.put("slot.name", "slot_" + name);
    config.put("poll.interval.ms", "20");
    config.put("heartbeat.interval.ms", "500");
    config.put("offset.flush.interval.ms", "100");
    config.put("feed.heartbeat.interval.ms", "100");
    config.put("feed.poll.wait.ms", "100");
  }

  Deployment with(String key, String value) {
    config.put(key, value);
    return this;
  }

  Deployment sql(String... statements) throws SQLException {
    server.execute(database, statements);
    return this;
  }

  String query(String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  /** Deploys, and waits until the capture streams. */
  Deployment deploy() {
    rest.deploy(name, config);
    awaitStreaming();
    return this;
  }

  void stop() {
    rest.stop(name);
  }

  void resume() {
    rest.resume(name);
    awaitStreaming();
  }

  /** The connector's next life is on another worker. */
  void moveTo(ConnectRest other) {
    rest = other;
  }

  ConnectRest rest() {
    return rest;
  }

  void awaitStreaming() {
    rest.awaitRunning(name, 1);
    until(() -> "true".equals(slot(HostedTask.STREAMING)));
  }

  void until(Callable<Boolean> condition) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  String slot(String column) throws SQLException {
    return query(
        "SELECT "
            + column
            + " FROM pg_catalog.pg_replication_slots WHERE slot_name = '"
            + config.get("slot.name")
            + "'");
  }

  Lsn confirmed() throws SQLException {
    return Lsn.parse(slot("confirmed_flush_lsn::text"));
  }

  /** The committed source offset as REST shows it. */
  Optional<Map<String, Object>> offset() {
    for (JsonNode each : rest.offsets(name).path("offsets")) {
      JsonNode offset = each.path("offset");
      if (each.path("partition").size() == 1 && offset.isObject()) {
        return Optional.of(map(offset));
      }
    }
    return Optional.empty();
  }

  Position committed() {
    return Position.of(offset().orElseThrow());
  }

  Lsn walEnd() throws SQLException {
    return Lsn.parse(query("SELECT pg_catalog.pg_current_wal_insert_lsn()::text"));
  }

  /** Waits until the committed offset is past all that is in the WAL now. */
  void settle() throws SQLException {
    Lsn end = walEnd();
    query("SELECT pg_catalog.pg_logical_emit_message(true, 'test', '')");
    until(() -> offset().isPresent() && committed().streamed().hasPassed(end));
  }

  /** All changed keys of a table's topic so far. */
  List<ChangedKey> keys(String topic) {
    return keys(records(topic));
  }

  static List<ChangedKey> keys(List<ConsumerRecord<byte[], byte[]>> records) {
    return payloads(records).stream().map(ChangedKeyRecord::of).toList();
  }

  /** The first key column's texts, in order. */
  List<String> texts(String topic) {
    return keys(topic).stream().map(key -> key.key().texts().get(0)).toList();
  }

  List<DriftEvent> drift() {
    return drift(records(name + ".drift"));
  }

  static List<DriftEvent> drift(List<ConsumerRecord<byte[], byte[]>> records) {
    return payloads(records).stream().map(DriftRecord::of).toList();
  }

  List<DriftEvent> realDrift() {
    return drift().stream().filter(DriftEvent::isDrift).toList();
  }

  List<Map<String, Object>> payloads(String topic) {
    return payloads(records(topic));
  }

  private static List<Map<String, Object>> payloads(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .filter(record -> record.value() != null)
        .map(record -> map(payload(record.value())))
        .toList();
  }

  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    try (TopicReader reader = new TopicReader(bootstrapServers, topic)) {
      return reader.readToEnd();
    }
  }

  /** The record's own part, with or without a schema around it. */
  static JsonNode payload(byte[] json) {
    JsonNode tree = tree(json);
    return tree.has("schema") && tree.has("payload") ? tree.get("payload") : tree;
  }

  static JsonNode tree(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Object> map(JsonNode node) {
    return JSON.convertValue(node, new TypeReference<Map<String, Object>>() {});
  }

  @Override
  public void close() throws SQLException {
    if (rest.connectors().contains(name)) {
      rest.stop(name);
      rest.delete(name);
    }
    until(() -> !"true".equals(slot("active::text")));
    server.execute(
        "postgres",
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"
            + config.get("slot.name")
            + "'",
        "DROP DATABASE " + database + " WITH (FORCE)");
  }
}
