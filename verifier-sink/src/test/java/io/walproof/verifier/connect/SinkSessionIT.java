package io.walproof.verifier.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.EmbeddedBroker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.TopicReader;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.RecordHeaders;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.audit.AuditCheck;
import io.walproof.verifier.audit.StateDirectory;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task without a worker: two databases of one server, a real broker, and no applier. */
class SinkSessionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final TopicPartition FIRST = new TopicPartition("keys", 0);
  private static final TopicPartition SECOND = new TopicPartition("keys", 1);

  private static PostgresServer server;
  private static EmbeddedBroker broker;

  @TempDir Path folder;

  private final FakeSinkContext context = new FakeSinkContext();

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.builder().major(17).start();
    for (String database : List.of("here", "there")) {
      server.execute("postgres", "CREATE DATABASE " + database);
      server.execute(database, "CREATE TABLE orders (id int PRIMARY KEY, total int)");
    }
    server.execute("here", "INSERT INTO orders SELECT g, g FROM generate_series(1, 1000) AS g");
    server.execute("there", "INSERT INTO orders SELECT g, g FROM generate_series(1, 100) AS g");
    broker = KafkaBroker.embedded();
  }

  @AfterAll
  static void stop() throws Exception {
    try (PostgresServer databases = server;
        EmbeddedBroker kafka = broker) {
      assertThat(databases).isNotNull();
      assertThat(kafka).isNotNull();
    }
  }

  private static Map<String, String> settings(String topic) {
    Map<String, String> settings = new HashMap<>();
    settings.put("name", topic);
    settings.put("topics", "keys");
    settings.put("verify.source.jdbc.url", server.jdbcUrl("here"));
    settings.put("verify.source.user", PostgresServer.SUPERUSER);
    settings.put("verify.target.jdbc.url", server.jdbcUrl("there"));
    settings.put("verify.target.user", PostgresServer.SUPERUSER);
    settings.put("verify.topic", topic);
    settings.put("verify.producer.bootstrap.servers", broker.bootstrapServers());
    settings.put("verify.settle.ms", "200");
    settings.put("verify.recheck.delay.ms", "200");
    settings.put("verify.replay.confirmation", "none");
    return settings;
  }

  private SinkSession session(Map<String, String> settings, TopicPartition... partitions) {
    SinkSession session = SinkSession.start(SinkSettings.of(settings), context, Time.system());
    context.assigned.addAll(List.of(partitions));
    session.open(List.of(partitions));
    return session;
  }

  private static SinkRecord record(TopicPartition partition, long offset, Object value) {
    return new SinkRecord(
        partition.topic(), partition.partition(), null, Map.of(), null, value, offset);
  }

  private static SinkRecord changed(TopicPartition partition, long offset, int id) {
    return record(
        partition,
        offset,
        ChangedKeyRecord.value(
            new ChangedKey(
                ORDERS,
                new RowKey(List.of(new RowKey.Column("id", Integer.toString(id)))),
                Operation.UPDATE,
                new Lsn(1),
                0,
                Instant.EPOCH,
                new ShapeHash("0123456789abcdef0123456789abcdef"))));
  }

  private static void awaitOffset(SinkSession session, TopicPartition partition, long offset) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              session.put(List.of());
              return new OffsetAndMetadata(offset).equals(session.committable().get(partition));
            });
  }

  private static List<JsonNode> published(String topic) {
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), topic)) {
      return Pipeline.json(reader.readToEnd());
    }
  }

  /** Section 8.7, J: what there is no room for waits here, and the partitions are paused. */
  @Test
  void whenThereIsNoRoomThePartitionsArePausedAndNothingIsLost() {
    Map<String, String> settings = settings("full");
    settings.put("verify.pending.max", "5");
    SinkSession session = session(settings, FIRST, SECOND);
    try {
      session.put(IntStream.rangeClosed(1, 20).mapToObj(i -> changed(FIRST, i, i)).toList());
      assertThat(context.paused).containsExactlyInAnyOrder(FIRST, SECOND);
      assertThat(context.timeout).isPositive();
      assertThat(session.verifier().pending()).isEqualTo(5);
      assertThatThrownBy(() -> session.put(List.of(changed(SECOND, 1, 50))))
          .isInstanceOf(RetriableException.class)
          .hasMessageContaining("verify.pending.max");
      awaitOffset(session, FIRST, 21);
      assertThat(context.paused).isEmpty();
      session.put(List.of(changed(SECOND, 1, 50)));
      awaitOffset(session, SECOND, 2);
      assertThat(session.verifier().total().observed()).isEqualTo(21);
      assertThat(session.verifier().total().outcomes()).isEqualTo(Map.of("matched", 21L));
    } finally {
      session.stop();
    }
  }

  @Test
  void anOffsetIsCommittedOnlyWhenEverythingBelowItIsDecided() {
    Map<String, String> settings = settings("offsets");
    settings.put("verify.settle.ms", "1500");
    SinkSession session = session(settings, FIRST, SECOND);
    try {
      assertThat(session.committable()).isEmpty();
      session.put(List.of(record(FIRST, 4, null), changed(FIRST, 5, 1), record(FIRST, 6, null)));
      session.put(List.of(record(SECOND, 9, null)));
      assertThat(session.committable()).containsEntry(SECOND, new OffsetAndMetadata(10));
      assertThat(session.committable().get(FIRST)).isNotEqualTo(new OffsetAndMetadata(7));
      awaitOffset(session, FIRST, 7);
      assertThat(session.verifier().ignoredRecords()).isEqualTo(Map.of("tombstone", 3L));
    } finally {
      session.stop();
    }
  }

  /** What two tasks say of one key can be told apart, and nothing is taken for decided. */
  @Test
  void revokedPartitionsAreHandedOnUndecided() {
    Map<String, String> settings = settings("revoked");
    settings.put("verify.recheck.delay.ms", "600000");
    SinkSession first = session(settings, FIRST, SECOND);
    try {
      // Two mismatches, one in each partition, and a match.
      first.put(List.of(changed(FIRST, 1, 1), changed(FIRST, 2, 500), changed(SECOND, 1, 501)));
      await().atMost(PATIENCE).until(() -> first.verifier().deferred() == 2);
      Map<TopicPartition, OffsetAndMetadata> last = first.committable();
      assertThat(last.get(FIRST)).isNotEqualTo(new OffsetAndMetadata(3));
      first.close(List.of(FIRST));
      assertThat(first.committable()).doesNotContainKey(FIRST);
      assertThat(first.verifier().pending()).isEqualTo(1);
    } finally {
      first.stop();
    }
    settings.put("verify.recheck.delay.ms", "100");
    SinkSession second = session(settings, FIRST);
    try {
      second.put(List.of(changed(FIRST, 2, 500)));
      awaitOffset(second, FIRST, 3);
    } finally {
      second.stop();
    }
    List<JsonNode> records = published("revoked");
    List<JsonNode> ofKey =
        Pipeline.ofType(records, "decision").stream()
            .filter(each -> each.at("/key/id").asText().equals("500"))
            .toList();
    assertThat(ofKey)
        .extracting(each -> each.path("outcome").asText())
        .containsExactly("incomplete", "unresolved");
    assertThat(ofKey.get(0).path("reason").asText()).isEqualTo("partition_revoked");
    assertThat(ofKey.get(0).path("run_id")).isNotEqualTo(ofKey.get(1).path("run_id"));
    assertThat(Pipeline.ofType(records, "run_end"))
        .allMatch(end -> end.at("/coverage/pending").asLong() == 0);
  }

  @Test
  void aRecordThatCannotBeReadIsNeverDroppedInSilence() {
    SinkSession session = session(settings("errant"), FIRST);
    try {
      SinkRecord flattened = record(FIRST, 1, Map.of("id", 1L));
      assertThatThrownBy(() -> session.put(List.of(flattened)))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("errors.tolerance")
          .hasMessageContaining("offset 1");
      assertThat(session.committable()).isEmpty();
      context.tolerates = true;
      session.put(List.of(flattened, changed(FIRST, 2, 1)));
      assertThat(context.reported).containsExactly(flattened);
      assertThat(session.verifier().ignoredRecords()).isEqualTo(Map.of("unreadable", 1L));
      awaitOffset(session, FIRST, 3);
    } finally {
      session.stop();
    }
  }

  @Test
  void changesOfAnotherClusterStopTheTask() {
    SinkSession session = session(settings("cluster"), FIRST);
    try {
      SinkRecord foreign = changed(FIRST, 1, 1);
      foreign.headers().addString(RecordHeaders.SYSTEM_IDENTIFIER, "1");
      context.tolerates = true;
      assertThatThrownBy(() -> session.put(List.of(foreign)))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("another cluster");
      assertThat(session.committable()).isEmpty();
    } finally {
      session.stop();
    }
  }

  /** The same bytes in the file and on the topic. */
  @Test
  void theAuditFileHoldsWhatTheTopicHolds() throws Exception {
    Map<String, String> settings = settings("both");
    settings.put("state.dir", folder.toString());
    SinkSession session = session(settings, FIRST);
    session.put(List.of(changed(FIRST, 1, 1), changed(FIRST, 2, 700)));
    awaitOffset(session, FIRST, 3);
    session.stop();
    Path file = StateDirectory.auditFile(folder.resolve("both-0"));
    assertThat(AuditCheck.of(file).isWhole()).isTrue();
    List<String> lines = Files.readAllLines(file);
    try (TopicReader reader = new TopicReader(broker.bootstrapServers(), "both")) {
      List<String> topic = new ArrayList<>();
      reader
          .readToEnd()
          .forEach(each -> topic.add(new String(each.value(), StandardCharsets.UTF_8)));
      assertThat(topic).containsExactlyElementsOf(lines);
    }
    assertThat(lines.get(lines.size() - 1)).contains("\"type\":\"run_end\"");
  }

  /** Invariant I over many summaries: each adds up, and none goes back. */
  @Test
  void theSummariesOfAnHourAddUp() throws Exception {
    QuickTime time = new QuickTime(200);
    Map<String, String> settings = settings("summaries");
    // The product's own times; bounds on servers count in quick time too, so they are long.
    settings.remove("verify.settle.ms");
    settings.remove("verify.recheck.delay.ms");
    for (String bound :
        List.of(
            "verify.connect.timeout.ms", "verify.read.timeout.ms", "verify.publish.timeout.ms")) {
      settings.put(bound, "3600000");
    }
    SinkSession session = SinkSession.start(SinkSettings.of(settings), context, time);
    context.assigned.add(FIRST);
    session.open(List.of(FIRST));
    Instant end = time.now().plus(Duration.ofHours(1));
    int sent = 0;
    while (time.now().isBefore(end)) {
      int from = sent;
      taken(
          session,
          IntStream.range(from, from + 20).mapToObj(n -> changed(FIRST, n, 1 + n % 150)).toList());
      sent += 20;
      time.sleep(Duration.ofSeconds(10));
    }
    awaitOffset(session, FIRST, sent);
    session.stop();
    List<JsonNode> summaries = Pipeline.ofType(published("summaries"), "summary");
    // One a minute; on a machine that is slow they come later in quick time.
    assertThat(summaries).hasSizeGreaterThan(10);
    long before = 0;
    for (JsonNode summary : summaries) {
      long observed = assertAddsUp(summary.path("coverage"));
      assertThat(observed).isGreaterThanOrEqualTo(before);
      before = observed;
    }
    assertThat(before).isEqualTo(sent);
  }

  private static void taken(SinkSession session, List<SinkRecord> records) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try {
                session.put(records);
                return true;
              } catch (RetriableException e) {
                // As the worker does: the same records come again.
                return false;
              }
            });
  }

  /** Invariant I; gives what was observed. */
  private static long assertAddsUp(JsonNode coverage) {
    long skipped = 0;
    for (JsonNode reason : coverage.path("skipped")) {
      skipped += reason.asLong();
    }
    long observed = coverage.path("observed").asLong();
    assertThat(observed)
        .isEqualTo(
            coverage.path("checked").asLong()
                + coverage.path("coalesced").asLong()
                + skipped
                + coverage.path("pending").asLong());
    return observed;
  }

  @Test
  void theGaugesAreThereAndGoWithTheTask() throws Exception {
    ObjectName names = new ObjectName("*:connector=gauges,*");
    SinkSession session = session(settings("gauges"), FIRST);
    var beans = ManagementFactory.getPlatformMBeanServer();
    assertThat(beans.queryNames(names, null)).isNotEmpty();
    session.stop();
    assertThat(beans.queryNames(names, null)).isEmpty();
  }

  /** B, and the end of patience: without evidence nothing is decided and nothing committed. */
  @Test
  void withoutTheBrokerTheTaskFailsAndNothingIsCommitted() {
    Map<String, String> settings = settings("gone");
    settings.put("verify.publish.timeout.ms", "2000");
    SinkSession session = session(settings, FIRST);
    broker.stop();
    try {
      session.put(List.of(changed(FIRST, 1, 800)));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> session.put(List.of()))
                      .isInstanceOf(ConnectException.class)
                      .hasMessageContaining("gone")
                      .hasMessageContaining("verify.publish.timeout.ms"));
      assertThat(session.committable().get(FIRST)).isNotEqualTo(new OffsetAndMetadata(2));
    } finally {
      session.stop();
      broker.start();
    }
  }
}
