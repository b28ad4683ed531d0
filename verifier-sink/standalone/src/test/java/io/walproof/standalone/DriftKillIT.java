package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Policies of whole runs that go on after a change of shape, killed with SIGKILL before and after
 * the shape is durable; {@code evolve} also where it halts. The target loses every row, so that
 * each key that is delivered is reported.
 */
class DriftKillIT {

  @TempDir Path directory;

  @Test
  void reportTellsOnceAndJudgesEachKeyAlsoWhenTheRunIsKilled() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    // The names have letters whose case and order depend on the locale.
    JoinedPair.table("told", "id bigint PRIMARY KEY, v text, \"II\" int, \"İı\" varchar(9)");
    JoinedPair.lose("told");
    Operated operated =
        new Operated(pair, directory, "told", "public\\.told").with("drift.policy", "report");
    // Killed while the position behind the change is not durable: nothing is decided before settle.
    operated.with("verify.settle.ms", "600000");
    try (SpawnedRun killed = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO told VALUES (1)");
      pair.onBoth("ALTER TABLE told ADD w int");
      pair.onSource("INSERT INTO told VALUES (2)", "INSERT INTO told VALUES (3)");
      Operated.until("the change to be recorded", () -> !hashes(operated).isEmpty());
      killed.kill();
    }
    String hash = hashes(operated).get(0);
    assertThat(offsets(operated)).doesNotContain(hash);

    // Killed behind that; in this JVM's locale the hash is the same.
    operated.with("verify.settle.ms", "300");
    List<String> turkish = List.of("-Duser.language=tr", "-Duser.country=TR");
    try (SpawnedRun killed =
        SpawnedRun.start(directory, turkish, "run", operated.config(), List.of()).awaitStarted()) {
      Operated.until("a durable shape", () -> offsets(operated).contains(hash));
      killed.kill();
    }

    pair.onSource("INSERT INTO told VALUES (4)");
    pair.awaitApplied();
    Operated.Outcome end = operated.run("--until-idle", "1s", "--json");
    assertThat(end.status()).as(end.err() + end.out()).isEqualTo(ExitStatus.FAILURES.code());
    assertThat(missing(operated)).containsExactlyInAnyOrder("told 1", "told 2", "told 3", "told 4");
    // Told again by the second run, but not recorded again.
    assertThat(told(operated)).containsExactly("told report reported");
    operated.forget();
  }

  @Test
  void evolveAcceptsAnAdditionAndHaltsOnARemovalAlsoWhenTheRunIsKilled() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.lossy("evolve_more");
    JoinedPair.lossy("evolve_less");
    Operated operated =
        new Operated(pair, directory, "evolve", "public\\.evolve_.*")
            .with("drift.policy", "evolve");
    operated.with("verify.settle.ms", "600000");
    try (SpawnedRun killed = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO evolve_more VALUES (1)", "INSERT INTO evolve_less VALUES (1)");
      // The applier needs the column until it is through.
      pair.awaitApplied();
      pair.onBoth("ALTER TABLE evolve_more ADD w int", "ALTER TABLE evolve_less DROP v");
      pair.onSource(
          "INSERT INTO evolve_more VALUES (2)",
          "INSERT INTO evolve_less VALUES (2)",
          "INSERT INTO evolve_more VALUES (3)");
      Operated.until("the halt to be recorded", () -> hashes(operated).size() == 2);
      assertThat(killed.isAlive()).isTrue();
      killed.kill();
    }
    assertThat(offsets(operated)).doesNotContain(hashes(operated));

    operated.with("verify.settle.ms", "300");
    try (SpawnedRun halted = operated.spawn()) {
      Operated.Outcome end = halted.awaitEnd(Operated.PATIENCE);
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.DRIFT_HALT.code());
      assertThat(end.err()).contains("halted on drift of public.evolve_less");
    }
    assertThat(missing(operated))
        .as("what is before the removal, also behind the addition")
        .containsExactlyInAnyOrder("evolve_more 1", "evolve_less 1", "evolve_more 2");
    assertThat(offsets(operated)).contains(hashes(operated));

    pair.awaitApplied();
    Operated.Outcome end = operated.run("--until-idle", "1s", "--json");
    assertThat(end.status()).as(end.err() + end.out()).isEqualTo(ExitStatus.FAILURES.code());
    assertThat(end.out()).contains("\"observed\":2");
    assertThat(missing(operated)).contains("evolve_less 2", "evolve_more 3").hasSize(5);
    assertThat(told(operated))
        .containsExactly("evolve_more evolve accepted", "evolve_less evolve halted");
    operated.forget();
  }

  private static List<String> hashes(Operated operated) {
    return shapeChanges(operated).map(record -> record.json().path("shape").asText()).toList();
  }

  private static List<String> told(Operated operated) {
    return shapeChanges(operated)
        .map(
            record ->
                record.table().orElseThrow().name()
                    + " "
                    + record.json().path("policy").asText()
                    + " "
                    + record.json().path("action").asText())
        .toList();
  }

  private static Stream<AuditRecord> shapeChanges(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.DRIFT)
        .filter(record -> record.json().path("kind").asText().equals("shape_changed"));
  }

  private static String offsets(Operated operated) throws IOException {
    Path file = RunSession.offsetsFile(operated.state);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** Table and key of what any run found missing. */
  private static Set<String> missing(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.DECISION)
        .filter(record -> record.outcome().orElseThrow().equals("unresolved_missing"))
        .map(
            record ->
                record.table().orElseThrow().name()
                    + " "
                    + record.json().path("key").path("id").asText())
        .collect(Collectors.toSet());
  }
}
