package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code drift.policy=halt} of a whole run: exit status 4, and a restart that goes on. */
class DriftHaltIT {

  private static final String TABLE = "halting";

  @TempDir Path directory;

  @Test
  void aRunHaltsWithStatusFourOnceEachKeyBeforeIsDecidedAlsoWhenItIsKilledMeanwhile()
      throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy(TABLE);
    Operated operated =
        new Operated(pair, directory, "halting", "public\\.halting").with("drift.policy", "halt");
    // Killed while the position behind the change is not durable: nothing is decided before settle.
    operated.with("verify.settle.ms", "600000");
    try (SpawnedRun killed = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO public.halting VALUES (1, 'a')");
      pair.onBoth("ALTER TABLE public.halting ADD w int");
      pair.onSource(
          "INSERT INTO public.halting VALUES (2, 'b', 2)",
          "INSERT INTO public.halting VALUES (3, 'c', 3)");
      Operated.until("the halt to be recorded", () -> !shapeChanges(operated).isEmpty());
      assertThat(killed.isAlive()).isTrue();
      killed.kill();
    }

    operated.with("verify.settle.ms", "300");
    try (SpawnedRun halted = operated.spawn()) {
      Operated.Outcome end = halted.awaitEnd(Operated.PATIENCE);
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.DRIFT_HALT.code());
      assertThat(end.err()).contains("halted on drift of public.halting", "Starting again");
    }
    // The kill came between emission and durability: told again, but not recorded again.
    List<JsonNode> events = shapeChanges(operated);
    assertThat(events).hasSize(1);
    assertThat(events.get(0).path("action").asText()).isEqualTo("halted");
    assertThat(events.get(0).path("policy").asText()).isEqualTo("halt");
    assertThat(runEnds(operated)).containsExactly("halted on drift 4");

    pair.awaitApplied();
    Operated.Outcome end = operated.run("--until-idle", "1s", "--json");
    assertThat(end.status()).as(end.err() + end.out()).isEqualTo(ExitStatus.CLEAN.code());
    // The held back change and the one after it.
    assertThat(end.out()).contains("\"observed\":2");
    assertThat(shapeChanges(operated)).hasSize(1);
    operated.forget();
  }

  private static List<JsonNode> shapeChanges(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.DRIFT)
        .map(AuditRecord::json)
        .filter(json -> json.path("kind").asText().equals("shape_changed"))
        .toList();
  }

  private static List<String> runEnds(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.RUN_END)
        .map(record -> record.json())
        .map(json -> json.path("reason").asText() + " " + json.path("exit_status").asText())
        .toList();
  }
}
