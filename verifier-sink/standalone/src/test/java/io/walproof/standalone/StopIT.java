package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM and Ctrl-C end a run in order, in whatever phase it is, and a restart is quiet. */
class StopIT {

  private static final int RESTARTS = Integer.getInteger("walproof.restarts", 4);

  /** Much less than the waits that a stop must cut short, on a loaded machine. */
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;

  /** Item 6 and invariant E. */
  @Test
  void restartsUnderLoadReportNoDriftAndNoFailure() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("restart_a");
    JoinedPair.healthy("restart_b");
    Operated operated = new Operated(pair, directory, "restart", "public\\.restart_.");
    try (WitnessLoad load = new WitnessLoad(pair, "restart_a", "restart_b", 1, 15)) {
      for (int i = 0; i < RESTARTS; i++) {
        try (SpawnedRun run = operated.spawn().awaitStarted()) {
          long before = load.transactions();
          Operated.until("some load", () -> load.transactions() > before + 60);
          Operated.until("some of it to be seen", () -> LastRun.of(operated).observed() > 0);
          run.signal(i % 2 == 0 ? "TERM" : "INT");
          Operated.Outcome end = run.awaitEnd(SOON);
          assertThat(end.status()).as(end.err()).isIn(0, ExitStatus.INCOMPLETE.code());
          assertThat(end.out()).contains("restart_a");
        }
      }
    }
    Operated.Outcome last = operated.run("--until-idle", "2s");
    assertThat(last.status()).as(last.out() + last.err()).isZero();
    List<AuditRecord> audit = operated.audit();
    assertThat(of(audit, AuditType.RUN_START)).hasSize(RESTARTS + 1);
    assertThat(of(audit, AuditType.RUN_END)).hasSize(RESTARTS + 1);
    assertThat(of(audit, AuditType.DRIFT))
        .hasSize(2)
        .allMatch(record -> record.json().path("kind").asText().equals("initial"));
    assertThat(of(audit, AuditType.DECISION))
        .noneMatch(record -> record.outcome().orElseThrow().startsWith("unresolved"))
        .allMatch(record -> record.reason().map("cancelled"::equals).orElse(true));
    operated.forget();
  }

  /** What is pending at a stop is recorded as not judged, and judged by the next run. */
  @Test
  void aStopInEachPhaseIsRecordedAndItsKeysAreCheckedAgain() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.lossy("phase");
    Operated operated = new Operated(pair, directory, "phase", "public\\.phase");

    operated.with("verify.settle.ms", "600000");
    try (SpawnedRun beforeFirstRead = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO public.phase VALUES (1, 'unread')");
      Operated.until("the key to be pending", () -> LastRun.of(operated).pending() == 1);
      stop(operated, beforeFirstRead, "TERM", ExitStatus.INCOMPLETE, Set.of("1"));
    }
    operated.with("verify.settle.ms", "100").with("verify.recheck.delay.ms", "600000");
    try (SpawnedRun onHold = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO public.phase VALUES (2, 'on hold')");
      Operated.until("both on hold", () -> LastRun.of(operated).deferred() == 2);
      stop(operated, onHold, "INT", ExitStatus.INCOMPLETE, Set.of("1", "2"));
    }
    operated.with("verify.recheck.delay.ms", "100").with("verify.replay.timeout.ms", "600000");
    pair.pauseApplier();
    try (SpawnedRun awaitingReplay = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO public.phase VALUES (3, 'awaiting replay')");
      Operated.until("all on hold", () -> LastRun.of(operated).deferred() == 3);
      Operated.until("a wait for replay", () -> looksAtReplay(operated));
      stop(operated, awaitingReplay, "TERM", ExitStatus.INCOMPLETE, Set.of("1", "2", "3"));
    } finally {
      pair.resumeApplier();
    }
    operated.with("verify.replay.timeout.ms", "20000");
    Operated.Outcome again = operated.run("--until-idle", "2s");
    assertThat(again.status()).as(again.out() + again.err()).isEqualTo(2);
    assertThat(LastRun.of(operated).decided("unresolved_missing"))
        .containsExactlyInAnyOrder("1", "2", "3");

    try (SpawnedRun idle = operated.spawn().awaitStarted()) {
      stop(operated, idle, "TERM", ExitStatus.CLEAN, Set.of());
    }
    operated.forget();
  }

  @Test
  void aStopWhileConnectingEndsAtOnce() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("connecting");
    Operated operated = new Operated(pair, directory, "connecting", "public\\.connecting");
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      operated
          .with("verify.connect.timeout.ms", "600000")
          .with(
              "verify.target.jdbc.url",
              "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/app");
      try (SpawnedRun run = operated.spawn()) {
        silent.accept();
        run.signal("TERM");
        Operated.Outcome end = run.awaitEnd(SOON);
        assertThat(end.status()).as(end.err()).isEqualTo(1);
        assertThat(end.err()).contains("stopped while starting");
        operated.assertNoSecret(end.out(), end.err());
      }
    }
    operated.forget();
  }

  @Test
  void aStopWhileTheSlotIsTakenEndsAtOnceAndASecondProcessIsRefused() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("taken");
    Operated first = new Operated(pair, directory, "taken", "public\\.taken");
    try (SpawnedRun holder = first.spawn().awaitStarted()) {
      Operated.Outcome second = first.run();
      assertThat(second.status()).isEqualTo(1);
      assertThat(second.err())
          .contains(first.state.toString())
          .contains("is in use by process ")
          .contains("state.dir");
      assertThat(second.out()).isEmpty();

      Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
      Operated rival =
          new Operated(pair, elsewhere, "taken", "public\\.taken")
              .with("drift.slot.wait.ms", "600000");
      try (SpawnedRun run = rival.spawn()) {
        Operated.until(
            "the rival to have begun", () -> !of(rival.audit(), AuditType.RUN_START).isEmpty());
        assertThat(run.endsWithin(Duration.ofSeconds(1))).isFalse();
        run.signal("INT");
        Operated.Outcome end = run.awaitEnd(SOON);
        assertThat(end.status()).as(end.err()).isEqualTo(1);
        assertThat(end.err()).contains("stopped while starting");
      }
      Operated.Outcome refused = rival.with("drift.slot.wait.ms", "100").run();
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err()).contains("slot.name 'taken' is in use").contains("another slot");

      assertThat(holder.isAlive()).isTrue();
      stop(first, holder, "TERM", ExitStatus.CLEAN, Set.of());
    }
    first.forget();
  }

  private static void stop(
      Operated operated, SpawnedRun run, String signal, ExitStatus status, Set<String> cancelled)
      throws Exception {
    run.signal(signal);
    Operated.Outcome end = run.awaitEnd(SOON);
    assertThat(end.status()).as(end.out() + end.err()).isEqualTo(status.code());
    assertThat(end.err()).contains("stopping").doesNotContain("WARN");
    AuditRecord last = LastRun.of(operated).last();
    assertThat(last.type()).isEqualTo(AuditType.RUN_END);
    assertThat(last.reason()).contains("stopped");
    assertThat(last.json().path("exit_status").asInt(-1)).isEqualTo(status.code());
    assertThat(last.json().path("coverage").path("pending").asInt(-1)).isZero();
    assertThat(LastRun.of(operated).decided("incomplete"))
        .containsExactlyInAnyOrderElementsOf(cancelled);
  }

  private static List<AuditRecord> of(List<AuditRecord> audit, AuditType type) {
    return audit.stream().filter(record -> record.type() == type).toList();
  }

  /** Whether the run has asked the source how far the subscription's slot is. */
  private static boolean looksAtReplay(Operated operated) throws Exception {
    return !"0"
        .equals(
            operated.askSource(
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
                    + " application_name = 'walproof' AND query LIKE '%s.confirmed_flush_lsn%'"));
  }
}
