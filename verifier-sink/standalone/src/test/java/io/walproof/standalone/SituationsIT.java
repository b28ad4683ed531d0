package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What may become of a key after its first mismatch, on real servers: all situations on keys of one
 * table, in one deferral. The applier is paused at first, so that every key starts as a mismatch,
 * and goes on during the deferral; some keys it then loses, and some rows are written past it.
 */
class SituationsIT {

  private static final Verdict CONVERGED = new Verdict.Converged();
  private static final Verdict ADVANCED = new Verdict.Advanced();
  private static final Verdict MISSING = new Verdict.Unresolved(Kind.MISSING);
  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);
  private static final Verdict STALLED = new Verdict.Unresolved(Kind.TARGET_STALLED);

  /** Long enough for the writes of the deferral; the test checks that they were. */
  private static final Duration DELAY = Duration.ofSeconds(5);

  /**
   * The statements of a situation, where {@code :id} stands for its key: on the source while the
   * applier is paused; whether the applier loses this key's changes; on the source during the
   * deferral; on the target, past the applier, during the deferral.
   */
  @SuppressWarnings({"ImmutableEnumChecker", "EnumOrdinal"}) // never changed; a number as key
  private enum Situation {
    TARGET_CATCHES_UP(UPDATE, false, "", "", CONVERGED, false, ""),
    MISSING_TARGET_ROW_ARRIVES(INSERT, false, "", "", CONVERGED, false, ""),
    UNCHANGED_AND_STILL_DIFFERENT(UPDATE, true, "", "", DIFFERENT, false, "value"),
    UNCHANGED_AND_STILL_MISSING(INSERT, true, "", "", MISSING, false, ""),
    BOTH_CHANGE_AND_DIFFER(UPDATE, true, set(3), set(4), ADVANCED, true, "value"),
    BOTH_CHANGE_AND_MATCH(UPDATE, false, set(3), "", CONVERGED, true, ""),
    SOURCE_CHANGES_BACK_TO_WHAT_TARGET_ALWAYS_HELD(UPDATE, true, set(1), "", CONVERGED, true, ""),
    DELETED_ON_BOTH(UPDATE, false, DELETE, "", CONVERGED, true, ""),
    SOURCE_UPDATED_TARGET_NOT(UPDATE, true, set(3), "", STALLED, true, "value"),
    SOURCE_DELETED_TARGET_NOT(UPDATE, true, DELETE, "", STALLED, true, ""),
    NO_OP_UPDATE(UPDATE, true, set(2), "", STALLED, true, "value"),
    UPDATE_AND_REVERT(UPDATE, true, set(3) + ";" + set(2), "", STALLED, true, "value"),
    DELETE_AND_REINSERT(UPDATE, true, DELETE + ";" + INSERT, "", STALLED, true, "value"),

    /** V13. */
    INSERTED_AND_DELETED_AGAIN_ON_BOTH(INSERT, false, DELETE, "", CONVERGED, true, ""),
    /** The target's row goes although the source has it: no advance. */
    TARGET_LOSES_ITS_ROW(UPDATE, true, "", DELETE, MISSING, false, ""),
    /** V12: by hand instead of by the applier. */
    REPAIRED_ON_THE_TARGET(UPDATE, true, "", set(2), CONVERGED, false, ""),
    /** An unrelated write to the same target row proves movement, no correctness. */
    TARGET_MOVES_WITHOUT_MATCHING(UPDATE, true, "", set(7), ADVANCED, false, "value");

    private final String first;
    private final boolean lost;
    private final String onSource;
    private final String onTarget;
    private final Verdict expected;
    private final boolean sourceChanged;
    private final List<String> columns;

    Situation(
        String first,
        boolean lost,
        String onSource,
        String onTarget,
        Verdict expected,
        boolean sourceChanged,
        String column) {
      this.first = first;
      this.lost = lost;
      this.onSource = onSource;
      this.onTarget = onTarget;
      this.expected = expected;
      this.sourceChanged = sourceChanged;
      this.columns = column.isEmpty() ? List.of() : List.of(column);
    }

    String id() {
      return Integer.toString(ordinal() + 1);
    }

    boolean targetHasRow() {
      return first.equals(UPDATE);
    }
  }

  private static final String INSERT = "INSERT INTO public.t VALUES (:id, 2, 'same')";
  private static final String UPDATE = set(2);
  private static final String DELETE = "DELETE FROM public.t WHERE id = :id";

  private static String set(int value) {
    return "UPDATE public.t SET value = " + value + " WHERE id = :id";
  }

  @TempDir Path dir;

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void everySituationEndsAsTheDecisionTableSays(int major) throws Exception {
    try (ReplicatedPair pair = ReplicatedPair.start(major)) {
      pair.onBoth("CREATE TABLE public.t (id int PRIMARY KEY, value int, note text)");
      pair.onTarget(
          "CREATE SCHEMA test",
          "CREATE TABLE test.lost (id int PRIMARY KEY)",
          "CREATE FUNCTION test.lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " IF EXISTS (SELECT FROM test.lost AS l WHERE l.id = coalesce(NEW.id, OLD.id))"
              + " THEN RETURN NULL; END IF; RETURN coalesce(NEW, OLD); END $$",
          "CREATE TRIGGER lose BEFORE INSERT OR UPDATE OR DELETE ON public.t"
              + " FOR EACH ROW EXECUTE FUNCTION test.lose()",
          "ALTER TABLE public.t ENABLE REPLICA TRIGGER lose");
      pair.join();
      for (Situation situation : Situation.values()) {
        if (situation.targetHasRow()) {
          pair.onSource("INSERT INTO public.t VALUES (" + situation.id() + ", 1, 'same')");
        }
        if (situation.lost) {
          pair.onTarget("INSERT INTO test.lost VALUES (" + situation.id() + ")");
        }
      }
      pair.awaitApplied();
      Map<String, String> settings = ObservedRun.settings(pair, dir, "situations");
      settings.put("verify.recheck.delay.ms", Long.toString(DELAY.toMillis()));
      settings.put("verify.replay.timeout.ms", "20000");
      try (ObservedRun run = ObservedRun.start(settings)) {
        play(pair, run);
        check(run);
      }
    }
  }

  private static void play(ReplicatedPair pair, ObservedRun run) throws Exception {
    pair.pauseApplier();
    try (Connection source = pair.source().connect(ReplicatedPair.DATABASE);
        Connection target = pair.target().connect(ReplicatedPair.DATABASE);
        Statement onSource = source.createStatement();
        Statement onTarget = target.createStatement()) {
      // One transaction, so that all are first read together and rechecked together.
      source.setAutoCommit(false);
      for (Situation situation : Situation.values()) {
        execute(onSource, situation, situation.first);
      }
      source.commit();
      source.setAutoCommit(true);
      run.await(
          "all keys to be on hold", r -> r.observations("t").size() == Situation.values().length);
      for (Situation situation : Situation.values()) {
        execute(onSource, situation, situation.onSource);
        execute(onTarget, situation, situation.onTarget);
      }
      assertThat(run.decisions("t")).as("the writes were in time for the deferral").isEmpty();
    }
    pair.resumeApplier();
  }

  private static void execute(Statement statement, Situation situation, String sql)
      throws Exception {
    for (String part : sql.split(";", -1)) {
      if (!part.isEmpty()) {
        statement.execute(part.replace(":id", situation.id()));
      }
    }
  }

  private static void check(ObservedRun run) throws Exception {
    run.await(
        "all decisions",
        r -> r.verifier().pending() == 0 && r.decisions("t").size() >= Situation.values().length);
    Map<String, Observation> observations = new HashMap<>();
    run.observations("t").forEach(o -> observations.putIfAbsent(o.key().texts().get(0), o));
    SoftAssertions softly = new SoftAssertions();
    List<Verdict> verdicts = new ArrayList<>();
    for (Situation situation : Situation.values()) {
      Decision decision = run.awaitDecision("t", situation.id());
      verdicts.add(decision.verdict());
      softly.assertThat(decision.verdict()).as("%s", situation).isEqualTo(situation.expected);
      softly
          .assertThat(decision.sourceChanged())
          .as("%s: source changed", situation)
          .isEqualTo(situation.sourceChanged);
      softly
          .assertThat(decision.columns())
          .as("%s: columns", situation)
          .isEqualTo(situation.columns);
      Observation observation = observations.get(situation.id());
      softly
          .assertThat(observation.columns())
          .as("%s: columns at first", situation)
          .isEqualTo(situation.targetHasRow() ? List.of("value") : List.of());
      softly.assertThat(decision.originalSource()).contains(observation.source());
      softly.assertThat(decision.originalTarget()).contains(observation.target());
      softly.assertThat(decision.boundary()).as("%s: boundary", situation).isPresent();
      softly.assertThat(decision.detail()).as("%s: obstacle", situation).isEmpty();
    }
    softly.assertAll();
    assertThat(run.drift()).isEmpty();
    Coverage total = run.end();
    assertThat(total.incomplete()).isZero();
    assertThat(total.outcomes().get("converged"))
        .as("V12: the same counts everywhere")
        .isGreaterThanOrEqualTo(verdicts.stream().filter(CONVERGED::equals).count());
  }
}
