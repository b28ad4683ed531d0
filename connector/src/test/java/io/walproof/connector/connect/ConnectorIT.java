package io.walproof.connector.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.cluster.ConnectWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.engine.Servers;
import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import io.walproof.contract.Operation;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The connector on a real worker, broker and database (invariants A to E). */
class ConnectorIT {

  private static KafkaBroker broker;
  private static ConnectWorker worker;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.embedded();
    worker = new WorkerSettings(broker.bootstrapServers()).embedded();
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
  void changedKeysArriveInOneFormForEveryTable() throws Exception {
    try (Deployment it = deployment()) {
      it.sql(
          "CREATE TABLE orders (id bigint, region text, note text, PRIMARY KEY (region, id))",
          "CREATE TABLE \"x#y.Z\" (\"Id\" int PRIMARY KEY)");
      it.deploy();
      it.sql(
          "INSERT INTO orders VALUES (1, 'e''u', 'secret'), (2, '', 'secret')",
          "UPDATE orders SET note = 'other' WHERE id = 1",
          "UPDATE orders SET id = 3 WHERE id = 2",
          "DELETE FROM orders WHERE id = 3",
          "INSERT INTO \"x#y.Z\" VALUES (7)");
      it.settle();
      List<ChangedKey> keys = it.keys(it.name + ".public.orders");
      assertThat(keys)
          .extracting(key -> key.operation() + " " + key.key().asMap())
          .containsExactly(
              "INSERT {id=1, region=e'u}",
              "INSERT {id=2, region=}",
              "UPDATE {id=1, region=e'u}",
              "DELETE {id=2, region=}",
              "INSERT {id=3, region=}",
              "DELETE {id=3, region=}");
      assertThat(keys).allSatisfy(key -> assertThat(key.shape()).isNotNull());
      assertThat(keys.get(0).transactionId()).isPositive();
      assertThat(it.texts(it.name + ".public.x_x0023_y_x002e_Z")).containsExactly("7");
      String identifier = it.query("SELECT system_identifier::text FROM pg_control_system()");
      assertThat(it.records(it.name + ".public.orders"))
          .allSatisfy(
              record -> {
                assertThat(record.headers().lastHeader("walproof.system_identifier").value())
                    .asString()
                    .contains(identifier);
                assertThat(new String(record.value(), UTF_8)).doesNotContain("secret");
              });
      assertThat(it.drift()).extracting(DriftEvent::kind).containsOnly(Kind.INITIAL).hasSize(2);
      assertThat(keys).extracting(ChangedKey::operation).doesNotContain(Operation.READ);
    }
  }

