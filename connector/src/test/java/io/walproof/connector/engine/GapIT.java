package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * An accepted gap is told whatever ends the start in between; what is no gap is not called one.
 *
 * <p>Mutations made by hand and seen to fail: nothing is kept before the source is changed (both
 * crashes here, and {@code GapTaskIT}); the slot is not made again (the open transaction here).
 */
class GapIT {

  @Test
  void aCrashBetweenCompletingThePublicationAndTellingLosesNoGap() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      Lsn stored = fixture.durable();
      fixture.sql(
          "DROP TABLE t",
          "CREATE TABLE t (id int PRIMARY KEY, v text)",
          "INSERT INTO t VALUES (2)");
      crashBeforeAnythingIsDelivered(fixture);
      assertThat(fixture.query("SELECT count(*) FROM pg_publication_tables")).isEqualTo("1");
      assertThat(PositionFile.read(fixture.file).orElseThrow().unpublished())
          .hasToString("[public.t]");

      // Nothing on the source shows it any more, and nobody accepts anything again.
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.realDrift())
          .extracting(DriftEvent::kind)
          .containsExactly(Kind.GAP, Kind.TABLE_RECREATED);
      DriftEvent gap = captured.realDrift().get(0);
      assertThat(gap.table()).hasToString("Optional[public.t]");
      assertThat(gap.detail()).contains("from " + stored + " to ", "verify-range");
      assertThat(gap.from()).contains(stored);
      assertThat(gap.lsn()).isGreaterThan(stored);
      assertThat(captured.texts("public.t")).containsExactly("3");
      fixture.stop();
      assertThat(PositionFile.read(fixture.file).orElseThrow().unpublished()).isEmpty();
      Captured again = fixture.start();
      fixture.settle();
      assertThat(again.drift()).isEmpty();
    }
  }

  @Test
  void aCrashAfterThePublicationWasMadeBehindAnOlderSlotLosesNoGap() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      fixture.query(
          "SELECT pg_create_logical_replication_slot('" + fixture.slot + "', 'pgoutput')");
      Lsn older = fixture.confirmed();
      fixture.sql("INSERT INTO t VALUES (1)");
      crashBeforeAnythingIsDelivered(fixture);
      assertThat(fixture.durable()).isEqualTo(older);
      assertThatThrownBy(fixture::start)
          .isInstanceOfSatisfying(
              CaptureException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GAP));
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
      assertThat(captured.realDrift().get(0).detail()).contains("from " + older + " to ");
      assertThat(captured.realDrift().get(0).from()).contains(older);
      assertThat(captured.texts("public.t")).containsExactly("2");
    }
  }

  @Test
  void aSlotThatSomebodyMovedIsRefusedWithBothLsns() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.query(
          "SELECT pg_replication_slot_advance('" + fixture.slot + "', pg_current_wal_lsn())");
      assertThatThrownBy(fixture::start)
          .hasMessageContainingAll(fixture.durable().toString(), fixture.confirmed().toString());
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("3");
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
      assertThat(captured.realDrift().get(0).detail()).contains("It concerns public.t");
    }
  }

  @Test
  void aSlotThatWasIdleForTooLongIsRefusedWithTheServersReason() throws Exception {
    try (CaptureFixture fixture = CaptureFixture.stoppedAfterOneInsert(Servers.newest())) {
      fixture.sql("ALTER SYSTEM SET idle_replication_slot_timeout = '1s'");
      try {
        fixture.sql("SELECT pg_reload_conf()");
        await()
            .atMost(CaptureFixture.PATIENCE)
            .until(
                () -> {
                  fixture.sql("CHECKPOINT");
                  return "idle_timeout"
                      .equals(
                          fixture.query(
                              "SELECT invalidation_reason FROM pg_replication_slots WHERE slot_name"
                                  + " = '"
                                  + fixture.slot
                                  + "'"));
                });
      } finally {
        fixture.sql("ALTER SYSTEM RESET idle_replication_slot_timeout", "SELECT pg_reload_conf()");
      }
      assertThatThrownBy(fixture::start)
          .hasMessageContainingAll("invalidated (idle_timeout)", fixture.durable().toString());
      Captured captured = fixture.startAcceptingTheGap();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("3");
      assertThat(captured.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
    }
  }

  /** The publication is older than the slot, whatever transactions were open meanwhile. */
  @Test
  void aTransactionThatWasOpenWhileTheSlotWasMadeIsNoGap() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      CompletableFuture<Captured> starting;
      try (Connection open = fixture.server.connect(fixture.database);
          Statement statement = open.createStatement()) {
        open.setAutoCommit(false);
        statement.execute("SELECT pg_current_xact_id()");
        starting = CompletableFuture.supplyAsync(fixture::start);
        await()
            .atMost(CaptureFixture.PATIENCE)
            .until(
                () ->
                    "1"
                        .equals(
                            fixture.query(
                                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                                    + fixture.slot
                                    + "'")));
        open.commit();
      }
      starting.join();
      fixture.stop();
      // As if the process had died before its first position was durable.
      Files.delete(fixture.file);
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      assertThat(captured.realDrift()).isEmpty();
      assertThat(captured.texts("public.t")).containsExactly("1");
    }
  }

  private static void crashBeforeAnythingIsDelivered(CaptureFixture fixture) {
    fixture.with("drift.shutdown.timeout.ms", "1000");
    fixture.start(CaptureSettings.of(fixture.settings).acceptGap(), true, 0);
    await().atMost(CaptureFixture.PATIENCE).until(() -> fixture.captured.offered() > 0);
    fixture.stop();
    assertThat(fixture.captured.all()).isEmpty();
    fixture.settings.remove("drift.shutdown.timeout.ms");
  }
}
