package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.TopicReader;
import io.walproof.cluster.WorkerProcess;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Workers die, the broker goes away, tasks move: no key is lost, nothing is reported that is not
 * true, and the slot never runs ahead (invariants A, C and E). Longer forms by the properties
 * {@code walproof.system.kills} and {@code walproof.system.outage.seconds}.
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
  void aBrokerThatIsAwayCostsNothingAndTheSlotWaits() throws Exception {
    String table = "unheard";
    fleet.createTable(table);
    fleet.deploySource(table);
    try (Load load = Load.start(fleet.pair(), table)) {
      awaitTopic(table, 1);
      fleet.deployVerifier(table, 1, 3000);
      fleet.broker().stop();
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
      Set<String> failed =
          unresolved.stream()
              .map(decision -> decision.at("/key/id").asText())
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(failed).isNotEmpty().isEqualTo(load.lost());
      assertThat(unresolved)
          .allSatisfy(decision -> assertThat(decision.path("kind").asText()).isEqualTo("missing"));
    }
  }

  private static Set<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
    return JsonRecords.values(records).stream()
        .map(value -> value.at("/columns/0/text").asText())
        .collect(Collectors.toCollection(TreeSet::new));
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
