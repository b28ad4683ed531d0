package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerProcess;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Workers die, the broker goes away, tasks move, a table is diverted and comes back: no key is
 * lost, nothing is reported that is not true, and the slot never runs ahead (invariants A, C and
 * E). Longer forms by the properties {@code walproof.system.kills} and {@code
 * walproof.system.outage.seconds}.
 */
class FailoverIT {

  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final int KILLS = Integer.getInteger("walproof.system.kills", 2);
  private static final Duration OUTAGE =
      Duration.ofSeconds(Integer.getInteger("walproof.system.outage.seconds", 10));

  private static Fleet fleet;

  @BeforeAll
  static void start() throws Exception {
    fleet = Fleet.start();
  }

  @AfterAll
  static void stop() throws Exception {
    fleet.close();
  }

  @BeforeEach
  void mend() {
    fleet.mend();
  }

  @Test
  void driftWhileStoppedIsSeenAfterARestartOnAnotherWorker() throws Exception {
    String table = "drifting";
    fleet.createTable(table);
    fleet.deploySource(table);
    fleet.pair().onSource("INSERT INTO drifting VALUES (1, 'one')");
    try (TopicReader keys = reader(table + ".public." + table);
        TopicReader drift = reader(table + ".drift")) {
      keys.readUntil("the first key", BOUND, records -> !records.isEmpty());
      WorkerProcess first = fleet.workerOf(table + "-source", 0);
      fleet.aliveRest().stop(table + "-source");
      fleet.pair().onBoth("ALTER TABLE drifting ADD extra numeric(10, 2)");
      fleet.pair().onSource("INSERT INTO drifting VALUES (2, 'two', 2)");
      first.stop();
      WorkerProcess second = fleet.otherThan(first);
      second.rest().resume(table + "-source");
      second.rest().awaitRunning(table + "-source", 1);
      drift.readUntil("the drift event", BOUND, records -> !JsonRecords.drift(records).isEmpty());
      keys.readUntil("the second key", BOUND, records -> keys(records).contains("2"));

      assertThat(fleet.workerOf(table + "-source", 0)).isSameAs(second);
      assertThat(JsonRecords.drift(drift.readToEnd()))
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.path("kind").asText()).isEqualTo("shape_changed");
                assertThat(event.path("occurrence").asText()).isEqualTo("across_restart");
                assertThat(event.path("changes")).hasSize(1);
                assertThat(event.at("/changes/0/column").asText()).isEqualTo("extra");
                assertThat(event.at("/changes/0/what").asText()).isEqualTo("added");
              });
    }
  }

  @Test
  void aDivertedTableIsCheckedOnceAnOperatorAcceptsItsShape() throws Exception {
    String table = "diverted";
    Map<String, String> policy = Map.of("drift.policy", "dlq");
    fleet.createTable(table);
    fleet.deploySource(table, policy);
    fleet.pair().onSource("INSERT INTO diverted VALUES (1, 'one')");
    try (TopicReader keys = reader(table + ".public." + table);
        TopicReader drift = reader(table + ".drift");
        TopicReader dlq = reader(table + ".dlq");
        TopicReader verify = reader(table + ".verify")) {
      keys.readUntil("the first key", BOUND, records -> !records.isEmpty());
      fleet.deployVerifier(
          table,
          1,
          1000,
          Map.of(
              "topics",
              table + ".public." + table + "," + table + ".dlq",
              // The topic of diverted tables is made later, and is to be noticed soon.
              "consumer.override.metadata.max.age.ms",
              "500"));
      fleet.pair().onBoth("ALTER TABLE diverted ADD extra int");
      fleet.pair().onSource("INSERT INTO diverted VALUES (2, 'two', 2), (3, 'lost', 3)");
      verify.readUntil(
          "the diverted keys",
          BOUND,
          records -> ids(JsonRecords.decisions(records, "incomplete")).equals(Set.of("2", "3")));
      assertThat(JsonRecords.decisions(verify.records(), "incomplete"))
          .allSatisfy(
              decision ->
                  assertThat(decision.path("reason").asText()).isEqualTo("shape_not_accepted"));
      verify.readUntil(
          "a summary that counts them",
          BOUND,
          records -> outcomes(records).path("incomplete").asInt() >= 2);
      // A restart sends the last transaction again; the keys before it are in this topic alone.
      fleet.pair().onSource("INSERT INTO diverted VALUES (4, 'four', 4)");
      dlq.readUntil("one more diverted key", BOUND, read -> keys(read).contains("4"));
      assertThat(keys(dlq.records())).containsExactly("2", "3", "4");
      assertThat(JsonRecords.drift(drift.readToEnd()))
          .singleElement()
          .satisfies(event -> assertThat(event.path("action").asText()).isEqualTo("diverted"));
      assertThat(JsonRecords.decisions(verify.readToEnd(), "unresolved")).isEmpty();

      String hash = JsonRecords.drift(drift.records()).get(0).path("current").asText();
      fleet.deploySource(
          table, Map.of("drift.policy", "dlq", "drift.accept", "public.diverted=" + hash));
      verify.readUntil(
          "the verdict on the lost row",
          BOUND,
          records -> !JsonRecords.decisions(records, "unresolved").isEmpty());
      fleet.pair().onSource("INSERT INTO diverted VALUES (5, 'five', 5)");
      keys.readUntil("a key that is diverted no more", BOUND, read -> keys(read).contains("5"));
      verify.readUntil(
          "a summary in which the others matched",
          BOUND,
          records ->
              outcomes(records).path("matched").asInt() >= 4
                  && outcomes(records).path("unresolved_missing").asInt() >= 1);
      // The offset that waited for the acceptance does not any more.
      GroupProgress.awaitEnd(
          fleet.broker().bootstrapServers(), table + "-verifier", table + ".dlq", BOUND);

      assertThat(JsonRecords.drift(drift.readToEnd()))
          .extracting(event -> event.path("kind").asText() + " " + event.path("action").asText())
          .containsExactly("shape_changed diverted", "shape_accepted accepted");
      assertThat(keys(keys.readToEnd())).contains("1", "5").doesNotContain("2", "3");
      assertThat(keys(dlq.readToEnd())).containsExactly("2", "3", "4");
      assertThat(ids(JsonRecords.decisions(verify.readToEnd(), "unresolved"))).containsExactly("3");
      assertThat(JsonRecords.ofType(verify.records(), "drift")).isEmpty();
    }
  }

  @Test
  void aWorkerKilledUnderLoadCostsNoKeyAndNoFalseFailure() throws Exception {
    String table = "killed";
    fleet.createTable(table);
    fleet.deploySource(table);
    try (Load load = Load.start(fleet.pair(), table)) {
      awaitTopic(table, 1);
      fleet.deployVerifier(table, 2, 3000);
      for (int kill = 0; kill < KILLS; kill++) {
        // In turns the worker with the source's task and one with a verifier's.
        String connector = kill % 2 == 0 ? table + "-source" : table + "-verifier";
        WorkerProcess victim = fleet.workerOf(connector, 0);
        victim.kill();
        long written = load.written();
        awaitTopic(table, written + 200);
        victim.start();
        fleet.aliveRest().awaitRunning(table + "-source", 1);
        fleet.aliveRest().awaitRunning(table + "-verifier", 2);
      }
      load.stop();
      requireEveryKeyDecided(table, load);
    }
  }

  @Test
  void aBrokerThatIsKilledCostsNothingAndTheSlotWaits() throws Exception {
    String table = "unheard";
    fleet.createTable(table);
    fleet.deploySource(table);
    try (Load load = Load.start(fleet.pair(), table)) {
      awaitTopic(table, 1);
      fleet.deployVerifier(table, 1, 3000);
      fleet.broker().kill();
      // What was durable before is confirmed a moment later.
      Time.system().sleep(Duration.ofSeconds(2));
      Lsn confirmed = Slots.confirmed(fleet.pair().source(), Fleet.slot(table));
      long written = load.written();
      Time.system().sleep(OUTAGE);
      assertThat(Slots.confirmed(fleet.pair().source(), Fleet.slot(table))).isEqualTo(confirmed);
      assertThat(load.written()).isGreaterThan(written);
      fleet.broker().start();
      awaitTopic(table, load.written());
      load.stop();
      requireEveryKeyDecided(table, load);
      assertThat(Slots.confirmed(fleet.pair().source(), Fleet.slot(table)))
          .isGreaterThan(confirmed);
    }
  }

  /** SIGSTOP: whoever was given up goes on one day, and must do no harm then. */
  @Test
  void aWorkerAndABrokerThatStandStillCostNoKeyAndNoFalseFailure() throws Exception {
    String table = "still";
    fleet.createTable(table);
    // Otherwise the source waits for a minute before it takes the slot from a worker that is still.
    fleet.pair().onSource("ALTER SYSTEM SET wal_sender_timeout = '3s'", "SELECT pg_reload_conf()");
    fleet.deploySource(table, Map.of("status.update.interval.ms", "500"));
    try (Load load = Load.start(fleet.pair(), table)) {
      awaitTopic(table, 1);
      fleet.deployVerifier(table, 1, 3000);
      WorkerProcess still = fleet.workerOf(table + "-source", 0);
      still.freeze();
      // Only the other worker can have brought these.
      awaitTopic(table, load.written() + 200);
      still.thaw();
      fleet.broker().freeze();
      Time.system().sleep(OUTAGE);
      fleet.broker().thaw();
      awaitTopic(table, load.written());
      load.stop();
      requireEveryKeyDecided(table, load);
    } finally {
      fleet.pair().onSource("ALTER SYSTEM RESET wal_sender_timeout", "SELECT pg_reload_conf()");
    }
  }

  @Test
  void aRebalanceInTheMiddleOfADeferralLosesNoVerdict() throws Exception {
    String table = "moving";
    fleet.createTable(table);
    fleet.deploySource(table);
    try (Load load = Load.start(fleet.pair(), table)) {
      awaitTopic(table, 1);
      fleet.deployVerifier(table, 2, 15_000);
      try (TopicReader verify = reader(table + ".verify")) {
        awaitTopic(table, 300);
        load.stop();
        verify.readUntil(
            "a deferred key",
            BOUND,
            records -> !JsonRecords.observations(records, "deferred").isEmpty());
        assertThat(JsonRecords.decisions(verify.records(), "unresolved")).isEmpty();
        WorkerProcess moved = fleet.workerOf(table + "-verifier", 1);
        moved.stop();
        requireEveryKeyDecided(table, load);
        assertThat(JsonRecords.decisions(verify.readToEnd(), "incomplete"))
            .allSatisfy(
                decision ->
                    assertThat(decision.path("reason").asText()).isEqualTo("partition_revoked"));
      }
    }
  }

  /**
   * Every key is on the topic, every position is decided, and exactly the lost rows are failures.
   */
  private static void requireEveryKeyDecided(String table, Load load) {
    String topic = table + ".public." + table;
    try (TopicReader keys = reader(topic);
        TopicReader verify = reader(table + ".verify")) {
      keys.readUntil("every changed key", BOUND, records -> keys(records).containsAll(load.keys()));
      GroupProgress.awaitEnd(fleet.broker().bootstrapServers(), table + "-verifier", topic, BOUND);
      List<JsonNode> unresolved = JsonRecords.decisions(verify.readToEnd(), "unresolved");
      assertThat(ids(unresolved)).isNotEmpty().isEqualTo(load.lost());
      assertThat(unresolved)
          .allSatisfy(decision -> assertThat(decision.path("kind").asText()).isEqualTo("missing"));
    }
  }

  private static Set<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
    return JsonRecords.values(records).stream()
        .filter(value -> value.has("columns"))
        .map(value -> value.at("/columns/0/text").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> ids(List<JsonNode> decisions) {
    return decisions.stream()
        .map(decision -> decision.at("/key/id").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The outcomes of the last summary. */
  private static JsonNode outcomes(List<ConsumerRecord<byte[], byte[]>> records) {
    List<JsonNode> summaries = JsonRecords.ofType(records, "summary");
    return summaries.isEmpty()
        ? MissingNode.getInstance()
        : summaries.get(summaries.size() - 1).at("/coverage/outcomes");
  }

  private static void awaitTopic(String table, long key) {
    try (TopicReader reader = reader(table + ".public." + table)) {
      reader.readUntil("key " + key, BOUND, records -> keys(records).contains(Long.toString(key)));
    }
  }

  private static TopicReader reader(String topic) {
    return new TopicReader(fleet.broker().bootstrapServers(), topic);
  }
}
