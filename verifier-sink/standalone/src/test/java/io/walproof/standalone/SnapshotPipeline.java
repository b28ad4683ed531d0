package io.walproof.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * A pipeline as a process of its own: a Debezium engine whose records are inserted into the target,
 * slowly, so that it can be killed in the middle. Takes a properties file for the engine, with the
 * target's URL under {@code target}.
 */
final class SnapshotPipeline {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SnapshotPipeline() {}

  /**
   * An engine's settings: nothing is copied at the start, and little at once.
   *
   * @param offsets the offset file
   * @param tables {@code table.include.list}
   */
  static Properties engine(ReplicatedPair pair, Path offsets, String tables) {
    Properties engine = new Properties();
    engine.putAll(
        Map.ofEntries(
            Map.entry("name", "shop"),
            Map.entry("connector.class", "io.debezium.connector.postgresql.PostgresConnector"),
            Map.entry("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore"),
            Map.entry("offset.storage.file.filename", offsets.toString()),
            Map.entry("offset.flush.interval.ms", "0"),
            Map.entry("topic.prefix", "shop"),
            Map.entry("database.hostname", "127.0.0.1"),
            Map.entry("database.port", Integer.toString(pair.source().port())),
            Map.entry("database.dbname", ReplicatedPair.DATABASE),
            Map.entry("database.user", PostgresServer.SUPERUSER),
            Map.entry("database.password", "none-needed"),
            Map.entry("plugin.name", "pgoutput"),
            Map.entry("slot.name", "shop"),
            Map.entry("publication.name", "shop"),
            Map.entry("publication.autocreate.mode", "filtered"),
            Map.entry("table.include.list", tables),
            Map.entry("signal.data.collection", "public.signals"),
            Map.entry("snapshot.mode", "no_data"),
            Map.entry("incremental.snapshot.chunk.size", "50"),
            Map.entry("max.batch.size", "50"),
            Map.entry("max.queue.size", "100"),
            Map.entry("key.converter.schemas.enable", "false"),
            Map.entry("value.converter.schemas.enable", "false")));
    return engine;
  }

  /** Where the engine is told what to copy. */
  static final String SIGNALS =
      "CREATE TABLE public.signals (id text PRIMARY KEY, type text, data text)";

  /** Asks for an incremental snapshot of tables, one after the other. */
  static String signal(String id, List<String> tables) {
    return "INSERT INTO public.signals VALUES ('%s', 'execute-snapshot', '%s')"
        .formatted(
            id,
            tables.stream()
                .map(table -> "\"public." + table + '"')
                .collect(
                    Collectors.joining(
                        ", ", "{\"type\": \"incremental\", \"data-collections\": [", "]}")));
  }

  static void awaitStreaming(ReplicatedPair pair) throws Exception {
    Operated.until(
        "the pipeline to stream",
        () ->
            "1"
                .equals(
                    JoinedPair.ask(
                        pair.source(),
                        "SELECT count(*) FROM pg_replication_slots"
                            + " WHERE slot_name = 'shop' AND active")));
  }

  public static void main(String[] args) throws IOException, SQLException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(Path.of(args[0]))) {
      properties.load(reader);
    }
    Connection target = DriverManager.getConnection(properties.getProperty("target"));
    DebeziumEngine<ChangeEvent<String, String>> engine =
        DebeziumEngine.create(Json.class)
            .using(properties)
            .notifying((records, committer) -> deliver(records, committer, target))
            .build();
    engine.run();
  }

  private static void deliver(
      List<ChangeEvent<String, String>> records,
      DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer,
      Connection target)
      throws InterruptedException {
    for (ChangeEvent<String, String> event : records) {
      try {
        JsonNode row = event.value() == null ? null : JSON.readTree(event.value());
        JsonNode after = row == null ? null : row.path("after");
        if (after != null && row.path("op").asText().equals("r")) {
          insert(target, row.path("source").path("table").asText(), after);
          Time.system().sleep(Duration.ofMillis(1));
        }
      } catch (IOException | SQLException e) {
        throw new IllegalStateException(e);
      }
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  private static void insert(Connection target, String table, JsonNode after) throws SQLException {
    try (PreparedStatement statement =
        target.prepareStatement(
            "INSERT INTO public." + table + " VALUES (?, ?) ON CONFLICT DO NOTHING")) {
      statement.setInt(1, after.path("id").asInt());
      statement.setString(2, after.path("v").textValue());
      statement.executeUpdate();
    }
  }
}
