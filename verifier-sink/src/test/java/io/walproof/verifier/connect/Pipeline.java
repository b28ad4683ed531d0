package io.walproof.verifier.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.cluster.ConnectRest;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Configurations for a Debezium source connector and a verifier sink on the same worker, and a look
 * at what the latter publishes.
 */
final class Pipeline {

  static final String PREFIX = "plain";
  static final String SINK = "verifier";
  static final String SOURCE = "debezium";
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Pipeline() {}

  /** An ordinary Debezium connector that streams, with heartbeats. */
  static Map<String, String> source(ReplicatedPair pair, String slot) {
    Map<String, String> config = new HashMap<>();
    config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    config.put("plugin.name", "pgoutput");
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(pair.source().port()));
    config.put("database.dbname", ReplicatedPair.DATABASE);
    config.put("database.user", PostgresServer.SUPERUSER);
    config.put("database.password", "");
    config.put("topic.prefix", PREFIX);
    config.put("slot.name", slot);
    config.put("publication.name", slot);
    config.put("snapshot.mode", "no_data");
    config.put("heartbeat.interval.ms", "500");
    config.put("poll.interval.ms", "50");
    return config;
  }

  /** A verifier with short delays. */
  static Map<String, String> sink(ReplicatedPair pair, KafkaBroker broker, String topic) {
    Map<String, String> config = new HashMap<>();
    config.put("connector.class", "io.walproof.verifier.VerifierSinkConnector");
    config.put("topics.regex", PREFIX + "\\..*|__debezium-heartbeat.*");
    config.put("consumer.override.metadata.max.age.ms", "500");
    config.put("consumer.override.auto.offset.reset", "earliest");
    config.put("verify.source.jdbc.url", pair.source().jdbcUrl(ReplicatedPair.DATABASE));
    config.put("verify.source.user", PostgresServer.SUPERUSER);
    config.put("verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE));
    config.put("verify.target.user", PostgresServer.SUPERUSER);
    config.put("verify.topic", topic);
    config.put("verify.producer.bootstrap.servers", broker.bootstrapServers());
    config.put("verify.settle.ms", "200");
    config.put("verify.recheck.delay.ms", "1000");
    config.put("verify.summary.interval.ms", "500");
    config.put("verify.replay.confirmation", "subscription");
    return config;
  }

  static void deploy(ConnectRest rest, String name, Map<String, String> config, int tasks) {
    Map<String, String> all = new HashMap<>(config);
    all.put("tasks.max", Integer.toString(tasks));
    rest.deploy(name, all);
    rest.awaitRunning(name, tasks);
  }

  static List<JsonNode> json(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(each -> json(each.value())).toList();
  }

  static JsonNode json(byte[] value) {
    try {
      return JSON.readTree(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the verify topic until its records fulfil the condition. */
  static List<JsonNode> await(
      TopicReader reader, String what, Predicate<List<JsonNode>> condition) {
    return json(reader.readUntil(what, PATIENCE, records -> condition.test(json(records))));
  }

  static List<JsonNode> ofType(List<JsonNode> records, String type) {
    return records.stream().filter(each -> each.path("type").asText().equals(type)).toList();
  }

  /** Decisions on a key named {@code id}. */
  static List<JsonNode> decisions(List<JsonNode> records, int id) {
    return ofType(records, "decision").stream()
        .filter(each -> each.at("/key/id").asText().equals(Integer.toString(id)))
        .toList();
  }
}
