package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.contract.Lsn;
import io.walproof.verifier.replay.KafkaPipeline.PipelineException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Offsets of real groups and topics, and a worker's answers. */
class LivePipelineIT {

  private static final String GROUP = "connect-sink";

  private static EmbeddedBroker broker;
  private static HttpServer worker;
  private static final AtomicReference<String> ANSWER = new AtomicReference<>("");
  private static final AtomicReference<String> ASKED = new AtomicReference<>("");

  @BeforeAll
  static void start() throws Exception {
    broker = KafkaBroker.embedded();
    worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    worker.createContext(
        "/",
        exchange -> {
          ASKED.set(
              exchange.getRequestURI().getRawPath()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] body = ANSWER.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(ANSWER.get().isEmpty() ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    worker.start();
  }

  @AfterAll
  static void stop() {
    worker.stop(0);
    broker.close();
  }

  private static LivePipeline pipeline() {
    return new LivePipeline(
        new KafkaSinkSettings(
            URI.create("http://127.0.0.1:" + worker.getAddress().getPort() + "/base"),
            Optional.of("who"),
            Optional.of("pw"),
            "a b/c",
            GROUP,
            Optional.of("shop"),
            List.of(),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Map.of("bootstrap.servers", broker.bootstrapServers())));
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static void create(Admin admin, String topic) throws Exception {
    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
  }

  private static void commit(Admin admin, String topic, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            GROUP, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private static void produce(String topic, int records, boolean inTransaction) throws Exception {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", broker.bootstrapServers());
    if (inTransaction) {
      config.put("transactional.id", topic);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      if (inTransaction) {
        producer.initTransactions();
        producer.beginTransaction();
      }
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < records; i++) {
        sent.add(producer.send(new ProducerRecord<>(topic, new byte[] {1})));
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
      if (inTransaction) {
        producer.commitTransaction();
      }
    }
  }

  @Test
  void aGroupIsBehindUntilItHasCommittedTheLastRecord() throws Exception {
    try (Admin admin = admin();
        LivePipeline pipeline = pipeline()) {
      create(admin, "plain");
      create(admin, "empty");
      produce("plain", 3, false);
      Map<TopicPartition, Long> ends = pipeline.ends(Set.of("plain", "empty", "nowhere"));
      assertThat(ends)
          .isEqualTo(
              Map.of(new TopicPartition("plain", 0), 3L, new TopicPartition("empty", 0), 0L));
      assertThat(pipeline.behind(ends)).hasValueSatisfying(p -> assertThat(p).contains("plain"));
      commit(admin, "plain", 2);
      assertThat(pipeline.behind(ends)).isPresent();
      commit(admin, "plain", 3);
      assertThat(pipeline.behind(ends)).isEmpty();
      // What came later does not matter to these ends.
      produce("plain", 1, false);
      assertThat(pipeline.behind(ends)).isEmpty();
      commit(admin, "plain", 1);
      assertThat(pipeline.behind(ends)).as("rewound").isPresent();
    }
  }

  /** Connect commits behind the last record, and the transaction's end lies behind that. */
  @Test
  void theEndOfATransactionIsNoRecord() throws Exception {
    try (Admin admin = admin();
        LivePipeline pipeline = pipeline()) {
      create(admin, "transactional");
      produce("transactional", 3, true);
      // The brokers write the transaction's end a moment after it is committed.
      Map<TopicPartition, Long> ends =
          await()
              .atMost(Duration.ofMinutes(1))
              .until(
                  () -> pipeline.ends(Set.of("transactional")), found -> found.containsValue(4L));
      commit(admin, "transactional", 2);
      assertThat(pipeline.behind(ends)).isPresent();
      commit(admin, "transactional", 3);
      assertThat(pipeline.behind(ends)).isEmpty();
    }
  }

  @Test
  void aWorkersAnswerIsReadAndItsRefusalTold() {
    try (LivePipeline pipeline = pipeline()) {
      ANSWER.set("{\"offsets\":[{\"partition\":{},\"offset\":{\"lsn\":23,\"lsn_commit\":17}}]}");
      assertThat(pipeline.sourcePosition()).contains(new Lsn(23));
      assertThat(ASKED.get()).isEqualTo("/base/connectors/a%20b%2Fc/offsets Basic d2hvOnB3");
      ANSWER.set("not json");
      assertThatThrownBy(pipeline::sourcePosition)
          .isInstanceOf(PipelineException.class)
          .hasMessageContaining("verify.kafka.connect.url");
      ANSWER.set("");
      assertThatThrownBy(pipeline::sourcePosition)
          .isInstanceOf(PipelineException.class)
          .hasMessageContaining("404")
          .hasMessageNotContaining("pw");
    }
  }
}
