package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that fails while it works ends with 1, a message, and a record of its end. */
class FailingRunIT {

  @TempDir Path directory;

  /** The slot is taken away under a running engine. */
  @Test
  void aFailureIsRecordedWithWhatWasPending() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("failing");
    Operated operated =
        new Operated(pair, directory, "failing", "public\\.failing")
            .with("verify.settle.ms", "600000");
    try (SpawnedRun run = operated.spawn("--json").awaitStarted()) {
      pair.onSource("INSERT INTO public.failing VALUES (1, 'unread')");
      Operated.until("the key to be pending", () -> LastRun.of(operated).pending() == 1);
      // In one go: the engine connects again at once.
      pair.onSource(
          "DO $$BEGIN LOOP BEGIN"
              + " PERFORM pg_terminate_backend(active_pid) FROM pg_replication_slots"
              + " WHERE slot_name = 'failing' AND active;"
              + " PERFORM pg_drop_replication_slot('failing'); RETURN;"
              + " EXCEPTION WHEN object_in_use THEN NULL; END; END LOOP; END$$");
      Operated.Outcome end = run.awaitEnd(Operated.PATIENCE);
      assertFailed(operated, end, "slot.name 'failing' does not exist");
      assertThat(LastRun.of(operated).decided("incomplete")).containsExactly("1");
    }
    operated.forget();
  }

  @Test
  void aPositionThatCannotBeWrittenEndsTheRunAndIsRecorded() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("unwritable");
    Operated operated = new Operated(pair, directory, "unwritable", "public\\.unwritable");
    try (SpawnedRun run = operated.spawn().awaitStarted()) {
      // In the way of the temporary file, and not to be removed by accident.
      Files.createDirectories(operated.state.resolve("offsets.json.tmp").resolve("full"));
      pair.onSource("INSERT INTO public.unwritable VALUES (1, 'a')");
      Operated.Outcome end = run.awaitEnd(Operated.PATIENCE);
      assertFailed(operated, end, "cannot write the position file", "offsets.json");
    }
    operated.forget();
  }

  private static void assertFailed(Operated operated, Operated.Outcome end, String... told) {
    assertThat(end.status()).as(end.err()).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).contains(told).doesNotContain("nobody expected");
    AuditRecord last = LastRun.of(operated).last();
    assertThat(last.type()).isEqualTo(AuditType.RUN_END);
    assertThat(last.reason()).contains("failed");
    assertThat(last.json().path("exit_status").asInt()).isEqualTo(1);
  }
}
