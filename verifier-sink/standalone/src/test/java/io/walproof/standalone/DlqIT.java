package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code drift.policy=dlq} of whole runs, killed where it hurts: the diverted keys are kept and not
 * judged, other tables are, and a fault among the diverted keys is found once the shape is
 * accepted.
 */
class DlqIT {

  /** As it stands in SQL and in drift.accept. */
  private static final String TABLE = "public.\"dlq,t=X\"";

  @TempDir Path directory;

  @Test
  void divertedKeysAreKeptAndCheckedOnceTheShapeIsAccepted() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("\"dlq,t=X\"");
    JoinedPair.healthy("dlq_other");
    Operated operated =
        new Operated(pair, directory, "dlq", "public\\.dlq.*").with("drift.policy", "dlq");
    operated.with("verify.commit.interval.ms", "3600000");
    // Killed after the keys were kept and before the position behind them was written.
    try (SpawnedRun killed = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO " + TABLE + " VALUES (1, 'a')");
      pair.onBoth("ALTER TABLE " + TABLE + " ADD w int");
      pair.onSource(
          "INSERT INTO " + TABLE + " VALUES (2, 'b', 2), (3, 'c', 3)",
          "INSERT INTO dlq_other VALUES (1, 'a')");
      Operated.until("the keys to be kept", () -> kept(operated).size() == 2);
      killed.kill();
    }
    assertThat(shapeEvents(operated)).containsExactly("shape_changed diverted");

    operated.with("verify.commit.interval.ms", "100");
    pair.awaitApplied();
    // A fault that only a check of a diverted key can find.
    pair.onTarget("UPDATE " + TABLE + " SET w = 99 WHERE id = 3");
    Operated.Outcome diverted = operated.run("--until-idle", "1s", "--json");
    assertThat(diverted.status())
        .as(diverted.err() + diverted.out())
        .isEqualTo(ExitStatus.INCOMPLETE.code());
    LastRun run = LastRun.of(operated);
    assertThat(run.decided("incomplete")).containsExactly("2", "3");
    assertThat(reasons(run)).containsOnly("shape_not_accepted");
    assertThat(diverted.out()).contains("\"matched\":2");
    assertThat(shapeEvents(operated)).as("told once").hasSize(1);
    assertThat(kept(operated)).hasSize(2);

    // A quiet restart without a change goes on diverting, and is not clean.
    Operated.Outcome quiet = operated.run("--until-idle", "1s", "--json");
    assertThat(quiet.status()).as(quiet.err()).isEqualTo(ExitStatus.INCOMPLETE.code());
    assertThat(shapeEvents(operated)).hasSize(1);

    String accept = accept(operated);
    Operated.Outcome wrong =
        operated.run("--accept-drift", "public.nope" + accept.substring(accept.lastIndexOf('=')));
    assertThat(wrong.status()).isEqualTo(ExitStatus.ERROR.code());
    assertThat(wrong.err()).contains("drift.accept names public.nope");
    assertThat(operated.run("--accept-drift", "x").err()).contains("entry 1 has no '='");

    // Accepted, and killed while the kept keys are being checked and after the position is written.
    operated.with("verify.settle.ms", "600000");
    try (SpawnedRun killed = operated.spawn("--accept-drift", accept).awaitStarted()) {
      Operated.until("the acceptance", () -> shapeEvents(operated).size() == 2);
      Operated.until("an accepted position", () -> !offsets(operated).contains("\\\"diverted\\\""));
      killed.kill();
    }
    assertThat(kept(operated)).hasSize(2);
    assertThat(shapeEvents(operated)).endsWith("shape_accepted accepted");

    operated.with("verify.settle.ms", "300");
    Operated.Outcome found = operated.run("--until-idle", "1s", "--json");
    assertThat(found.status()).as(found.err() + found.out()).isEqualTo(ExitStatus.FAILURES.code());
    assertThat(LastRun.of(operated).decided("unresolved_different")).containsExactly("3");
    assertThat(kept(operated)).isEmpty();

