package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.cluster.ConnectWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.RestFailure;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.PostgresDriftConnector;
import io.walproof.connector.engine.Servers;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What operators do and what happens to them, on an exactly-once worker. */
class OperationIT {

  private static final String CLASS = PostgresDriftConnector.class.getName();
  private static final String SECRET = "hunter2";

  private static KafkaBroker broker;
  private static ConnectWorker worker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded(Map.of("log.cleaner.backoff.ms", "500"));
    worker = new WorkerSettings(broker.bootstrapServers()).exactlyOnce().embedded();
  }

  @AfterAll
  static void stop() {
    worker.close();
    broker.close();
  }

  private static Deployment deployment() throws SQLException {
    return new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest());
  }

  @Test
  void recordsAndOffsetsGoTogetherAndExactlyOnceIsNotPromised() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.with("exactly.once.support", "required");
      assertThatThrownBy(() -> it.rest().deploy(it.name, it.config))
          .isInstanceOfSatisfying(
              RestFailure.class,
              refusal -> {
                assertThat(refusal.status()).isEqualTo(400);
                assertThat(refusal.getMessage()).contains("exactly-once");
              });
      it.with("exactly.once.support", "requested");
      it.deploy();
      it.sql("INSERT INTO t SELECT generate_series(1, 3000)");
      it.settle();
      it.stop();
      it.sql("INSERT INTO t SELECT generate_series(3001, 6000)");
      it.resume();
      it.settle();
      List<String> texts = it.texts(it.name + ".public.t");
      assertThat(new HashSet<>(texts)).isEqualTo(numbers(1, 6000));
      assertThat(it.drift()).extracting(DriftEvent::kind).containsExactly(Kind.INITIAL);
    }
  }

  @Test
  void offsetsAreAlteredAndResetThroughTheWorker() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.deploy();
      it.sql("INSERT INTO t VALUES (1)");
      it.settle();
      it.stop();
      JsonNode offsets = it.rest().offsets(it.name);
      it.rest().alterOffsets(it.name, offsets);
      assertThat(it.rest().offsets(it.name)).isEqualTo(offsets);
      Map<String, Object> nonsense =
          Map.of(
              "offsets",
              List.of(
                  Map.of("partition", Map.of("server", it.name), "offset", Map.of("pos", "x"))));
      assertThatThrownBy(() -> it.rest().alterOffsets(it.name, nonsense))
          .isInstanceOf(RestFailure.class)
          .hasMessageContaining("lsn");
      it.rest().resetOffsets(it.name);
      assertThat(it.offset()).isEmpty();
      it.sql("INSERT INTO t VALUES (2)");
      it.resume();
      it.settle();
      assertThat(it.texts(it.name + ".public.t")).contains("2");
      // The baseline went with the offset.
      assertThat(it.drift()).extracting(DriftEvent::kind).containsOnly(Kind.INITIAL).hasSize(2);
    }
  }

  @Test
  void validationTellsEachProblemOnItsFieldAndNoSecret() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      assertThat(errors(it)).isEmpty();
      it.with("database.password", SECRET).with("database.pasword", SECRET);
      it.with("snapshot.mode", "sometimes").with("database.port", "none");
      Map<String, List<String>> errors = errors(it);
      assertThat(errors).containsOnlyKeys("database.pasword", "snapshot.mode", "database.port");
      assertThat(errors.toString()).doesNotContain(SECRET);
      it.config.remove("database.pasword");
      it.config.remove("snapshot.mode");
      it.with("database.port", Integer.toString(it.server.port()));
      it.with("database.user", "nobody");
      assertThat(errors(it)).containsOnlyKeys("database.user");
      it.with("database.user", "postgres").with("database.dbname", "nowhere");
      assertThat(errors(it)).containsOnlyKeys("database.dbname");
      it.with("database.dbname", it.database).with("table.include.list", "public\\.nothing");
      assertThat(errors(it)).containsOnlyKeys("table.include.list");
      assertThatThrownBy(() -> it.rest().deploy(it.name, it.config))
          .isInstanceOf(RestFailure.class)
          .hasMessageContaining("table.include.list")
          .message()
          .doesNotContain(SECRET);
      String shown = it.rest().validate(CLASS, complete(it)).toString();
      assertThat(shown).doesNotContain(SECRET);
    }
  }

  /** What a start would refuse of publication and slot is refused here, and nothing is made. */
  @Test
  void validationLooksAtPublicationAndSlot() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      String publication = "pub_" + it.name;
      String slot = it.config.get("slot.name");
      it.with("publication.name", publication).with("publication.autocreate.mode", "disabled");
      assertThat(errors(it)).containsOnlyKeys("publication.name");
      assertThat(errors(it).get("publication.name").get(0)).contains("CREATE PUBLICATION");
      it.sql("CREATE PUBLICATION " + publication);
      assertThat(errors(it).get("publication.name").get(0)).contains("ADD TABLE");
      it.sql(
          "SELECT pg_create_physical_replication_slot('" + slot + "')",
          "ALTER PUBLICATION " + publication + " ADD TABLE t");
      assertThat(errors(it)).containsOnlyKeys("slot.name");
      it.sql("DROP PUBLICATION " + publication);
      assertThat(errors(it)).containsOnlyKeys("publication.name", "slot.name");
      it.sql("SELECT pg_drop_replication_slot('" + slot + "')");
      it.config.remove("publication.autocreate.mode");
      assertThat(errors(it)).isEmpty();
      assertThat(
              it.query("SELECT count(*) FROM pg_publication WHERE pubname = '" + publication + "'"))
          .isEqualTo("0");
      assertThat(
              it.query(
                  "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '" + slot + "'"))
          .isEqualTo("0");
      try (Connection vacuum = it.server.connect(it.database);
          Statement statement = vacuum.createStatement()) {
        vacuum.setAutoCommit(false);
        statement.execute("LOCK TABLE t IN SHARE UPDATE EXCLUSIVE MODE");
        assertThat(errors(it)).as("a start would wait for longer").isEmpty();
      }
      it.sql("SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
      assertThat(errors(it)).containsOnlyKeys("slot.name");
      assertThat(errors(it).get("slot.name").get(0)).contains("is older than publication.name");
      it.with("drift.accept.gap", "true");
      assertThat(errors(it)).isEmpty();
    }
  }

  /** What a start would find no room for is refused; what only goes badly is in the log. */
  @Test
  void validationLooksAtRoomAndKeysAndHeartbeats() throws Exception {
    try (Deployment it = deployment()) {
      it.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "CREATE TABLE bare (id int)",
          "CREATE TABLE full_row (id int)",
          "ALTER TABLE full_row REPLICA IDENTITY FULL",
          "CREATE TABLE by_index (id int NOT NULL UNIQUE)",
          "ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_id_key");
      assertThat(warnings(it))
          .anyMatch(
              text ->
                  text.startsWith("With this configuration, keys: without a primary key")
                      && text.contains("public.bare, public.full_row. "))
          .noneMatch(text -> text.contains("heartbeat"));
      it.with("heartbeat.interval.ms", "0").with("table.include.list", "public\\.t");
      assertThat(warnings(it))
          .anyMatch(text -> text.contains("settings: heartbeat.interval.ms=0"))
          .noneMatch(text -> text.contains("public.bare"));
      List<String> fillers = new ArrayList<>();
      try {
        int free =
            Integer.parseInt(
                it.query(
                    "SELECT current_setting('max_replication_slots')::int - count(*)"
                        + " FROM pg_replication_slots"));
        for (int i = 0; i < free; i++) {
          String filler = "filler_" + i;
          it.sql("SELECT pg_create_physical_replication_slot('" + filler + "')");
          fillers.add(filler);
        }
        assertThat(errors(it)).containsOnlyKeys("slot.name");
        assertThat(errors(it).get("slot.name").get(0)).contains("max_replication_slots");
      } finally {
        for (String filler : fillers) {
          it.sql("SELECT pg_drop_replication_slot('" + filler + "')");
        }
      }
      assertThat(errors(it)).isEmpty();
    }
  }

  private static List<String> warnings(Deployment it) {
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(ConfigCheck.class);
    said.start();
    logger.addAppender(said);
    try {
      new ConfigCheck().check(complete(it));
    } finally {
      logger.detachAppender(said);
    }
    return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Nothing is lost and the slot stays where it is while the broker is away (invariant C). */
  @Test
  void aBrokerThatIsAwayHoldsTheSlot() throws Exception {
    Duration away = Duration.ofSeconds(Long.getLong("walproof.broker.away.seconds", 10));
    try (Deployment it = deployment()) {
      it.with("status.update.interval.ms", "100").with("heartbeat.interval.ms", "200");
      it.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      it.deploy();
      it.sql("INSERT INTO t SELECT generate_series(1, 100)");
      it.settle();
      it.until(() -> it.texts(it.name + ".public.t").size() == 100);
      it.sql("INSERT INTO t SELECT generate_series(101, 20000), repeat('x', 100)");
      broker.stop();
      Time time = Time.system();
      long end = time.nanoTime() + away.toNanos();
      Lsn first = it.confirmed();
      List<Lsn> seen = new ArrayList<>();
      int id = 20001;
      while (time.nanoTime() - end < 0) {
        it.sql("INSERT INTO t VALUES (" + id++ + ")");
        seen.add(it.confirmed());
      }
      broker.start();
      it.settle();
      it.until(() -> new HashSet<>(it.texts(it.name + ".public.t")).containsAll(numbers(1, 20000)));
      int last = id - 1;
      it.until(
          () -> new HashSet<>(it.texts(it.name + ".public.t")).contains(Integer.toString(last)));
      assertThat(new HashSet<>(it.texts(it.name + ".public.t"))).isEqualTo(numbers(1, last));
      // It may have gone on to what was committed just before, and no further.
      assertThat(new HashSet<>(seen).size()).isLessThanOrEqualTo(2);
      assertThat(seen.get(seen.size() - 1).compareTo(first)).isNotNegative();
      it.until(() -> it.confirmed().compareTo(first) > 0);
      assertThat(it.drift()).extracting(DriftEvent::kind).containsOnly(Kind.INITIAL);
    }
  }

  /**
   * Of the offsets the last one is kept, whatever is compacted away, and it is all that is needed.
   */
  @Test
  void aCompactedOffsetsTopicLosesNoPosition() throws Exception {
    WorkerSettings settings =
        new WorkerSettings(broker.bootstrapServers())
            .group("compacted")
            .setting("offset.storage.segment.ms", "500")
            .setting("offset.storage.min.cleanable.dirty.ratio", "0.001");
    try (Deployment it = deployment()) {
      try (ConnectWorker first = settings.embedded()) {
        it.moveTo(first.rest());
        it.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        it.deploy();
        it.sql("INSERT INTO t SELECT generate_series(1, 100)");
        it.settle();
        // A hole before the last offset: the cleaner was there. It wants new records to roll.
        it.until(() -> hasHole(it.records("compacted-offsets")));
      }
      it.sql("INSERT INTO t SELECT generate_series(101, 200)");
      try (ConnectWorker second = settings.embedded()) {
        it.moveTo(second.rest());
        it.awaitStreaming();
        it.settle();
        assertThat(new HashSet<>(it.texts(it.name + ".public.t"))).isEqualTo(numbers(1, 200));
        assertThat(it.drift()).extracting(DriftEvent::kind).containsOnly(Kind.INITIAL);
        it.rest().stop(it.name);
        it.rest().delete(it.name);
      }
      it.moveTo(worker.rest());
    }
  }

  private static boolean hasHole(List<ConsumerRecord<byte[], byte[]>> records) {
    return !records.isEmpty() && records.get(records.size() - 1).offset() >= records.size();
  }

  private static Map<String, List<String>> errors(Deployment it) {
    Map<String, List<String>> errors = new HashMap<>();
    for (JsonNode config : it.rest().validate(CLASS, complete(it)).at("/configs")) {
      JsonNode value = config.get("value");
      if (!value.get("errors").isEmpty()) {
        List<String> texts = new ArrayList<>();
        value.get("errors").forEach(text -> texts.add(text.asText()));
        errors.put(value.get("name").asText(), texts);
      }
    }
    return errors;
  }

  private static Map<String, String> complete(Deployment it) {
    Map<String, String> config = new HashMap<>(it.config);
    config.put("name", it.name);
    return config;
  }

  private static Set<String> numbers(int from, int to) {
    return new HashSet<>(IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList());
  }
}
