package io.walproof.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.walproof.contract.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/**
 * A pipeline as a process of its own: a Debezium engine whose records are inserted into the target,
 * slowly, so that it can be killed in the middle. Takes a properties file for the engine, with the
 * target's URL under {@code target}.
 */
final class SnapshotPipeline {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SnapshotPipeline() {}

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
