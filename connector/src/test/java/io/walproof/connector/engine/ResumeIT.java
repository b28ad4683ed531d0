package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is lost and nothing is invented over restarts (invariants C, D and E). */
class ResumeIT {

  @ParameterizedTest(name = "O2 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void everyKeyOfACopyArrivesAlsoWhenStoppedInItsMiddle(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.with("max.batch.size", "100");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      fixture.start();
      fixture.sql("INSERT INTO t VALUES (0)");
      fixture.settle();
      fixture.stop();
      copy(fixture, 10_000);
      Set<String> seen = new HashSet<>(fixture.captured.texts("public.t"));
      for (int stopAfter : new int[] {1, 137, 5_000}) {
        Captured captured = fixture.start(true, stopAfter);
        fixture.until(() -> captured.all().size() >= stopAfter);
        fixture.stop();
        seen.addAll(captured.texts("public.t"));
        assertThat(captured.realDrift()).isEmpty();
      }
      assertThat(seen).hasSizeLessThan(10_001);
      Captured captured = fixture.start();
      fixture.settle();
      seen.addAll(captured.texts("public.t"));
      assertThat(seen).hasSize(10_001);
      assertThat(captured.drift()).isEmpty();
    }
  }

  @Test
  void aKeyChangeStoppedBetweenItsHalvesIsDeliveredWhole() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("max.batch.size", "1").with("heartbeat.interval.ms", "60000");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)", "INSERT INTO t VALUES (1)");
      fixture.start();
      fixture.settle();
      fixture.stop();
      fixture.sql("UPDATE t SET id = 2", "INSERT INTO t VALUES (3)");
      Captured half = fixture.start(true, 2);
      fixture.until(() -> half.keys().size() == 1);
      assertThat(half.texts("public.t")).containsExactly("1");
      fixture.stop();
      Captured rest = fixture.start();
      fixture.settle();
      assertThat(rest.texts("public.t")).contains("2", "3");
    }
  }

  @Test
  void interleavedTransactionsSurviveCleanRestarts() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("heartbeat.interval.ms", "50");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Set<String> seen = new HashSet<>();
      fixture.start();
      try (Connection one = fixture.server.connect(fixture.database);
          Connection two = fixture.server.connect(fixture.database);
          Statement first = one.createStatement();
          Statement second = two.createStatement()) {
        one.setAutoCommit(false);
        two.setAutoCommit(false);
        for (int round = 0; round < 5; round++) {
          first.execute("INSERT INTO t VALUES (" + (10 * round) + ")");
          second.execute("INSERT INTO t VALUES (" + (10 * round + 1) + ")");
          first.execute("INSERT INTO t VALUES (" + (10 * round + 2) + ")");
          two.commit();
          fixture.settle();
          seen.addAll(fixture.captured.texts("public.t"));
          fixture.stop();
          second.execute("INSERT INTO t VALUES (" + (10 * round + 3) + ")");
          one.commit();
          fixture.start();
          fixture.settle();
          seen.addAll(fixture.captured.texts("public.t"));
          assertThat(fixture.captured.realDrift()).isEmpty();
        }
        two.commit();
      }
      fixture.settle();
      seen.addAll(fixture.captured.texts("public.t"));
      assertThat(seen).hasSize(20);
    }
  }

  /** So an event's LSN does not tell whether a restart brings it again. */
  @Test
  void driftInATransactionThatWasOpenLiesBeforeTheDurablePositionAndComesAgain() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
      fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      try (Connection connection = fixture.server.connect(fixture.database);
          Statement open = connection.createStatement()) {
        connection.setAutoCommit(false);
        open.execute("ALTER TABLE t ADD w int");
        open.execute("INSERT INTO t VALUES (2, 2)");
        fixture.sql("INSERT INTO s VALUES (1)");
        fixture.settle();
        fixture.stop();
        connection.commit();
      }
      Lsn durable = fixture.durable();
      Captured killed = fixture.start(false, 1_000_000);
      fixture.settle();
      fixture.stop();
      assertThat(fixture.durable()).isEqualTo(durable);
      Captured again = fixture.start();
      fixture.settle();
      assertThat(again.realDrift()).hasSize(1).isEqualTo(killed.realDrift());
      assertThat(again.realDrift().get(0).lsn()).isLessThan(durable);
    }
  }

  @ParameterizedTest(name = "ten restarts under load on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void tenRestartsUnderLoadLoseNothingAndAreQuiet(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql("CREATE TABLE a (id int PRIMARY KEY, v text)");
      fixture.sql("CREATE TABLE b (id int PRIMARY KEY, v text)");
      Set<String> seen = new HashSet<>();
      List<Object> drift = new ArrayList<>();
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService writer = Executors.newSingleThreadExecutor();
      // What was written before the slot existed is nobody's business.
      fixture.start();
      fixture.stop();
      Future<Integer> written = writer.submit(() -> write(fixture, stop));
      for (int i = 0; i < 10; i++) {
        Captured captured = fixture.start();
        int target = 200 + 50 * i;
        fixture.until(() -> captured.keys().size() >= target);
        fixture.stop();
        assertThat(captured.realDrift()).isEmpty();
        drift.addAll(captured.drift());
        captured.keys().forEach(key -> seen.add(key.table().name() + key.key().texts()));
      }
      stop.set(true);
      int rows = written.get();
      writer.shutdown();
      Captured captured = fixture.start();
      fixture.settle();
      captured.keys().forEach(key -> seen.add(key.table().name() + key.key().texts()));
      drift.addAll(captured.drift());
      assertThat(seen).hasSize(2 * rows);
      // The two baselines, once.
      assertThat(drift).hasSize(2);
    }
  }

  @ParameterizedTest(name = "invariant C on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void theSlotIsNeverConfirmedPastTheFile(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.with("heartbeat.interval.ms", "100").with("status.update.interval.ms", "100");
      fixture.sql("CREATE TABLE a (id int PRIMARY KEY, v text)");
      fixture.sql("CREATE TABLE b (id int PRIMARY KEY, v text)");
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService writer = Executors.newSingleThreadExecutor();
      // Positions become durable only when the test says so, and late.
      Captured captured = fixture.start(false, Integer.MAX_VALUE);
      Lsn first = fixture.durable();
      Future<Integer> written = writer.submit(() -> write(fixture, stop));
      int checks = 0;
      int durable = 0;
      Lsn confirmed = fixture.confirmed();
      while (checks < 300) {
        confirmed = fixture.confirmed();
        // Read after: the file may have moved on in between, never back.
        assertThat(fixture.durable().compareTo(confirmed)).isNotNegative();
        checks++;
        if (checks % 10 == 0 && captured.all().size() > durable) {
          durable += (captured.all().size() - durable) / 2;
          fixture.write(captured.all().get(durable).position());
        }
      }
      stop.set(true);
      written.get();
      writer.shutdown();
      assertThat(confirmed.compareTo(first)).isPositive();
    }
  }

  @ParameterizedTest(name = "idle slot on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void writesToAnUnpublishedTableStillMoveTheSlot(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.with("table.include.list", "public.t").with("heartbeat.interval.ms", "200");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE other (id int)");
      Captured captured = fixture.start();
      Lsn before = fixture.confirmed();
      fixture.sql("INSERT INTO other SELECT generate_series(1, 10000)");
      Lsn written = Lsn.parse(fixture.query("SELECT pg_current_wal_lsn()"));
      assertThat(written.compareTo(before)).isPositive();
      fixture.until(() -> fixture.confirmed().hasPassed(written));
      assertThat(captured.keys()).isEmpty();
    }
  }

  @Test
  void aBrokenConnectionIsMendedWithoutLossOrDrift() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("retriable.restart.connector.wait.ms", "200");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t SELECT generate_series(1, 500)");
      fixture.until(() -> captured.texts("public.t").size() >= 500);
      for (int round = 1; round <= 3; round++) {
        fixture.query(
            "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
                + fixture.slot
                + "'");
        int from = 500 * round + 1;
        fixture.sql("INSERT INTO t SELECT generate_series(" + from + ", " + (from + 499) + ")");
        int expected = from + 499;
        fixture.until(() -> new HashSet<>(captured.texts("public.t")).size() >= expected);
      }
      assertThat(new HashSet<>(captured.texts("public.t")))
          .isEqualTo(
              new HashSet<>(IntStream.rangeClosed(1, 2000).mapToObj(Integer::toString).toList()));
      assertThat(captured.drift()).hasSize(1);
      assertThat(fixture.engine().running()).isTrue();
    }
  }

  @Test
  void aRestartOfTheServerIsSurvived() throws Exception {
    try (PostgresServer server = PostgresServer.start(Servers.NEWEST);
        CaptureFixture fixture = new CaptureFixture(server)) {
      fixture.with("retriable.restart.connector.wait.ms", "500");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t SELECT generate_series(1, 100)");
      fixture.settle();
      server.stop();
      server.start();
      fixture.sql("INSERT INTO t SELECT generate_series(101, 200)");
      fixture.until(() -> new HashSet<>(captured.texts("public.t")).size() == 200);
      assertThat(captured.drift()).hasSize(1);
    }
  }

  private static int write(CaptureFixture fixture, AtomicBoolean stop) throws Exception {
    try (Connection connection = fixture.server.connect(fixture.database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      int id = 0;
      while (!stop.get()) {
        statement.execute("INSERT INTO a VALUES (" + id + ", 'x')");
        statement.execute("INSERT INTO b VALUES (" + id + ", 'x')");
        connection.commit();
        id++;
      }
      return id;
    }
  }

  private static void copy(CaptureFixture fixture, int rows) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= rows; i++) {
      text.append(i).append("\tvalue\n");
    }
    try (Connection connection = fixture.server.connect(fixture.database)) {
      connection
          .unwrap(org.postgresql.PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY t FROM STDIN", new java.io.StringReader(text.toString()));
    }
  }
}
