package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.RunStart;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify.ignore.apps}, and that every observed key is accounted for (invariant I). */
class IgnoredAppsIT {

  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);
  private static final Verdict MISSING = new Verdict.Unresolved(Kind.MISSING);
  private static final Verdict STALLED = new Verdict.Unresolved(Kind.TARGET_STALLED);

  @TempDir Path dir;

  @Test
  void onlyTheSourceRowsOwnerCountsAndAllKeysAreAccountedFor() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.table("apps", "id int PRIMARY KEY, app_pk bigint, v text");
    JoinedPair.table("no_app", "id int PRIMARY KEY, v text");
    JoinedPair.table("other_app", "id int PRIMARY KEY, app_pk text, v text");
    JoinedPair.table("said", "id int PRIMARY KEY, v text");
    for (String table : List.of("apps", "no_app", "other_app", "said")) {
      JoinedPair.lose(table);
    }
    pair.onTarget(
        "INSERT INTO public.apps VALUES (1, 7, 'y'), (2, 42, 'y'), (3, NULL, 'y'), (4, 8, 'y'),"
            + " (5, 7, 'x'), (6, 9, 'x'), (7, 7, 'x'), (8, 8, 'y'), (9, 7, 'y'), (13, 0, 'x'),"
            + " (14, 0, 'y')",
        "INSERT INTO public.no_app VALUES (7, 'y')",
        "INSERT INTO public.said VALUES (1, 'y')",
        "INSERT INTO public.other_app VALUES (1, '7', 'y')");
    Map<String, String> settings = ObservedRun.settings(pair, dir, "ignored");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.apps,public.no_app,public.other_app,public.said");
    settings.put("verify.columns.exclude", "public.said.v");
    settings.put("verify.ignore.apps", " 42,7, 7");
    settings.put("verify.recheck.delay.ms", "3000");
    try (ObservedRun run = ObservedRun.start(settings)) {
      assertThat(run.entries(RunStart.class).get(0).ignoredApps()).containsExactly(7L, 42L);
      assertThat(run.entries(RunStart.class).get(0).scope())
          .containsEntry("verify.columns.exclude", "public.said.v");
      write(pair);
      run.awaitObservation("apps", "9");
      pair.onSource(
          "UPDATE public.apps SET app_pk = 7 WHERE id = 8",
          "UPDATE public.apps SET app_pk = 8 WHERE id = 9");
      assertThat(run.decisions("apps")).as("the writes were in time for the deferral").isEmpty();
      run.awaitSettled("apps", 21);
      run.awaitSettled("other_app", 1);
      run.awaitSettled("said", 1);
      assertThat(run.coverage("said").outcomes()).isEqualTo(Map.of("matched", 1L));

      Map<String, Verdict> verdicts = new TreeMap<>();
      run.decisions("apps").forEach(d -> verdicts.putIfAbsent(d.key().texts().get(0), d.verdict()));
      assertThat(verdicts)
          .containsExactlyInAnyOrderEntriesOf(
              Map.ofEntries(
                  Map.entry("1", new Verdict.IgnoredApp(7)),
                  Map.entry("2", new Verdict.IgnoredApp(42)),
                  Map.entry("3", DIFFERENT),
                  Map.entry("4", DIFFERENT),
                  // The target's owner never counts.
                  Map.entry("5", DIFFERENT),
                  Map.entry("6", new Verdict.IgnoredApp(7)),
                  // Ownership is read afresh.
                  Map.entry("8", new Verdict.IgnoredApp(7)),
                  Map.entry("9", STALLED),
                  Map.entry("10", new Verdict.IgnoredApp(7)),
                  Map.entry("11", MISSING),
                  Map.entry("14", DIFFERENT)));
      assertThat(run.decisions("no_app")).extracting(Decision::verdict).containsExactly(DIFFERENT);
      assertThat(run.decisions("other_app"))
          .extracting(Decision::verdict)
          .containsExactly(DIFFERENT);

      // 19 changes at first, of which 5 were repeats, and 2 later.
      Coverage apps = run.coverage("apps");
      assertThat(apps.observed()).isEqualTo(21);
      assertThat(apps.coalesced()).isEqualTo(5);
      assertThat(apps.skipped()).isEqualTo(Map.of("source_absent", 1L));
      assertThat(apps.outcomes())
          .isEqualTo(
              Map.of(
                  "matched", 2L,
                  "ignored_app", 6L,
                  "unresolved_different", 5L,
                  "unresolved_missing", 1L,
                  "unresolved_target_stalled", 1L));
      Coverage total = run.end();
      assertThat(total.observed()).isEqualTo(24);
      assertThat(total.pending()).isZero();
    }
  }

  private static void write(ReplicatedPair pair) throws Exception {
    try (Connection source = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = source.createStatement()) {
      source.setAutoCommit(false);
      statement.execute(
          "INSERT INTO public.apps VALUES (1, 7, 'x'), (2, 42, 'x'), (3, NULL, 'x'), (4, 8, 'x'),"
              + " (5, 9, 'x'), (6, 7, 'x'), (7, 7, 'x'), (8, 8, 'x'), (9, 7, 'x'), (10, 7, 'x'),"
              + " (11, 0, 'x')");
      // Inserted and deleted: nothing to judge. Two changes of one key.
      statement.execute("INSERT INTO public.apps VALUES (12, 0, 'x')");
      statement.execute("DELETE FROM public.apps WHERE id = 12");
      // Inserted again: judged as any other, one equal and one not.
      statement.execute("INSERT INTO public.apps VALUES (13, 0, 'old'), (14, 0, 'old')");
      statement.execute("DELETE FROM public.apps WHERE id IN (13, 14)");
      statement.execute("INSERT INTO public.apps VALUES (13, 0, 'x'), (14, 0, 'x')");
      statement.execute("INSERT INTO public.no_app VALUES (7, 'x')");
      statement.execute("INSERT INTO public.said VALUES (1, 'x')");
      statement.execute("INSERT INTO public.other_app VALUES (1, '7', 'x')");
      source.commit();
    }
  }
}