  @Test
  void driftWhileStoppedIsSeenAfterTheRestartAndNamesTheColumns() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY, v varchar(10), gone text)");
      it.deploy();
      it.sql("INSERT INTO t VALUES (1, 'a', 'b')");
      it.settle();
      assertThat(it.offset().orElseThrow().get(OffsetKeys.SCHEMA_HISTORY).toString())
          .contains("public.t")
          .contains("\"gone\"");
      it.stop();
      it.sql(
          "ALTER TABLE t ALTER v TYPE varchar(20), DROP gone, ADD fresh int",
          "INSERT INTO t VALUES (2, 'a', 3)");
      it.resume();
      it.settle();
      assertThat(it.realDrift()).hasSize(1);
      DriftEvent event = it.realDrift().get(0);
      assertThat(event.kind()).isEqualTo(Kind.SHAPE_CHANGED);
      assertThat(event.occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
      assertThat(event.changes())
          .extracting(ColumnChange::column, ColumnChange::what)
          .contains(
              tuple("v", ColumnChange.What.TYPE_MODIFIER),
              tuple("gone", ColumnChange.What.REMOVED),
              tuple("fresh", ColumnChange.What.ADDED));
      assertThat(it.texts(it.name + ".public.t")).contains("1", "2");
    }
  }

  @Test
  void restartsAreQuietAndOffsetsOutliveTheConnector() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.deploy();
      for (int round = 0; round < 3; round++) {
        it.sql("INSERT INTO t VALUES (" + round + ")", "ANALYZE t");
        it.settle();
        it.stop();
        it.resume();
      }
      it.settle();
      Position before = it.committed();
      it.stop();
      it.rest().delete(it.name);
      it.sql("INSERT INTO t VALUES (3)");
      it.deploy();
      it.settle();
      assertThat(it.committed().history()).isEqualTo(before.history());
      assertThat(it.drift()).extracting(DriftEvent::kind).containsExactly(Kind.INITIAL);
      assertThat(new HashSet<>(it.texts(it.name + ".public.t")))
          .containsExactlyInAnyOrder("0", "1", "2", "3");
    }
  }

  @Test
  void oneTaskIsMadeAndItsMetricsAreTheWorkers() throws Exception {
    try (Deployment it = deployment()) {
      it.with("tasks.max", "3").with("feed.lag.interval.ms", "1000");
      it.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      it.deploy();
      assertThat(it.rest().status(it.name).tasks()).hasSize(1);
      it.sql("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
      it.sql("ALTER TABLE t DROP v", "INSERT INTO t VALUES (3)");
      it.settle();
      it.until(() -> metric(it, "changes-total", "") == 3);
      assertThat(metric(it, "tables", "")).isEqualTo(1);
      assertThat(metric(it, "shapes", "")).isEqualTo(2);
      assertThat(metric(it, "drift-total", "kind=shape_changed")).isEqualTo(1);
      assertThat(metric(it, "drift-total", "kind=gap")).isZero();
      it.until(() -> metric(it, "skipped-total", "reason=message") > 0);
      it.until(() -> metric(it, "slot-lag-bytes", "") >= 0);
      it.until(() -> metric(it, "queue-records", "") == 0);
      assertThat(metric(it, "heartbeats-total", "")).isPositive();
    }
  }

  /** A gauge's value in the worker's JMX. */
  private static long metric(Deployment it, String name, String tag) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName bean : server.queryNames(new ObjectName("kafka.connect:*"), null)) {
      String names = bean.getCanonicalName();
      if (names.contains("connector=" + it.name) && (tag.isEmpty() || names.contains(tag))) {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
          if (attribute.getName().equals(name)) {
            return ((Number) server.getAttribute(bean, name)).longValue();
          }
        }
      }
    }
    throw new AssertionError("no gauge " + name + " " + tag);
  }

  @Test
  void theSlotIsNeverConfirmedPastTheCommittedOffset() throws Exception {
    try (Deployment it = deployment()) {
      it.with("status.update.interval.ms", "100");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.deploy();
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService writer = Executors.newSingleThreadExecutor();
      Future<Integer> written = writer.submit(() -> write(it, stop));
      it.until(() -> it.offset().isPresent());
      Lsn first = it.confirmed();
      Lsn confirmed = first;
      for (int i = 0; i < 200; i++) {
        confirmed = it.confirmed();
        // Read after: the offset may have moved on in between, never back.
        assertThat(it.committed().resume().compareTo(confirmed)).isNotNegative();
      }
      Lsn moved = confirmed;
      it.until(() -> it.confirmed().compareTo(moved) > 0);
      stop.set(true);
      int rows = written.get();
      writer.shutdown();
      assertThat(it.confirmed().compareTo(first)).isPositive();
      it.settle();
      assertThat(new HashSet<>(it.texts(it.name + ".public.t"))).isEqualTo(numbers(0, rows));
    }
  }

  /** O4: what is no change is counted, carries no key and holds nothing up. */
  @Test
  void transactionsMessagesAndHeartbeatsAreNoKeys() throws Exception {
    try (Deployment it = deployment()) {
      it.with("provide.transaction.metadata", "true");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.deploy();
      it.sql("INSERT INTO t VALUES (1), (2)");
      it.query("SELECT pg_logical_emit_message(false, 'aside', 'x')");
      it.query("SELECT pg_logical_emit_message(true, 'aside', 'x')");
      it.sql("TRUNCATE t", "INSERT INTO t VALUES (3)");
      it.settle();
      assertThat(it.texts(it.name + ".public.t")).containsExactly("1", "2", "3");
      assertThat(metric(it, "skipped-total", "reason=transaction_metadata")).isPositive();
      assertThat(metric(it, "skipped-total", "reason=truncate")).isEqualTo(1);
      it.stop();
      it.resume();
      it.sql("INSERT INTO t VALUES (4)");
      it.settle();
      assertThat(it.texts(it.name + ".public.t")).contains("4");
    }
  }

  @Test
  void whatHasNoRecordStillMovesOffsetAndSlot() throws Exception {
    try (Deployment it = deployment()) {
      it.with("table.include.list", "public\\.t");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE other (id int)");
      it.deploy();
      it.sql("INSERT INTO other SELECT generate_series(1, 10000)");
      Lsn end = it.walEnd();
      it.until(() -> it.confirmed().hasPassed(end));
      assertThat(it.payloads(it.name + ".heartbeat"))
          .isNotEmpty()
          .allSatisfy(beat -> assertThat(beat).containsOnlyKeys("v", "ts_ms", "lsn"));
    }
  }

  @Test
  void aSlotThatWasDroppedBeforeTheFirstChangeIsMissed() throws Exception {
    try (Deployment it = deployment()) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.deploy();
      it.until(() -> it.offset().isPresent());
      it.stop();
      it.until(() -> "false".equals(it.slot("active::text")));
      it.query("SELECT pg_drop_replication_slot('" + it.config.get("slot.name") + "')");
      it.sql("INSERT INTO t VALUES (1)");
      it.rest().resume(it.name);
      String trace = it.rest().awaitFailed(it.name).tasks().get(0).trace();
      assertThat(trace).contains("does not exist").contains("drift.accept.gap");
      it.with("drift.accept.gap", "true");
      it.rest().deploy(it.name, it.config);
      it.until(() -> "true".equals(it.slot("active::text")));
      it.sql("INSERT INTO t VALUES (2)");
      it.settle();
      assertThat(it.drift()).extracting(DriftEvent::kind).contains(Kind.GAP);
      assertThat(it.texts(it.name + ".public.t")).containsExactly("2");
    }
  }

  private static Set<String> numbers(int from, int to) {
    return new HashSet<>(IntStream.range(from, to).mapToObj(Integer::toString).toList());
  }

  private static int write(Deployment it, AtomicBoolean stop) throws SQLException {
    try (Connection connection = it.server.connect(it.database);
        Statement statement = connection.createStatement()) {
      int id = 0;
      while (!stop.get()) {
        statement.execute("INSERT INTO t VALUES (" + id + ")");
        id++;
      }
      return id;
    }
  }
}
