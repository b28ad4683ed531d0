package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.cluster.TopicReader;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What the running sample must show, wherever it runs. The tests share one pipeline and build upon
 * each other: first it is healthy, then it loses a row, then a table changes its shape.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SampleBody {

  static final List<String> CONNECTORS =
      List.of("pipeline-source", "pipeline-sink", "walproof-source", "walproof-verifier");

  private static final Duration BOUND = Duration.ofMinutes(3);

  /** Where it runs. */
  abstract Sample sample();

  @Test
  @Order(1)
  void thePipelineCarriesRowsAndEverythingRuns() throws SQLException {
    for (int i = 0; i < 20; i++) {
      sample().onSource(Sample.script("workload.sql"));
    }
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(sample().targetText("SELECT count(*) FROM orders"))
                    .isEqualTo(sample().sourceText("SELECT count(*) FROM orders")));
    for (String connector : CONNECTORS) {
      assertThat(sample().rest().status(connector).isRunning(1)).as(connector).isTrue();
    }
  }

  @Test
  @Order(2)
  void aLostRowIsOnTheVerifyTopicAndNothingElse() throws SQLException {
    sample().onTarget(Sample.script("diverge-target.sql"));
    sample().onSource(Sample.script("diverge-source.sql"));
    requireTheLostOrderOn("shop.verify");
  }

  @Test
  @Order(3)
  void theTopicsOfThePipelineItselfServeAsWell() throws SQLException {
    sample().deploy("walproof-verifier-over-debezium");
    requireTheLostOrderOn("pipeline.verify");
  }

  @Test
  @Order(4)
  void aChangedShapeIsOnTheDriftTopic() throws SQLException {
    sample().onSource("ALTER TABLE customers ALTER name TYPE varchar(100)");
    sample().onSource("UPDATE customers SET name = 'Another' WHERE id = 1");
    try (TopicReader topic = new TopicReader(sample().bootstrapServers(), "shop.drift")) {
      topic.readUntil("the drift event", BOUND, records -> !JsonRecords.drift(records).isEmpty());
      assertThat(JsonRecords.drift(topic.readToEnd()))
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.path("table").asText()).isEqualTo("customers");
                assertThat(event.path("kind").asText()).isEqualTo("shape_changed");
                assertThat(event.path("occurrence").asText()).isEqualTo("in_process");
                assertThat(event.at("/changes/0/column").asText()).isEqualTo("name");
              });
    }
  }

  private void requireTheLostOrderOn(String topic) throws SQLException {
    String id = sample().sourceText("SELECT max(id) FROM orders WHERE note = 'lost on the way'");
    try (TopicReader reader = new TopicReader(sample().bootstrapServers(), topic)) {
      reader.readUntil(
          "the lost order's verdict",
          BOUND,
          records -> !JsonRecords.decisions(records, "unresolved").isEmpty());
      assertThat(JsonRecords.decisions(reader.readToEnd(), "unresolved"))
          .singleElement()
          .satisfies(
              decision -> {
                assertThat(decision.at("/table/name").asText()).isEqualTo("orders");
                assertThat(decision.at("/key/id").asText()).isEqualTo(id);
                assertThat(decision.path("kind").asText()).isEqualTo("missing");
              });
    }
  }
}
