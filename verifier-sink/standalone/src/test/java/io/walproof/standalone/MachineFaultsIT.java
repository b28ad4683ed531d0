package io.walproof.standalone;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the machine does to a run: no room for what it writes, and a clock that is set. */
class MachineFaultsIT {

  @TempDir Path directory;

  /** The kernel refuses to let the file grow, as a full disk does, in the middle of a record. */
  @Test
  void anAuditWithoutRoomEndsTheRunAndTheNextOneChecksAgain() throws Exception {
    KnownVerdicts verdicts = KnownVerdicts.create("no_room", directory);
    Operated operated = verdicts.operated();
    try (SpawnedRun run = operated.spawn().awaitStarted()) {
      verdicts.requireWorking(run);
      run.limitFiles(Files.size(operated.auditFile()) + 5_000);
      verdicts.write(100);
      Operated.Outcome end = run.awaitEnd(Operated.PATIENCE);
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.ERROR.code());
      assertThat(end.err()).contains("could not be written").contains("Make room on the disk");
    }
    try (SpawnedRun run = operated.spawn().awaitStarted()) {
      assertThat(run.err()).contains("ends in a line that was cut off");
      verdicts.requireWorking(run);
      verdicts.awaitAllDecided(run);
      verdicts.stop(run);
    }
    verdicts.requireTrue(IncompleteReason.CANCELLED);
    operated.forget();
  }

  /** Only the position, which is the longest file here, meets the limit. */
  @Test
  void aPositionWithoutRoomEndsTheRunAndStaysWhole() throws Exception {
    String columns =
        IntStream.rangeClosed(1, 800).mapToObj(i -> ", c" + i + " int").collect(joining());
    JoinedPair.table("no_place", "id int PRIMARY KEY" + columns);
    Operated operated =
        new Operated(JoinedPair.get(), directory, "no_place", "public\\.no_place")
            .with("verify.summary.interval.ms", "600000");
    Path offsets = RunSession.offsetsFile(operated.state);
    try (SpawnedRun run = operated.spawn().awaitStarted()) {
      JoinedPair.get().onSource("INSERT INTO public.no_place VALUES (1)");
      long atFirst = Files.size(offsets);
      Operated.until("the shape to be in the position", () -> Files.size(offsets) > 2 * atFirst);
      long limit = Files.size(offsets) - 1;
      assertThat(Files.size(operated.auditFile()) + 3_000).isLessThan(limit);
      assertThat(run.err().length() + 3_000L).isLessThan(limit);
      run.limitFiles(limit);
      JoinedPair.get().onSource("INSERT INTO public.no_place VALUES (2)");
      Operated.Outcome end = run.awaitEnd(Operated.PATIENCE);
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.ERROR.code());
      assertThat(end.err()).contains("cannot write the position file", "offsets.json");
    }
    assertThat(PositionFile.read(offsets)).isPresent();
    Operated.Outcome next = operated.run("--until-idle", "1s");
    assertThat(next.status()).as(next.err()).isEqualTo(ExitStatus.CLEAN.code());
    operated.forget();
  }

  /** Wall-clock time that is set while {@code nanoTime} goes on, as an administrator does it. */
  private static final class SetClock implements Time {
    private volatile Duration ahead = Duration.ZERO;

    @Override
    public long nanoTime() {
      return Time.system().nanoTime();
    }

    @Override
    public Instant now() {
      return Time.system().now().plus(ahead);
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) throws InterruptedException {
      Time.system().waitOn(monitor, atMost);
    }
  }

  @Test
  void aClockThatJumpsAMinuteEitherWayMovesNoWaitAndNoVerdict() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("clock_arriving");
    JoinedPair.lossy("clock_lost");
    Map<String, String> settings = ObservedRun.settings(pair, directory, "clock");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.clock_arriving,public.clock_lost");
    settings.put("verify.recheck.delay.ms", "2000");
    settings.put("verify.replay.timeout.ms", "20000");
    SetClock clock = new SetClock();
    try (ObservedRun run = ObservedRun.start(settings, clock)) {
      int id = 0;
      for (Duration ahead : new Duration[] {Duration.ofMinutes(1), Duration.ofMinutes(-1)}) {
        id++;
        String key = Integer.toString(id);
        for (String table : new String[] {"clock_arriving", "clock_lost"}) {
          pair.onSource("INSERT INTO public." + table + " VALUES (" + id + ", 'x')");
        }
        run.awaitObservation("clock_lost", key);
        long held = Time.system().nanoTime();
        clock.ahead = ahead;
        Decision decision = run.awaitDecision("clock_lost", key);
        assertThat(decision.verdict()).isEqualTo(new Verdict.Unresolved(Kind.MISSING));
        assertThat(Duration.ofNanos(Time.system().nanoTime() - held))
            .isGreaterThan(Duration.ofMillis(1500));
      }
      run.await("all decided", r -> r.verifier().pending() == 0);
      assertThat(run.decisions("clock_arriving"))
          .noneMatch(decision -> decision.verdict() instanceof Verdict.Unresolved);
      run.end();
    }
  }
}
