package io.walproof.verifier.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The verify topic on a real broker. */
class VerifyTopicIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded(Map.of("auto.create.topics.enable", "false"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static VerifyTopic topic(String name, boolean create, int partitions, int replicas) {
    return new VerifyTopic(
        name,
        create,
        partitions,
        replicas < 1 ? Optional.empty() : Optional.of((short) replicas),
        Duration.ofSeconds(30),
        Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static AuditEntry observation(int id) {
    return new Observation(
        Stratum.CDC,
        new TableId("public", "a.b"),
        new RowKey(List.of(new RowKey.Column("id", Integer.toString(id)))),
        List.of(),
        new RowSnapshot.Present(new RowHash(1, 2), 3),
        RowSnapshot.absent(),
        Optional.empty());
  }

  @Test
  void itIsCreatedAndARowsRecordsShareAPartition() throws Exception {
    try (TopicAuditLog log =
        new TopicAuditLog(
            TopicPublisher.open(topic("made", true, 4, -1), "run-1", Time.system()),
            "run-1",
            Time.system())) {
      for (int round = 0; round < 2; round++) {
        List<AuditEntry> batch = new ArrayList<>();
        for (int id = 0; id < 50; id++) {
          batch.add(observation(id));
        }
        log.append(batch);
      }
    }
    try (Admin admin = admin();
        TopicReader reader = new TopicReader(broker.bootstrapServers(), "made")) {
      assertThat(
              admin.describeTopics(List.of("made")).allTopicNames().get().get("made").partitions())
          .hasSize(4);
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "made");
      assertThat(
              admin
                  .describeConfigs(List.of(resource))
                  .all()
                  .get()
                  .get(resource)
                  .get("cleanup.policy")
                  .value())
          .isEqualTo("delete");
      List<ConsumerRecord<byte[], byte[]>> records = reader.readToEnd();
      assertThat(records).hasSize(100);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        JsonNode key = JSON.readTree(record.key());
        JsonNode value = JSON.readTree(record.value());
        assertThat(key.path("schema").asText()).isEqualTo("public");
        assertThat(key.path("table").asText()).isEqualTo("a.b");
        assertThat(key.path("key")).isEqualTo(value.path("key"));
        assertThat(value.path("run_id").asText()).isEqualTo("run-1");
        assertThat(records)
            .filteredOn(other -> java.util.Arrays.equals(other.key(), record.key()))
            .allMatch(other -> other.partition() == record.partition());
      }
    }
    // Another task, or the next start, takes it as it is.
    TopicPublisher.open(topic("made", false, 1, -1), "run-2", Time.system()).close();
  }

  @Test
  void whatCannotWorkIsToldAtTheStart() throws Exception {
    assertThatThrownBy(
            () -> TopicPublisher.open(topic("absent", false, 1, -1), "run", Time.system()))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("\"absent\"")
        .hasMessageContaining("verify.topic.create");
    assertThatThrownBy(() -> TopicPublisher.open(topic("thrice", true, 1, 3), "run", Time.system()))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("\"thrice\"")
        .hasMessageContaining("verify.topic.replication.factor");
    assertThatThrownBy(
            () -> TopicPublisher.open(topic("no/name", true, 1, 1), "run", Time.system()))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("\"no/name\"");
    try (Admin admin = admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("compacted", 1, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
    }
    assertThatThrownBy(
            () -> TopicPublisher.open(topic("compacted", true, 1, -1), "run", Time.system()))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("cleanup.policy=compact");
  }

  /** J: a record that the broker does not take is a failure, and stays one. */
  @Test
  void aRefusedRecordStopsEverything() {
    try (Admin admin = admin();
        TopicAuditLog log =
            new TopicAuditLog(
                TopicPublisher.open(topic("deleted", true, 1, -1), "run", Time.system()),
                "run",
                Time.system())) {
      log.append(List.of(observation(1)));
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, "deleted"),
                  List.of(
                      new org.apache.kafka.clients.admin.AlterConfigOp(
                          new org.apache.kafka.clients.admin.ConfigEntry("max.message.bytes", "10"),
                          org.apache.kafka.clients.admin.AlterConfigOp.OpType.SET))))
          .all()
          .get();
      assertThatThrownBy(() -> log.append(List.of(observation(2))))
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("\"deleted\"");
      assertThatThrownBy(() -> log.append(List.of(observation(3))))
          .isInstanceOf(AuditException.class);
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
