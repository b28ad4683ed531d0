package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.TopicReader;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The sample pipeline's sink is late, rewound, skips a record, or stands still: what is confirmed
 * through the pipeline's own offsets is true, and what is not confirmed is not judged (invariant
 * H).
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PipelineFaultsIT {

  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final String SINK = "pipeline-sink";
  private static final String VERIFIER = "walproof-verifier";
  private static final String ORDERS = "pipeline.public.orders";

  private static NativeSample running;
  private static Sample sample;

  @BeforeAll
  static void start() throws SQLException {
    running = NativeSample.start();
    sample = running.sample();
    Stream.of("pipeline-source", SINK, "walproof-source").forEach(sample::deploy);
    sample.deploy(VERIFIER, Map.of("verify.settle.ms", "500", "verify.recheck.delay.ms", "2000"));
    sample.onSource("INSERT INTO orders (customer_id, total, note) VALUES (1, 1, 'first')");
    awaitRecords(1);
  }

  @AfterAll
  static void stop() throws IOException {
    running.close();
  }

  @Test
  @Order(1)
  void aLateSinkConverges() throws SQLException {
    sample.rest().stop(SINK);
    String id = place("late");
    awaitRecord("observation", id);
    sample.rest().resume(SINK);
    assertThat(awaitRecord("decision", id).path("outcome").asText()).isEqualTo("converged");
  }

  @Test
  @Order(2)
  void aRewoundSinkIsWaitedFor() throws SQLException {
    sample.onSource("UPDATE orders SET total = total + 1");
    sample.rest().stop(SINK);
    sample.rest().resetOffsets(SINK);
    String id = place("after the rewind");
    awaitRecord("observation", id);
    sample.rest().resume(SINK);
    assertThat(awaitRecord("decision", id).path("outcome").asText()).isEqualTo("converged");
  }

  @Test
  @Order(3)
  void aRecordThatTheSinkSkipsIsMissing() throws SQLException {
    sample.rest().stop(SINK);
    String id = place("skipped");
    long end = awaitRecords(4) + 1;
    Map<String, Object> partition = Map.of("kafka_topic", ORDERS, "kafka_partition", 0);
    Map<String, Object> offset = Map.of("kafka_offset", end);
    sample
        .rest()
        .alterOffsets(
            SINK, Map.of("offsets", List.of(Map.of("partition", partition, "offset", offset))));
    sample.rest().resume(SINK);
    JsonNode decision = awaitRecord("decision", id);
    assertThat(decision.path("outcome").asText()).isEqualTo("unresolved");
    assertThat(decision.path("kind").asText()).isEqualTo("missing");
  }

  @Test
  @Order(4)
  void aSinkThatStandsStillLeavesKeysUnjudged() throws SQLException {
    sample.deploy(
        VERIFIER,
        Map.of(
            "verify.settle.ms", "500",
            "verify.recheck.delay.ms", "1000",
            "verify.replay.timeout.ms", "5000"));
    sample.rest().pause(SINK);
    String id = place("unheard");
    JsonNode decision = awaitRecord("decision", id);
    assertThat(decision.path("outcome").asText()).isEqualTo("incomplete");
    assertThat(decision.path("reason").asText()).isEqualTo("replay_not_confirmed");
    sample.rest().resume(SINK);
  }

  private static String place(String note) throws SQLException {
    sample.onSource("INSERT INTO orders (customer_id, total, note) VALUES (1, 1, '" + note + "')");
    return sample.sourceText("SELECT max(id) FROM orders");
  }

  /** The first record of that type about the order. */
  private static JsonNode awaitRecord(String type, String id) {
    try (TopicReader reader = new TopicReader(sample.bootstrapServers(), "shop.verify")) {
      List<ConsumerRecord<byte[], byte[]>> records =
          reader.readUntil(
              "the " + type + " on order " + id, BOUND, read -> about(read, type, id).count() > 0);
      return about(records, type, id).findFirst().orElseThrow();
    }
  }

  private static Stream<JsonNode> about(
      List<ConsumerRecord<byte[], byte[]>> records, String type, String id) {
    return JsonRecords.values(records).stream()
        .filter(each -> each.path("type").asText().equals(type))
        .filter(each -> each.at("/table/name").asText().equals("orders"))
        .filter(each -> each.at("/key/id").asText().equals(id));
  }

  /** Waits for at least so many inserts in the pipeline's topic; returns the last one's offset. */
  private static long awaitRecords(int inserts) {
    try (TopicReader reader = new TopicReader(sample.bootstrapServers(), ORDERS)) {
      List<ConsumerRecord<byte[], byte[]>> records =
          reader.readUntil(
              inserts + " orders",
              BOUND,
              read ->
                  JsonRecords.values(read).stream()
                          .filter(each -> each.path("op").asText().equals("c"))
                          .count()
                      >= inserts);
      return records.get(records.size() - 1).offset();
    }
  }
}
