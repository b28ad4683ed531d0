package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.Standby;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Failovers on real servers: a promotion begins a timeline, and what was streamed may not be in it.
 */
class TimelineIT {

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aPromotionThatLostNothingIsQuietAndOneThatDidIsAGap(int major) throws Exception {
    try (PostgresServer primary = PostgresServer.start(major);
        CaptureFixture fixture = new CaptureFixture(primary)) {
      fixture.with("slot.failover", "true");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Captured first = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      assertThat(timelines(fixture)).isEqualTo("1");

      // The same server with all its WAL, promoted: the capture notices, the next one is quiet.
      primary.stop();
      Files.createFile(primary.dataDirectory().resolve("standby.signal"));
      primary.start();
      promote(primary);
      fixture.sql("INSERT INTO t VALUES (2)");
      assertThat(fixture.awaitFailure().reason()).isEqualTo(Reason.FAILOVER);
      assertThat(first.texts("public.t")).containsExactly("1");
      fixture.stop();
      Captured second = fixture.start();
      fixture.settle();
      assertThat(second.drift()).isEmpty();
      assertThat(second.texts("public.t")).contains("2");
      assertThat(timelines(fixture)).matches("1 [0-9A-F]+/[0-9A-F]+,2");
      fixture.stop();

      try (PostgresServer standby = Standby.of(primary)) {
        fixture.start();
        if (major >= 17) {
          synchronizeSlots(primary, standby, fixture);
        }
        disconnect(standby);
        fixture.sql("INSERT INTO t VALUES (3)");
        fixture.settle();
        fixture.stop();
        Lsn delivered = fixture.durable();
        promote(standby);
        Lsn left = left(standby);
        fixture.moveTo(standby);
        fixture.sql("INSERT INTO t VALUES (4)", "SELECT pg_switch_wal()");
        assertThat(delivered).isGreaterThan(left);
        // By LSNs alone nothing is wrong: the new WAL has passed the position.
        assertThat(Lsn.parse(query(standby, "SELECT pg_current_wal_insert_lsn()")))
            .isGreaterThan(delivered);

        assertThatThrownBy(fixture::start)
            .isInstanceOfSatisfying(
                CaptureException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GAP))
            .message()
            .contains("timeline 3", left.toString(), delivered.toString(), "drift.accept.gap");
        assertThat(fixture.durable()).isEqualTo(delivered);
        Captured behind = fixture.startAcceptingTheGap();
        fixture.sql("INSERT INTO t VALUES (5)");
        fixture.settle();
        assertThat(behind.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.GAP);
        assertThat(behind.realDrift().get(0).detail())
            .contains(left.toString(), delivered.toString(), "public.t", "verify-range");
        // A synchronised slot has what was written after the failover; without it that is missing.
        assertThat(behind.texts("public.t"))
            .containsExactlyElementsOf(major >= 17 ? List.of("4", "5") : List.of("5"));
        if (major < 17) {
          assertThat(behind.realDrift().get(0).detail())
              .contains("does not exist", "changes from " + left + " to ");
        }
        fixture.stop();
        Captured again = fixture.start();
        fixture.settle();
        assertThat(again.drift()).isEmpty();
        assertThat(timelines(fixture)).matches("1 [0-9A-F/]+,2 " + left + ",3");
        fixture.stop();
        fixture.dropSlot();
        fixture.moveTo(primary);
      }
    }
  }

  private static String timelines(CaptureFixture fixture) {
    return PositionFile.read(fixture.file).orElseThrow().origin().timelines().orElseThrow() + "";
  }

  private static void promote(PostgresServer server) throws Exception {
    server.execute("postgres", "SELECT pg_promote(true, 60)");
    await()
        .atMost(CaptureFixture.PATIENCE)
        .until(() -> query(server, "SELECT pg_is_in_recovery()").equals("f"));
  }

  /** Where the server's timeline began, as it was written into its history file. */
  private static Lsn left(PostgresServer server) throws Exception {
    return Files.readAllLines(server.dataDirectory().resolve("pg_wal/00000003.history")).stream()
        .filter(line -> line.startsWith("2\t"))
        .map(line -> Lsn.parse(line.split("\t", -1)[1]))
        .findFirst()
        .orElseThrow();
  }

  /** It stays behind from now on. */
  private static void disconnect(PostgresServer standby) throws Exception {
    standby.execute(
        "postgres", "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
    await()
        .atMost(CaptureFixture.PATIENCE)
        .until(() -> query(standby, "SELECT count(*) FROM pg_stat_wal_receiver").equals("0"));
  }

  /** A failover slot's copy, up to what the capture has confirmed. */
  private static void synchronizeSlots(
      PostgresServer primary, PostgresServer standby, CaptureFixture fixture) throws Exception {
    primary.execute("postgres", "SELECT pg_create_physical_replication_slot('standby', true)");
    standby.execute(
        "postgres",
        "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port="
            + primary.port()
            + " user=postgres dbname=postgres'",
        "ALTER SYSTEM SET primary_slot_name = 'standby'",
        "ALTER SYSTEM SET hot_standby_feedback = on",
        "ALTER SYSTEM SET sync_replication_slots = on",
        "SELECT pg_reload_conf()");
    await()
        .atMost(CaptureFixture.PATIENCE)
        .until(
            () -> {
              fixture.sql(
                  "SELECT pg_log_standby_snapshot()",
                  "SELECT pg_logical_emit_message(true, 'test', '')");
              return query(
                      standby,
                      "SELECT count(*) FROM pg_replication_slots WHERE synced AND NOT temporary")
                  .equals("1");
            });
  }

  private static String query(PostgresServer server, String sql) throws Exception {
    try (var connection = server.connect("postgres");
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
