package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.debezium.connector.postgresql.PostgresConnector;
import io.walproof.cluster.ConnectWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.engine.Servers;
import io.walproof.contract.DriftEvent.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A feed of rows is what Debezium's own connector writes, with our headers and drift beside it. */
class RowsIT {

  private static KafkaBroker broker;
  private static ConnectWorker worker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded();
    worker = new WorkerSettings(broker.bootstrapServers()).embedded();
  }

  @AfterAll
  static void stop() {
    worker.close();
    broker.close();
  }

  @Test
  void rowsAreDebeziumsOwn() throws Exception {
    try (Deployment ours =
            new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest());
        Deployment plain =
            new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest())) {
      ours.with("feed.values", "rows");
      // The same database, read by both.
      ours.sql(
          "CREATE TABLE t (id int PRIMARY KEY, n numeric(10,2), d date, a int[], b bytea,"
              + " j jsonb, ts timestamptz)",
          "CREATE TABLE unkeyed (v text)",
          "ALTER TABLE unkeyed REPLICA IDENTITY FULL");
      plain.config.keySet().removeIf(key -> key.startsWith("feed."));
      plain.config.putAll(
          Map.of(
              "connector.class",
              PostgresConnector.class.getName(),
              "plugin.name",
              "pgoutput",
              "publication.name",
              "plain",
              "publication.autocreate.mode",
              "all_tables",
              "snapshot.mode",
              "no_data",
              "skipped.operations",
              "none",
              "database.dbname",
              ours.database));
      ours.deploy();
      worker.rest().deploy(plain.name, plain.config);
      ours.until(() -> "t".equals(ours.query(active(plain))));
      ours.sql(
          "INSERT INTO t VALUES (1, 1.50, '0044-03-15 BC', '{1,null}', '\\x00ff', '{\"a\":1}',"
              + " '2026-01-01 00:00Z')",
          "UPDATE t SET n = 2.25 WHERE id = 1",
          "UPDATE t SET id = 2 WHERE id = 1",
          "DELETE FROM t WHERE id = 2",
          "INSERT INTO unkeyed VALUES ('x')",
          "TRUNCATE t");
      ours.settle();
      for (String table : List.of("public.t", "public.unkeyed")) {
        ours.until(
            () ->
                plain.records(plain.name + "." + table).size()
                    >= ours.records(ours.name + "." + table).size());
        assertThat(normal(ours.records(ours.name + "." + table), ours.name))
            .isNotEmpty()
            .isEqualTo(normal(plain.records(plain.name + "." + table), plain.name));
      }
      List<ConsumerRecord<byte[], byte[]>> rows = ours.records(ours.name + ".public.t");
      // c, u, then d, tombstone and c for the key's change, then d, tombstone and t.
      assertThat(rows).hasSize(8);
      assertThat(rows.stream().filter(row -> row.value() == null)).hasSize(2);
      assertThat(header(rows.get(0), "walproof.shape")).matches("[0-9a-f]{32}");
      assertThat(header(rows.get(0), "walproof.system_identifier")).matches("\\d+");
      ours.sql("ALTER TABLE t ADD fresh int", "INSERT INTO t (id, fresh) VALUES (5, 6)");
      ours.settle();
      assertThat(ours.realDrift())
          .extracting(event -> event.kind(), event -> event.changes().get(0).column())
          .containsExactly(tuple(Kind.SHAPE_CHANGED, "fresh"));
      worker.rest().stop(plain.name);
      ours.until(() -> "f".equals(ours.query(active(plain))));
      ours.query("SELECT pg_drop_replication_slot('slot_" + plain.name + "')");
    }
  }

  private static String active(Deployment it) {
    return "SELECT active FROM pg_replication_slots WHERE slot_name = 'slot_" + it.name + "'";
  }

  private static String header(ConsumerRecord<byte[], byte[]> row, String name) {
    Header header = row.headers().lastHeader(name);
    return new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Key and value but for what names the connector and its clock. */
  private static List<Map<String, JsonNode>> normal(
      List<ConsumerRecord<byte[], byte[]>> records, String name) {
    return records.stream()
        .map(
            record -> {
              Map<String, JsonNode> both = new HashMap<>();
              both.put("key", normal(record.key(), name));
              both.put("value", normal(record.value(), name));
              return both;
            })
        .toList();
  }

  private static JsonNode normal(byte[] json, String name) {
    if (json == null) {
      return null;
    }
    String text = new String(json, StandardCharsets.UTF_8);
    JsonNode payload =
        Deployment.tree(
            text.replace("\"" + name + ".", "\"NAME.")
                .replace("\"" + name + "\"", "\"NAME\"")
                .getBytes(StandardCharsets.UTF_8));
    if (payload.path("payload") instanceof ObjectNode value && value.has("source")) {
      value.remove(List.of("ts_ms", "ts_us", "ts_ns"));
      // What was committed before, by the stream's own view.
      ((ObjectNode) value.get("source")).remove("sequence");
    }
    return payload;
  }
}
