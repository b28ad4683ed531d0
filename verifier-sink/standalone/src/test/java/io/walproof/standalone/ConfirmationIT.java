package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.RunStart;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nobody is accused before replay was confirmed, nothing but replay confirms it, and then a stall
 * is said (invariant H), by each way to confirm.
 */
class ConfirmationIT {

  private static final Verdict CONVERGED = new Verdict.Converged();
  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);
  private static final Verdict MISSING = new Verdict.Unresolved(Kind.MISSING);
  private static final Verdict STALLED = new Verdict.Unresolved(Kind.TARGET_STALLED);
  private static final Verdict NOT_CONFIRMED =
      new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED);

  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** That the wait ends on the timeout to the tick is shown in virtual time; here, that it ends. */
  private static final Duration ENDS = Duration.ofMinutes(3);

  private static int number;

  @TempDir Path dir;

  private ReplicatedPair pair;
  private String table;
  private Map<String, String> settings;

  @BeforeAll
  static void markerTable() throws Exception {
    JoinedPair.table("walproof_marker", "instance text PRIMARY KEY, token text NOT NULL");
  }

  @BeforeEach
  void prepare(TestInfo test) throws Exception {
    pair = JoinedPair.get();
    table = "confirmation_" + ++number;
    JoinedPair.table(table, "id int PRIMARY KEY, v int");
    pair.onSource("INSERT INTO public." + table + " SELECT i, 1 FROM generate_series(1, 9) AS i");
    pair.awaitApplied();
    settings = ObservedRun.settings(pair, dir, table);
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public." + table);
    settings.put("verify.recheck.delay.ms", Long.toString(DELAY.toMillis()));
    settings.put("verify.replay.timeout.ms", Long.toString(TIMEOUT.toMillis()));
  }

  @AfterEach
  void resume() throws Exception {
    pair.resumeApplier();
    pair.awaitApplied();
  }

  private void update(int id, int value) throws Exception {
    pair.onSource("UPDATE public." + table + " SET v = " + value + " WHERE id = " + id);
  }

  @Test
  void aStoppedApplierIsIncompleteInTimeWhateverElseHappensOnTheTarget() throws Exception {
    try (ObservedRun run = ObservedRun.start(settings)) {
      pair.pauseApplier();
      update(1, 2);
      run.awaitObservation(table, "1");
      // Neither movement on the target nor on the source is replay.
      run.await(
          "a decision, under unrelated writes",
          r -> {
            unrelatedWrites();
            return !r.decisions(table, "1").isEmpty();
          });
      Decision decision = run.awaitDecision(table, "1");
      assertThat(decision.verdict()).isEqualTo(NOT_CONFIRMED);
      assertThat(decision.boundary()).isPresent();
      assertThat(decision.detail().orElseThrow()).contains("pipeline").contains("is disabled");
      Duration took = took(run, "1").minus(DELAY);
      assertThat(took).isBetween(TIMEOUT, ENDS);

      pair.resumeApplier();
      pair.awaitApplied();
      update(1, 3);
      run.awaitSettled(table, 2);
      assertThat(run.unresolved()).isEmpty();
      assertThat(run.end().incomplete()).isEqualTo(1);
    }
  }

  private void unrelatedWrites() {
    try {
      pair.onTarget("UPDATE public." + table + " SET v = v + 1 WHERE id = 9");
      pair.onSource("SELECT pg_catalog.pg_logical_emit_message(true, 'unrelated', '')");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From the first mismatch to the decision, by the audit's own times. */
  private static Duration took(ObservedRun run, String key) {
    Optional<Instant> observed = Optional.empty();
    Optional<Instant> decided = Optional.empty();
    try (AuditReader reader = AuditReader.open(StateDirectory.auditFile(run.stateDirectory()))) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        AuditRecord record = next.get();
        if (record.json().path("key").path("id").asText().equals(key)) {
          if (record.type() == AuditType.OBSERVATION && observed.isEmpty()) {
            observed = Optional.of(record.at());
          } else if (record.type() == AuditType.DECISION && decided.isEmpty()) {
            decided = Optional.of(record.at());
          }
        }
        next = reader.next();
      }
    }
    return Duration.between(observed.orElseThrow(), decided.orElseThrow());
  }

  @Test
  void aConfirmedStallIsSaid() throws Exception {
    JoinedPair.lose(table);
    settings.put("verify.replay.timeout.ms", "20000");
    try (ObservedRun run = ObservedRun.start(settings)) {
      update(1, 2);
      update(2, 2);
      pair.onSource("INSERT INTO public." + table + " VALUES (10, 1)");
      run.awaitObservation(table, "2");
      update(2, 3);
      Decision different = run.awaitDecision(table, "1");
      assertThat(different.verdict()).isEqualTo(DIFFERENT);
      assertThat(different.columns()).containsExactly("v");
      assertThat(run.awaitDecision(table, "2").verdict()).isEqualTo(STALLED);
      assertThat(run.awaitDecision(table, "10").verdict()).isEqualTo(MISSING);
      run.awaitSettled(table, 4);
      assertThat(run.end().failures()).isEqualTo(4);
    }
  }

  @Test
  void anApplierThatWaitsForALockIsNotConfirmed() throws Exception {
    try (ObservedRun run = ObservedRun.start(settings)) {
      try (Connection blocker = pair.target().connect(ReplicatedPair.DATABASE)) {
        blocker.setAutoCommit(false);
        blocker
            .createStatement()
            .execute("SELECT FROM public." + table + " WHERE id = 1 FOR UPDATE");
        update(1, 2);
        assertThat(run.awaitDecision(table, "1").verdict()).isEqualTo(NOT_CONFIRMED);
        blocker.rollback();
      }
      pair.awaitApplied();
      update(1, 2);
      run.awaitSettled(table, 2);
      assertThat(run.unresolved()).isEmpty();
      assertThat(run.end().outcomes()).containsKey("incomplete");
    }
  }

  /** A run whose strategy is confirmed by a paused applier's return, or not, or by a stall. */
  @Test
  void aMarkerTableConfirms() throws Exception {
    settings.put("verify.replay.confirmation", "marker_table");
    settings.put("verify.marker.table", "public.walproof_marker");
    try (ObservedRun run = ObservedRun.start(settings)) {
      assertThat(run.entries(RunStart.class).get(0).confirmation()).isEqualTo("marker_table");
      pair.pauseApplier();
      update(1, 2);
      Decision stopped = run.awaitDecision(table, "1");
      assertThat(stopped.verdict()).isEqualTo(NOT_CONFIRMED);
      assertThat(stopped.detail().orElseThrow()).contains("walproof_marker");
      assertThat(took(run, "1").minus(DELAY)).isBetween(TIMEOUT, ENDS);

      update(2, 2);
      run.awaitObservation(table, "2");
      pair.resumeApplier();
      assertThat(run.awaitDecision(table, "2").verdict()).isEqualTo(CONVERGED);

      JoinedPair.lose(table);
      update(3, 2);
      Decision lost = run.awaitDecision(table, "3");
      assertThat(lost.verdict()).isEqualTo(DIFFERENT);
      assertThat(lost.boundary()).isPresent();
      assertThat(
              JoinedPair.ask(
                  pair.source(),
                  "SELECT count(*) FROM public.walproof_marker WHERE instance = '" + table + "'"))
          .isEqualTo("1");
      run.end();
    }
  }

  @Test
  void noneDoesNotWait() throws Exception {
    settings.put("verify.replay.confirmation", "none");
    // Waiting would outlast the patience of this test.
    settings.put("verify.replay.timeout.ms", "600000");
    try (ObservedRun run = ObservedRun.start(settings)) {
      pair.pauseApplier();
      update(1, 2);
      update(2, 2);
      run.awaitObservation(table, "2");
      pair.onTarget("UPDATE public." + table + " SET v = 2 WHERE id = 2");
      Decision decision = run.awaitDecision(table, "1");
      assertThat(decision.verdict()).isEqualTo(DIFFERENT);
      assertThat(decision.boundary()).isEmpty();
      assertThat(run.awaitDecision(table, "2").verdict()).isEqualTo(CONVERGED);
      run.end();
    }
  }
}
