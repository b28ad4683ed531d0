package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.FilePositionStore;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionFile;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The slot's state before each start (case O3), and at a restart of Debezium's own. */
class SlotIT {

  @ParameterizedTest(name = "missing slot on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aDroppedSlotIsRefusedAndAnAcceptedGapIsNamed(int major) throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.of(major))) {
      Lsn stored = fixture.durable();
      String history = PositionFile.read(fixture.file).orElseThrow().history().json();
      fixture.dropSlot();
      fixture.sql("INSERT INTO t VALUES (2)");
      assertRefused(fixture, Reason.GAP, "does not exist", stored.toString(), "drift.accept.gap");
      assertThat(fixture.durable()).isEqualTo(stored);
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
      assertThat(captured.realDrift().get(0).detail()).contains(stored.toString());
      assertThat(captured.texts("public.t")).containsExactly("3");
      assertThat(captured.lastPosition().history().json()).isEqualTo(history);
      fixture.stop();
      captured = fixture.start();
      fixture.settle();
      assertThat(captured.realDrift()).isEmpty();
    }
  }

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aTableThatFellOutOfThePublicationIsAGap(int major) throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.of(major))) {
      fixture.sql(
          "DROP TABLE t",
          "CREATE TABLE t (id int PRIMARY KEY, v text)",
          "INSERT INTO t VALUES (2)");
      assertRefused(fixture, Reason.GAP, "lacks public.t", "drift.accept.gap");
      assertThat(fixture.query("SELECT count(*) FROM pg_publication_tables")).isEqualTo("0");
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.realDrift())
          .extracting(DriftEvent::kind)
          .containsExactly(Kind.GAP, Kind.TABLE_RECREATED);
      assertThat(captured.realDrift().get(0).table()).hasToString("Optional[public.t]");
      assertThat(captured.texts("public.t")).containsExactly("3");
    }
  }

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void aPublicationThatIsMadeAfterTheSlotIsAGap(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      fixture.query(
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      fixture.sql("INSERT INTO t VALUES (1)");
      assertRefused(fixture, Reason.GAP, "is older than publication.name", "drift.accept.gap");
      assertThat(fixture.query("SELECT count(*) FROM pg_publication")).isEqualTo("0");
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
      assertThat(captured.realDrift().get(0).detail()).contains("were not published");
      assertThat(captured.texts("public.t")).containsExactly("2");
      fixture.stop();

      // Dropped and so missing later on: the same, for the stored position.
      fixture.sql("DROP PUBLICATION walproof", "INSERT INTO t VALUES (3)");
      assertRefused(fixture, Reason.GAP, "is older than publication.name", "drift.accept.gap");
      Captured next = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (4)");
      fixture.settle();
      assertThat(next.realDrift()).extracting(DriftEvent::kind).contains(Kind.GAP);
      assertThat(next.texts("public.t")).containsExactly("4");
    }
  }

  @Test
  void aPublicationThatSomebodyMadeAfterTheSlotIsAGapOnTheServersThatPassOverIt() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      fixture.query(
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      fixture.sql("INSERT INTO t VALUES (1)", "CREATE PUBLICATION walproof FOR TABLE t");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
      assertThat(captured.realDrift().get(0).detail()).contains("was made");
      assertThat(captured.realDrift().get(0).lsn())
          .as("verdicts begin after it")
          .isGreaterThan(captured.realDrift().get(0).from().orElseThrow());
      assertThat(captured.texts("public.t")).containsExactly("2");
    }
  }

  @Test
  void aPublicationThatSomebodyMadeAfterTheSlotEndsTheStreamOfOlderServersWithTheWayOut()
      throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(16))) {
      fixture.with("errors.max.retries", "0");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      fixture.query(
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      fixture.sql("INSERT INTO t VALUES (1)", "CREATE PUBLICATION walproof FOR TABLE t");
      fixture.start();
      CaptureException failure = fixture.awaitFailure();
      assertThat(failure.reason()).isEqualTo(Reason.PUBLICATION);
      assertThat(failure)
          .hasMessageContainingAll("before publication.name was made", "--accept-gap");
      fixture.stop();
      fixture.dropSlot();
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("2");
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
    }
  }

  @Test
  void aSlotCreatedAgainIsAheadAndRefused() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      fixture.dropSlot();
      fixture.sql(
          "INSERT INTO t VALUES (2)",
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      assertRefused(
          fixture,
          Reason.GAP,
          "ahead of the stored position",
          fixture.durable().toString(),
          fixture.confirmed().toString());
    }
  }

  @Test
  void anAcceptedGapThatWasNotMadeDurableIsAGapAgain() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      fixture.dropSlot();
      Captured captured =
          fixture.start(CaptureSettings.of(fixture.settings).acceptGap(), false, 1_000_000);
      fixture.settle();
      assertThat(captured.realDrift()).hasSize(1);
      DriftEvent told = captured.realDrift().get(0);
      fixture.stop();
      assertRefused(fixture, Reason.GAP, "drift.accept.gap");
      // The slot is another one by now, and so are its end and its reason.
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.query(
          "SELECT pg_replication_slot_advance('" + fixture.slot + "', pg_current_wal_lsn())");
      Captured again = fixture.startAcceptingTheGap();
      fixture.settle();
      assertThat(again.realDrift()).hasSize(1);
      DriftEvent gap = again.realDrift().get(0);
      assertThat(gap.from()).as("it begins where it began").isEqualTo(told.from()).isPresent();
      assertThat(gap.lsn()).isGreaterThan(told.lsn());
      assertThat(gap.detail()).isNotEqualTo(told.detail());
    }
  }

  @Test
  void aSlotThatVanishesWhileDebeziumReconnectsEndsTheCapture() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      fixture.with("retriable.restart.connector.wait.ms", "1000");
      fixture.start();
      fixture.settle();
      fixture.query(
          "SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots"
              + " WHERE slot_name = '"
              + fixture.slot
              + "'");
      fixture.dropSlot();
      await().atMost(CaptureFixture.PATIENCE).until(() -> fixture.engine().failure().isPresent());
      assertThat(fixture.engine().failure().orElseThrow())
          .isInstanceOfSatisfying(
              CaptureException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GAP));
      assertThat(fixture.engine().running()).isFalse();
      assertThat(
              fixture.query(
                  "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                      + fixture.slot
                      + "'"))
          .isEqualTo("0");
    }
  }

  @Test
  void aSlotOfAnotherPluginOrDatabaseIsRefused() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'test_decoding')");
      assertRefused(fixture, Reason.SLOT, "test_decoding", "slot.name");
      fixture.dropSlot();
      fixture.server.execute(
          "postgres",
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      assertRefused(fixture, Reason.SLOT, "'postgres'", "slot.name");
    }
  }

  @Test
  void aSlotInUseIsWaitedForAndThenRefused() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest());
        CaptureFixture other = new CaptureFixture(fixture.server)) {
      fixture.start();
      fixture.settle();
      other.settings.putAll(fixture.settings);
      other.with("drift.slot.wait.ms", "300");
      assertRefused(other, Reason.SLOT_IN_USE, "is in use", "slot.name");
      other.settings.remove("slot.name");
      other.with("slot.name", other.slot);
    }
  }

  @Test
  void aPositionOfAnotherClusterIsRefused() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      Position position = PositionFile.read(fixture.file).orElseThrow();
      FilePositionStore.open(fixture.file)
          .write(
              new Position(
                  Map.of("lsn", 1L),
                  position.resume(),
                  ChangeOrdinal.NONE,
                  position.history(),
                  WalOrigin.of("42")));
      assertRefused(fixture, Reason.POSITION, "42", position.systemIdentifier());
    }
  }

  @Test
  void aLostSlotIsRefusedAndReplacedWhenTheGapIsAccepted() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder()
                .major(Servers.NEWEST)
                .setting("max_slot_wal_keep_size", "1MB")
                .setting("max_wal_size", "32MB")
                .setting("min_wal_size", "32MB")
                .start();
        CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(server)) {
      for (int i = 0; i < 4; i++) {
        fixture.sql("SELECT pg_switch_wal()", "INSERT INTO t VALUES (" + (100 + i) + ")");
        fixture.sql("CHECKPOINT");
      }
      await()
          .atMost(CaptureFixture.PATIENCE)
          .until(
              () -> {
                fixture.sql("SELECT pg_switch_wal()", "UPDATE t SET v = 'x'", "CHECKPOINT");
                return "lost"
                    .equals(
                        fixture.query(
                            "SELECT wal_status FROM pg_replication_slots WHERE slot_name = '"
                                + fixture.slot
                                + "'"));
              });
      assertRefused(fixture, Reason.GAP, "drift.accept.gap", fixture.durable().toString());
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (9)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("9");
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
    }
  }

  @Test
  void aCrashBetweenSlotAndPositionLosesNothing() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "CREATE PUBLICATION walproof FOR TABLE t",
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')",
          "INSERT INTO t VALUES (1)");
      Captured captured = fixture.start();
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("1");
      assertThat(captured.realDrift()).isEmpty();
    }
  }

  @Test
  void aLostPositionIsToldOnceWhereAnEarlierCaptureLeftItsReading() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest()).keepingCatalog()) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)").start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      fixture.stop();
      Files.delete(fixture.file);
      fixture.sql("ALTER TABLE t ADD v int", "INSERT INTO t VALUES (2)");
      // What is told and not made durable is told again.
      for (boolean durable : new boolean[] {false, true}) {
        Captured captured = fixture.start(durable, 1_000_000);
        fixture.settle();
        assertThat(captured.drift())
            .extracting(DriftEvent::kind)
            .containsExactly(Kind.BASELINE_LOST, Kind.INITIAL);
        DriftEvent lost = captured.drift().get(0);
        assertThat(lost.isGap()).as("the slot has all changes").isFalse();
        assertThat(lost.detail()).contains("its position is lost", lost.lsn().toString());
        assertThat(captured.texts("public.t")).contains("2");
        fixture.stop();
      }
      Captured quiet = fixture.start();
      fixture.settle();
      assertThat(quiet.drift()).isEmpty();
    }
  }

  @Test
  void aFirstStartWritesItsPositionBeforeAnythingIsDelivered() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)");
      fixture.start(false, 0);
      assertThat(fixture.durable()).isEqualTo(fixture.confirmed());
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.stop();
      Captured captured = fixture.start();
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("1");
    }
  }

  @Test
  void aSnapshotDeliversReadsAndThenChanges() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("snapshot.mode", "initial");
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY, v text)",
          "INSERT INTO t SELECT generate_series(1, 100)");
      Captured captured = fixture.start();
      fixture.until(() -> captured.texts("public.t").size() >= 100);
      fixture.sql("INSERT INTO t VALUES (101)");
      fixture.settle();
      assertThat(captured.keys().subList(0, 100)).allMatch(key -> key.shape() == null);
      assertThat(captured.texts("public.t")).hasSize(101).endsWith("101");
      fixture.stop();
      Captured again = fixture.start();
      fixture.sql("INSERT INTO t VALUES (102)");
      fixture.settle();
      assertThat(again.realDrift()).isEmpty();
      assertThat(again.texts("public.t")).contains("102").hasSizeLessThan(100);
    }
  }

  @Test
  void closeIsBoundedAlsoWhenTheListenerHangs() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("drift.shutdown.timeout.ms", "1000");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)");
      FilePositionStore store = FilePositionStore.open(fixture.file);
      Object never = new Object();
      boolean[] release = new boolean[1];
      CaptureEngine engine =
          CaptureEngine.start(
              CaptureSettings.of(fixture.settings),
              store,
              batch -> ignoreInterrupts(never, release),
              io.walproof.contract.Time.system());
      fixture.sql("INSERT INTO t VALUES (1)");
      long start = System.nanoTime();
      engine.close();
      engine.close();
      assertThat(System.nanoTime() - start).isLessThan(CaptureFixture.PATIENCE.toNanos());
      assertThat(engine.running()).isFalse();
      synchronized (never) {
        release[0] = true;
        never.notifyAll();
      }
    }
  }

  @Test
  void aFailingListenerEndsTheCapture() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)");
      CaptureEngine engine =
          CaptureEngine.start(
              CaptureSettings.of(fixture.settings),
              FilePositionStore.open(fixture.file),
              batch -> {
                for (Delivery delivery : batch) {
                  if (delivery.key().isPresent()) {
                    throw new CaptureException(Reason.ENGINE, "no room left");
                  }
                }
              },
              io.walproof.contract.Time.system());
      fixture.sql("INSERT INTO t VALUES (1)");
      await().atMost(CaptureFixture.PATIENCE).until(() -> engine.failure().isPresent());
      assertThat(engine.failure().orElseThrow()).hasMessage("no room left");
      await().atMost(CaptureFixture.PATIENCE).until(() -> !engine.running());
      engine.close();
    }
  }

  @SuppressWarnings("WaitNotInLoop")
  private static void ignoreInterrupts(Object never, boolean[] release) {
    synchronized (never) {
      while (!release[0]) {
        try {
          never.wait();
        } catch (InterruptedException e) {
          // This listener hangs whatever is done to it.
        }
      }
    }
  }

  private static void assertRefused(CaptureFixture fixture, Reason reason, String... parts) {
    assertThatThrownBy(fixture::start)
        .isInstanceOfSatisfying(
            CaptureException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .message()
        .contains(parts);
  }
}
