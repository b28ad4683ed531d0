package io.walproof.standalone;

import static io.walproof.standalone.WrittenAudit.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.publish.TopicAuditLog;
import io.walproof.verifier.publish.TopicPublisher;
import io.walproof.verifier.publish.VerifyTopic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of a Connect cluster's topics, on a real broker. */
class StatusTopicIT {

  private static final String DRIFT =
      "{\"v\":1,\"kind\":\"shape_changed\",\"occurrence\":\"in_process\",\"schema\":\"public\","
          + "\"table\":\"orders\",\"lsn\":23834624,\"txid\":755,\"previous\":null,\"current\":null,"
          + "\"changes\":[{\"column\":\"note\",\"what\":\"added\",\"before\":\"\","
          + "\"after\":\"text\",\"narrowing\":false}],\"narrowing\":false,\"policy\":\"report\","
          + "\"action\":\"reported\",\"detail\":\"a column was added\"}";

  /** One for all: each keeps its connection, and the server has a bound. */
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static EmbeddedBroker broker;

  @TempDir Path dir;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded(Map.of("auto.create.topics.enable", "false"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static TopicPublisher publisher(String topic, String runId) {
    return publisher(topic, runId, Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static TopicPublisher publisher(String topic, String runId, Map<String, Object> client) {
    return TopicPublisher.open(
        new VerifyTopic(topic, true, 3, Optional.empty(), Duration.ofSeconds(30), client),
        runId,
        Time.system());
  }

  private JsonNode summary(String... where) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("audit", "summary", "--json"));
    command.addAll(List.of(where));
    return JsonMapper.builder()
        .build()
        .readTree(Operated.command(command.toArray(String[]::new)).out());
  }

  @Test
  void theTopicsSummaryIsTheFiles() throws Exception {
    Map<String, Long> outcomes = Map.of("converged", 40L, "unresolved_missing", 1L);
    Path state = dir.resolve("state");
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log =
            FileAuditLog.open(
                held, "run-1", Time.system(), Long.MAX_VALUE, publisher("both", "run-1"))) {
      log.append(List.of(WrittenAudit.start()));
      for (int id = 0; id < 40; id++) {
        log.append(
            List.of(
                WrittenAudit.observed(ORDERS, "k" + id),
                WrittenAudit.decided(ORDERS, "k" + id, new Verdict.Converged())));
      }
      log.append(
          List.of(
              WrittenAudit.decided(ORDERS, "x", WrittenAudit.missing()),
              WrittenAudit.summary(ORDERS, WrittenAudit.coverage(9, 0, outcomes)),
              WrittenAudit.end(WrittenAudit.coverage(9, 0, outcomes), 2)));
    }
    JsonNode file = summary("--state-dir", state.toString());
    assertThat(file.path("total").path("outcomes").path("converged").asInt()).isEqualTo(40);
    Path client = dir.resolve("client.properties");
    Files.writeString(client, "bootstrap.servers=" + broker.bootstrapServers() + "\n");
    assertThat(summary("--topic", "both", "--run", "run-1", "--kafka-config", client.toString()))
        .isEqualTo(file);
    assertThat(summary("--topic", "both", "--bootstrap-servers", broker.bootstrapServers()))
        .isEqualTo(file);
    Operated.Outcome absent =
        Operated.command(
            "audit", "summary", "--topic", "no", "--bootstrap-servers", broker.bootstrapServers());
    assertThat(absent.status()).isEqualTo(1);
    assertThat(absent.err()).contains("There is no topic \"no\"");
    assertThat(Operated.command("audit", "summary", "--topic", "both").err())
        .contains("--bootstrap-servers");
  }

  @Test
  void thePageOfAClusterFollowsItsTopics() throws Exception {
    publisher("shop.drift", "-").close();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (TopicAuditLog one = new TopicAuditLog(publisher("shop.verify", "a"), "a", Time.system());
        TopicAuditLog two = new TopicAuditLog(publisher("shop.verify", "b"), "b", Time.system())) {
      one.append(List.of(WrittenAudit.start(), counted(10)));
      two.append(List.of(WrittenAudit.start(), counted(5)));
      Thread serving =
          new Thread(
              () ->
                  WalproofCommand.run(
                      new PrintWriter(out, true),
                      new PrintWriter(err, true),
                      "status",
                      "--listen",
                      "127.0.0.1:0",
                      "--verify-topic",
                      "shop.verify",
                      "--drift-topic",
                      "shop.drift",
                      "--bootstrap-servers",
                      broker.bootstrapServers()));
      serving.start();
      try {
        Operated.until("the page: " + err, () -> out.toString().contains("http://"));
        URI api = URI.create(out.toString().strip().replace("status page ", "") + "api/status");
        Operated.until(
            "both tasks together", () -> ask(api).path("coverage").path("checked").asInt() == 15);
        assertThat(ask(api).path("health").asText()).isEqualTo("clean");

        two.append(List.of(WrittenAudit.decided(ORDERS, "7", WrittenAudit.different())));
        produce("shop.drift", DRIFT);
        Operated.until("the failure", () -> ask(api).path("health").asText().equals("failing"));
        Operated.until("the drift", () -> ask(api).path("drift").size() == 1);
        assertThat(ask(api).path("drift").get(0).path("difference").get(0).asText())
            .isEqualTo("ALTER TABLE public.orders ADD COLUMN note text;");
        assertThat(ask(api).path("drift").get(0).path("ts").asText()).startsWith("20");
        produce("shop.drift", "not JSON");
        Operated.until(
            "what cannot be read is said",
            () -> ask(api).path("reasons").toString().contains("JSON converter"));
        Operated.Outcome timeline =
            Operated.command(
                "drift",
                "show",
                "--topic",
                "shop.drift",
                "--bootstrap-servers",
                broker.bootstrapServers());
        assertThat(timeline.status()).as(timeline.err()).isZero();
        assertThat(timeline.out()).contains("ALTER TABLE public.orders ADD COLUMN note text;");
        assertThat(timeline.err()).contains("1 records are no JSON");
      } finally {
        serving.interrupt();
        serving.join(Operated.PATIENCE.toMillis());
      }
      assertThat(serving.isAlive()).isFalse();
    }
  }

  /** Brokers that are gone: one line of ours, the page says it for as long as it lasts. */
  @Test
  void brokersThatAreGoneAreSaidOnceAndTheirReturnToo() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    EmbeddedBroker own = KafkaBroker.embedded(Map.of());
    try (CapturedLog log = new CapturedLog()) {
      Map<String, Object> client = Map.of("bootstrap.servers", own.bootstrapServers());
      try (TopicAuditLog one =
          new TopicAuditLog(publisher("alone", "a", client), "a", Time.system())) {
        one.append(List.of(WrittenAudit.start(), counted(10)));
      }
      Path quick = dir.resolve("quick.properties");
      Files.writeString(
          quick,
          "bootstrap.servers="
              + own.bootstrapServers()
              + "\nrequest.timeout.ms=1000\ndefault.api.timeout.ms=1000\n");
      String[] command = {
        "status",
        "--listen",
        "127.0.0.1:0",
        "--verify-topic",
        "alone",
        "--kafka-config",
        quick.toString()
      };
      Thread serving =
          new Thread(
              () ->
                  WalproofCommand.run(
                      new PrintWriter(out, true), new PrintWriter(err, true), command));
      serving.start();
      try {
        Operated.until("the page: " + err, () -> out.toString().contains("http://"));
        URI api = URI.create(out.toString().strip().replace("status page ", "") + "api/status");
        Operated.until("clean", () -> ask(api).path("health").asText().equals("clean"));
        own.stop();
        Operated.until("it is said", () -> ask(api).path("health").asText().equals("incomplete"));
        assertThat(ask(api).path("reasons").toString())
            .contains(
                "nothing new is seen", "alone", own.bootstrapServers(), "--bootstrap-servers");
        // What is not reachable from the start is said in the same way, and ends the command.
        Operated.Outcome refused =
            Operated.command(
                "audit", "summary", "--topic", "alone", "--kafka-config", quick.toString());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains(own.bootstrapServers()).hasLineCount(1);
        own.start();
        Operated.until("it is clean again", () -> ask(api).path("health").asText().equals("clean"));
      } finally {
        serving.interrupt();
        serving.join(Operated.PATIENCE.toMillis());
      }
      assertThat(log.text().lines().filter(line -> line.contains("TopicFeed")))
          .satisfiesExactly(
              gone -> assertThat(gone).startsWith("WARN").contains(own.bootstrapServers()),
              back -> assertThat(back).startsWith("INFO").contains("answer again"));
      assertThat(log.text().lines().filter(line -> line.contains("org.apache.kafka.clients.")))
          .isEmpty();
    } finally {
      own.close();
    }
  }

  private static AuditEntry counted(long matched) {
    return WrittenAudit.summary(ORDERS, WrittenAudit.coverage(matched, 0, Map.of()));
  }

  private static void produce(String topic, String value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.UTF_8))).get();
    }
  }

  private static JsonNode ask(URI uri) throws Exception {
    HttpResponse<String> answer =
        HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    return JsonMapper.builder().build().readTree(answer.body());
  }
}
