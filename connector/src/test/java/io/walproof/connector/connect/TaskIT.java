package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.engine.Servers;
import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that dies between any two steps loses nothing and tells drift once (A to E). */
@Timeout(300)
class TaskIT {

  @Test
  void aDeathBeforeTheFirstOffsetLosesNothingAndIsNoGap() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.start();
      it.awaitStreaming();
      it.sql("INSERT INTO t VALUES (1), (2)");
      assertThat(HostedTask.texts(it.pollUntil(2))).containsExactly("1", "2");
      it.stop();
      // Nothing was committed: all that there is is the slot.
      it.sql("INSERT INTO t VALUES (3)");
      it.start();
      List<SourceRecord> records = it.pollUntil(3);
      assertThat(HostedTask.texts(records)).containsExactly("1", "2", "3");
      assertThat(HostedTask.on(records, ".drift")).hasSize(1);
      assertThat(kind(HostedTask.on(records, ".drift").get(0))).isEqualTo("initial");
    }
  }

  @Test
  void theFirstPositionIsCarriedByARecordOfItsOwn() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.start();
      List<SourceRecord> records = new ArrayList<>();
      await()
          .until(
              () -> {
                records.addAll(it.poll());
                return !records.isEmpty();
              });
      assertThat(records.get(0).topic()).endsWith(".heartbeat");
      assertThat(records.get(0).sourceOffset().get("lsn"))
          .isEqualTo(Lsn.parse(it.slot("confirmed_flush_lsn::text")).value());
    }
  }

  /** O1 and O2: whatever was committed of a COPY's records, the rest comes. */
  @Test
  void aDeathInTheMiddleOfACopyLosesNothing() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("max.batch.size", "100").with("max.queue.size", "200");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.start();
      it.awaitStreaming();
      it.sql(
          "SELECT pg_logical_emit_message(true, 'marker', '')",
          "INSERT INTO t SELECT generate_series(1, 10000)",
          "SELECT pg_logical_emit_message(true, 'marker', '')",
          "INSERT INTO t VALUES (10001)");
      Set<String> written = new HashSet<>();
      int drift = 0;
      for (int part : new int[] {1, 137, 5000}) {
        List<SourceRecord> records = it.pollUntil(part);
        // Everything up to here was written and its offset committed; the rest dies with the task.
        List<SourceRecord> sent = records.subList(0, indexOfChange(records, part) + 1);
        it.commit(sent.get(sent.size() - 1));
        written.addAll(HostedTask.texts(sent));
        drift += HostedTask.on(sent, ".drift").size();
        it.stop();
        it.start();
      }
      List<SourceRecord> rest = it.pollUntil(10_001 - written.size());
      written.addAll(HostedTask.texts(rest));
      while (!written.contains("10001")) {
        written.addAll(HostedTask.texts(it.poll()));
      }
      assertThat(written).isEqualTo(numbers(1, 10_001));
      assertThat(drift + HostedTask.on(rest, ".drift").size()).isEqualTo(1);
    }
  }

  /** D12, with the death at every place around the decision. */
  @Test
  void anAlterInATransactionIsToldOnceHoweverOftenTheTaskDies() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY, v varchar(10))");
      it.start();
      it.awaitStreaming();
      it.sql("INSERT INTO t VALUES (0)");
      List<SourceRecord> first = it.pollUntil(1);
      it.commit(first.get(first.size() - 1));
      transaction(
          it,
          "INSERT INTO t VALUES (1)",
          "INSERT INTO t VALUES (2)",
          "ALTER TABLE t ALTER v TYPE varchar(20)",
          "INSERT INTO t VALUES (3)",
          "INSERT INTO t VALUES (4)");
      List<SourceRecord> records = it.pollUntil(4);
      assertThat(records.stream().filter(each -> !each.topic().endsWith(".heartbeat")))
          .extracting(SourceRecord::topic)
          .containsSubsequence(
              it.database + ".public.t",
              it.database + ".public.t",
              it.database + ".drift",
              it.database + ".public.t",
              it.database + ".public.t");
      int decision = indexOf(records, ".drift");
      for (int dies = 0; dies < records.size(); dies++) {
        it.stop();
        it.commit(records.get(dies));
        it.start();
        List<SourceRecord> again = it.pollUntil(4);
        Set<String> all = new HashSet<>(HostedTask.texts(records.subList(0, dies + 1)));
        all.addAll(HostedTask.texts(again));
        assertThat(all).contains("1", "2", "3", "4");
        long told = HostedTask.on(again, ".drift").size();
        // Once the deciding change is written, the event is not told again.
        assertThat(told).as("died after record %d", dies).isEqualTo(dies > decision ? 0 : 1);
      }
    }
  }

  @Test
  void aSnapshotThatDiesBeginsAgainAndTheStreamFollows() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("snapshot.mode", "initial").with("max.batch.size", "100");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 500)");
      it.start();
      List<SourceRecord> part = it.pollUntil(100);
      it.commit(part.get(part.size() - 1));
      it.stop();
      it.sql("INSERT INTO t VALUES (501)");
      it.start();
      List<SourceRecord> records = it.pollUntil(501);
      assertThat(new HashSet<>(HostedTask.texts(records))).isEqualTo(numbers(1, 501));
      it.commit(records.get(records.size() - 1));
      it.stop();
      it.sql("INSERT INTO t VALUES (502)");
      it.start();
      List<SourceRecord> streamed = it.pollUntil(1);
      assertThat(HostedTask.texts(streamed)).contains("502").doesNotContain("7");
    }
  }

  @Test
  void aStopEndsWhileNobodyPolls() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("feed.queue.max", "10").with("max.batch.size", "10").with("max.queue.size", "20");
      it.with("drift.shutdown.timeout.ms", "5000");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      it.start();
      it.awaitStreaming();
      it.sql("INSERT INTO t SELECT generate_series(1, 10000)");
      String bean = "io.walproof:type=source,connector=" + it.database + ",task=0";
      await().until(() -> queued(bean) >= 10);
      it.stop();
      await().atMost(Duration.ofMinutes(3)).until(() -> "false".equals(it.slot("active::text")));
    }
  }

  @Test
  void aStopEndsWhileTheStartWaitsForTheServer() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("drift.shutdown.timeout.ms", "1000").with("drift.start.timeout.ms", "20000");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      try (Connection connection = it.server.connect(it.database);
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        // A new slot waits for every transaction that is open.
        statement.execute("INSERT INTO t VALUES (1)");
        it.start();
        await()
            .until(
                () ->
                    it.poll().isEmpty()
                        && "creating"
                            .equals(
                                it.slot(
                                    "CASE WHEN confirmed_flush_lsn IS NULL THEN 'creating' END")));
        Thread stopper = new Thread(it::stop);
        stopper.start();
        stopper.join(60_000);
        assertThat(stopper.isAlive()).isFalse();
        connection.rollback();
      }
    }
  }

  @Test
  void aStartIsTriedAgainWhileTheSourceIsAway() throws Exception {
    try (PostgresServer server = PostgresServer.start(Servers.NEWEST);
        HostedTask it = new HostedTask(server)) {
      it.with("drift.retry.wait.ms", "200").with("drift.retry.max", "1000");
      it.sql("CREATE TABLE t (id int PRIMARY KEY)");
      server.stop();
      it.start();
      for (int i = 0; i < 5; i++) {
        assertThat(it.poll()).isEmpty();
      }
      server.start();
      it.awaitStreaming();
      it.sql("INSERT INTO t VALUES (1)");
      assertThat(HostedTask.texts(it.pollUntil(1))).containsExactly("1");
    }
  }

  /** As after a worker was cut off from Kafka, but not from the source. */
  @Test
  void aStartIsTriedAgainWhileAnotherTaskHasTheSlot() throws Exception {
    try (HostedTask former = new HostedTask(Servers.newest());
        HostedTask it = new HostedTask(former)) {
      it.with("drift.slot.wait.ms", "100").with("drift.retry.wait.ms", "100");
      it.with("drift.retry.max", "1000");
      former.sql("CREATE TABLE t (id int PRIMARY KEY)");
      former.start();
      await().until(() -> "true".equals(former.slot("active::text")));
      former.sql("INSERT INTO t VALUES (1)");
      List<SourceRecord> first = former.pollUntil(1);
      former.commit(first.get(first.size() - 1));
      it.start();
      for (int i = 0; i < 10; i++) {
        assertThat(it.poll()).isEmpty();
      }
      former.stop();
      former.sql("INSERT INTO t VALUES (2)");
      assertThat(HostedTask.texts(it.pollUntil(1))).contains("2");
    }
  }

  @Test
  void theRetriesAreBoundedAndTheFailureSaysWhy() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("drift.retry.wait.ms", "10").with("drift.retry.max", "2");
      it.with("database.port", "1").with("database.password", "s3cr3t");
      it.start();
      assertThatThrownBy(() -> it.pollUntil(1))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("database.hostname")
          .message()
          .doesNotContain("s3cr3t");
    }
  }

  @Test
  void whatIsNoMatterOfTimeIsNotTriedAgain() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("table.include.list", "public\\.nowhere");
      it.start();
      assertThatThrownBy(() -> it.pollUntil(1)).hasStackTraceContaining("table.include.list names");
    }
  }

  private static void transaction(HostedTask it, String... statements) throws Exception {
    try (Connection connection = it.server.connect(it.database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    }
  }

  private static long queued(String bean) throws Exception {
    ObjectName name = new ObjectName(bean);
    return ((Number) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "queue-records"))
        .longValue();
  }

  private static String kind(SourceRecord drift) {
    return ((Struct) drift.value()).getString("kind");
  }

  private static int indexOf(List<SourceRecord> records, String suffix) {
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).topic().endsWith(suffix)) {
        return i;
      }
    }
    throw new AssertionError("no record on " + suffix);
  }

  private static int indexOfChange(List<SourceRecord> records, int number) {
    int seen = 0;
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).valueSchema() == ChangedKeyData.VALUE) {
        seen++;
        if (seen == number) {
          return i;
        }
      }
    }
    throw new AssertionError("fewer than " + number + " changes");
  }

  private static Set<String> numbers(int from, int to) {
    return new HashSet<>(IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList());
  }
}
