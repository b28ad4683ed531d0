package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table whose columns change meanwhile, or are not all there on the target, is not judged. */
class ChangingSchemaIT {

  private static final Verdict CONVERGED = new Verdict.Converged();
  private static final Verdict SCHEMA_CHANGED =
      new Verdict.Incomplete(IncompleteReason.SCHEMA_CHANGED);

  /** What becomes of each table in the deferral, on both sides. */
  private static final Map<String, String> CHANGES =
      new TreeMap<>(
          Map.of(
              "s_add", "ALTER TABLE public.s_add ADD COLUMN extra int DEFAULT 5",
              "s_drop", "ALTER TABLE public.s_drop DROP COLUMN w",
              "s_type", "ALTER TABLE public.s_type ALTER COLUMN v TYPE bigint",
              "s_modifier", "ALTER TABLE public.s_modifier ALTER COLUMN w TYPE varchar(20)",
              "s_rename", "ALTER TABLE public.s_rename RENAME COLUMN w TO renamed",
              "s_same", "CREATE INDEX ON public.s_same (v)"));

  @TempDir Path dir;

  @Test
  void aChangeBetweenFirstReadAndRecheckIsIncompleteAndOtherTablesGoOn() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    for (String table : CHANGES.keySet()) {
      JoinedPair.table(table, "id int PRIMARY KEY, v int, w varchar(10)");
      pair.onSource("INSERT INTO public." + table + " VALUES (1, 1, 'w')");
    }
    pair.awaitApplied();
    // Lost instead of late: an applier that meets rows from before the change would fail for good.
    for (String table : CHANGES.keySet()) {
      JoinedPair.lose(table);
    }
    Map<String, String> settings = ObservedRun.settings(pair, dir, "schema");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.s_.*");
    settings.put("verify.recheck.delay.ms", "5000");
    settings.put("verify.replay.timeout.ms", "20000");
    try (ObservedRun run = ObservedRun.start(settings)) {
      for (String table : CHANGES.keySet()) {
        pair.onSource("UPDATE public." + table + " SET v = 2");
      }
      for (String table : CHANGES.keySet()) {
        run.awaitObservation(table, "1");
      }
      pair.awaitApplied();
      pair.onTarget("UPDATE public.s_same SET v = 2");
      for (String change : CHANGES.values()) {
        pair.onBoth(change);
      }
      assertThat(run.entries(Decision.class)).as("the changes were in time").isEmpty();
      for (String table : CHANGES.keySet()) {
        Decision decision = run.awaitDecision(table, "1");
        assertThat(decision.verdict())
            .as(table)
            .isEqualTo(table.equals("s_same") ? CONVERGED : SCHEMA_CHANGED);
        pair.onBoth("UPDATE public." + table + " SET v = 3");
      }
      // What could not be judged is observed anew, and the next change with the new columns.
      for (String table : CHANGES.keySet()) {
        run.awaitSettled(table, table.equals("s_same") ? 2 : 3);
        assertThat(
                run.coverage(table).outcomes().getOrDefault("matched", 0L)
                    + run.coverage(table).outcomes().getOrDefault("converged", 0L))
            .as(table)
            .isEqualTo(2);
      }
      assertThat(run.unresolved()).isEmpty();
      // D14: each altered table has its own event, the others none.
      assertThat(run.drift())
          .extracting(event -> event.table().orElseThrow().name())
          .containsExactlyInAnyOrder("s_add", "s_drop", "s_type", "s_modifier", "s_rename");
      assertThat(run.drift()).allMatch(e -> e.kind() == DriftEvent.Kind.SHAPE_CHANGED);
      run.end();
    }
  }

  @Test
  void whatTheTargetLacksIsNamed() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    String columns = "(id int PRIMARY KEY, v int";
    pair.onBoth("CREATE TABLE apart.complete " + columns + ")");
    pair.onSource(
        "CREATE TABLE apart.lacking " + columns + ", \"Extra one\" text)",
        "CREATE TABLE apart.gone " + columns + ")");
    pair.onTarget("CREATE TABLE apart.lacking " + columns + ")");
    Map<String, String> settings = ObservedRun.settings(pair, dir, "lacking");
    settings.put("schema.include.list", "apart");
    try (ObservedRun run = ObservedRun.start(settings)) {
      pair.onTarget("INSERT INTO apart.lacking VALUES (1, 1)");
      pair.onSource(
          "INSERT INTO apart.lacking VALUES (1, 1)",
          "INSERT INTO apart.gone VALUES (1, 1)",
          "INSERT INTO apart.complete VALUES (1, 1)");
      run.await("three decisions", r -> r.entries(Decision.class).size() == 3);

      Decision lacking = in(run, "lacking");
      assertThat(lacking.verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.TARGET_COLUMN_MISSING));
      assertThat(lacking.detail().orElseThrow()).contains("Extra one").contains("lacking");
      Decision gone = in(run, "gone");
      assertThat(gone.verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.TARGET_TABLE_MISSING));
      assertThat(gone.detail().orElseThrow()).contains("gone");
      // The row is missing, but the subscription does not carry its table.
      assertThat(in(run, "complete").verdict())
          .isEqualTo(new Verdict.Incomplete(IncompleteReason.TABLE_NOT_REPLICATED));
      assertThat(run.end().incomplete()).isEqualTo(3);
    }
  }

  private static Decision in(ObservedRun run, String table) {
    List<Decision> decisions =
        run.entries(Decision.class).stream()
            .filter(d -> d.table().equals(new TableId("apart", table)))
            .toList();
    assertThat(decisions).as(table).hasSize(1);
    return decisions.get(0);
  }
}