    pair.onSource("INSERT INTO " + TABLE + " VALUES (4, 'd', 4)");
    pair.awaitApplied();
    Operated.Outcome clean = operated.run("--until-idle", "1s", "--accept-drift", accept, "--json");
    assertThat(clean.status()).as(clean.err()).isEqualTo(ExitStatus.CLEAN.code());
    assertThat(clean.out()).contains("\"matched\":1");
    assertThat(shapeEvents(operated)).hasSize(2);
    operated.forget();
  }

  @Test
  void withoutRoomKeysAreNamedAsNotKeptAndTheTableIsAGapWhenItIsAccepted() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("dlq_full");
    Operated operated =
        new Operated(pair, directory, "dlqfull", "public\\.dlq_full")
            .with("drift.policy", "dlq")
            .with("verify.diverted.max", "2");
    try (SpawnedRun first = operated.spawn().awaitStarted()) {
      pair.onSource("INSERT INTO dlq_full VALUES (0, 'a')");
      Operated.until("the key before it to be checked", () -> matched(operated) == 1);
      pair.onBoth("ALTER TABLE dlq_full ADD w int");
      pair.onSource("INSERT INTO dlq_full SELECT g, 'b', g FROM generate_series(1, 5) AS g");
      Operated.until("all keys", () -> LastRun.of(operated).decided("incomplete").size() == 5);
      first.signal("TERM");
      assertThat(first.awaitEnd(Operated.PATIENCE).status())
          .isEqualTo(ExitStatus.INCOMPLETE.code());
    }
    assertThat(reasons(LastRun.of(operated)))
        .containsExactly(
            "shape_not_accepted",
            "shape_not_accepted",
            "diverted_not_kept",
            "diverted_not_kept",
            "diverted_not_kept");
    pair.awaitApplied();
    String accept = accept(operated);
    operated.with("drift.accept", accept);
    Operated.Outcome accepted = operated.run("--until-idle", "1s", "--json");
    assertThat(accepted.status()).as(accepted.err()).isEqualTo(ExitStatus.INCOMPLETE.code());
    // The kept ones, or all five if the signal came before a position that is past all of them.
    assertThat(accepted.out()).containsPattern("\"matched\":(2|5)\\b");
    assertThat(
            LastRun.of(operated).all(AuditType.DRIFT).stream()
                .map(record -> record.json().path("kind").asText()))
        .containsExactlyInAnyOrder("shape_accepted", "gap");
    // It was told; the next run has nothing open.
    Operated.Outcome next = operated.run("--until-idle", "1s", "--json");
    assertThat(next.status()).as(next.err()).isEqualTo(ExitStatus.CLEAN.code());
    operated.forget();
  }

  private static List<String> kept(Operated operated) throws IOException {
    Path file = operated.state.resolve(RunSession.DIVERTED_FILE);
    // A change that comes again is one more line of the same key.
    return Files.exists(file) ? Files.readAllLines(file).stream().distinct().toList() : List.of();
  }

  private static String offsets(Operated operated) throws IOException {
    return Files.readString(RunSession.offsetsFile(operated.state));
  }

  /** What the drift event says that drift.accept must have. */
  private static String accept(Operated operated) {
    List<String> details =
        operated.audit().stream()
            .filter(record -> record.type() == AuditType.DRIFT)
            .map(record -> record.json().path("detail").asText())
            .filter(detail -> detail.contains("drift.accept has "))
            .toList();
    String last = details.get(details.size() - 1);
    return last.substring(last.indexOf("drift.accept has ") + "drift.accept has ".length());
  }

  private static int matched(Operated operated) {
    List<AuditRecord> summaries = LastRun.of(operated).all(AuditType.SUMMARY);
    return summaries.isEmpty()
        ? 0
        : summaries.get(summaries.size() - 1).json().at("/coverage/outcomes/matched").asInt();
  }

  private static List<String> reasons(LastRun run) {
    return run.all(AuditType.DECISION).stream()
        .filter(record -> record.outcome().orElseThrow().equals("incomplete"))
        .map(record -> record.json().path("reason").asText())
        .toList();
  }

  private static List<String> shapeEvents(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.DRIFT)
        .map(AuditRecord::json)
        .filter(json -> json.path("kind").asText().startsWith("shape_"))
        .map(DlqIT::words)
        .toList();
  }

  private static String words(JsonNode json) {
    return json.path("kind").asText() + " " + json.path("action").asText();
  }
}
