package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.TableId;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Range checks that a run does by itself: what no change names is found without being asked for.
 */
class RunRangesIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path directory;

  private static Set<String> failing(Operated operated, String table) {
    Set<String> failing = new TreeSet<>();
    for (AuditRecord record : operated.audit()) {
      if (record.type() == AuditType.DECISION
          && record.outcome().orElseThrow().startsWith("unresolved")
          && record.table().orElseThrow().name().equals(table)) {
        assertThat(record.json().path("stratum").asText()).isEqualTo("range");
        failing.add(record.json().path("key").path("id").asText());
      }
    }
    return failing;
  }

  private static List<AuditRecord> drift(Operated operated) {
    return operated.audit().stream().filter(record -> record.type() == AuditType.DRIFT).toList();
  }

  private static List<AuditRecord> ends(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.RANGE_END)
        .toList();
  }

  @Test
  void aRunOnResumeFindsWhatNoChangeNamesAndSaysSoInItsEnd() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("unattended");
    pair.onSource("INSERT INTO public.unattended SELECT g, 'v' FROM generate_series(1, 500) AS g");
    pair.awaitApplied();
    pair.onTarget(
        "DELETE FROM public.unattended WHERE id = 7",
        "UPDATE public.unattended SET v = 'w' WHERE id = 8");
    Operated operated = new Operated(pair, directory, "unattended", "public\\.unattended");
    Operated.Outcome without = operated.run("--until-idle", "100ms", "--json");
    assertThat(without.status()).as(without.err()).isZero();
    assertThat(JSON.readTree(without.out()).has("ranges")).isFalse();

    operated.with("verify.range.on.resume", "true");
    Operated.Outcome cut =
        operated.with("verify.range.deadline.ms", "1").run("--until-idle", "100ms", "--json");
    assertThat(cut.status()).as(cut.out() + cut.err()).isEqualTo(3);
    Operated.Outcome found =
        operated.without("verify.range.deadline.ms").run("--until-idle", "100ms", "--json");
    assertThat(found.status()).as(found.out() + found.err()).isEqualTo(2);
    JsonNode json = JSON.readTree(found.out());
    assertThat(json.path("exit_status").asInt()).isEqualTo(2);
    assertThat(json.path("disagreements")).isEmpty();
    assertThat(json.at("/coverage/outcomes/unresolved_missing").asInt()).isEqualTo(1);
    JsonNode range = json.path("ranges").path(0);
    assertThat(range.path("outcome").asText()).isEqualTo("failed");
    assertThat(range.at("/coverage/rows").asInt()).isEqualTo(500);
    assertThat(range.at("/keys/unresolved_missing/named/0/id").asText()).isEqualTo("7");
    assertThat(range.at("/keys/unresolved_different/named/0/id").asText()).isEqualTo("8");
    assertThat(failing(operated, "unattended")).containsExactly("7", "8");

    pair.onTarget("INSERT INTO public.unattended VALUES (7, 'v')");
    Operated.Outcome text = operated.run("--until-idle", "100ms");
    assertThat(text.status()).as(text.out() + text.err()).isEqualTo(2);
    assertThat(text.out()).contains("range checks").contains("unresolved_different: 1: (id=8)");
    pair.onTarget("UPDATE public.unattended SET v = 'v' WHERE id = 8");
    Operated.Outcome mended = operated.run("--until-idle", "100ms");
    assertThat(mended.status()).as(mended.out() + mended.err()).isZero();
    assertThat(
            Operated.command("audit", "check", "--state-dir", operated.state.toString()).status())
        .isZero();
    operated.assertNoSecret(text.out(), text.err());
    operated.forget();
  }

  /** Nothing is reported of a busy table whose applier is healthy, and a fault in it is. */
  @Test
  void aBusyTableOnAScheduleRaisesNoAlarmAndHidesNoFault() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("busy_a");
    JoinedPair.healthy("busy_b");
    pair.onSource("INSERT INTO public.busy_a VALUES (1000000000, 'still')");
    pair.awaitApplied();
    Operated operated =
        new Operated(pair, directory, "busy", "public\\.busy_.")
            .with("verify.range.interval.ms", "200")
            .with("verify.range.chunk.rows", "100")
            .with("verify.replay.timeout.ms", "30000");
    try (SpawnedRun run = operated.spawn().awaitStarted();
        WitnessLoad load = new WitnessLoad(pair, "busy_a", "busy_b", 3, 10)) {
      Operated.until(
          "load and checks", () -> load.transactions() > 50 && ends(operated).size() > 7);
      assertThat(failing(operated, "busy_a")).isEmpty();
      assertThat(failing(operated, "busy_b")).isEmpty();
      pair.onTarget("DELETE FROM public.busy_a WHERE id = 1000000000");
      Operated.until("the fault to be found", () -> !failing(operated, "busy_a").isEmpty());
      assertThat(failing(operated, "busy_a")).containsExactly("1000000000");
      assertThat(failing(operated, "busy_b")).isEmpty();
      run.signal("TERM");
      Operated.Outcome end = run.awaitEnd(Duration.ofSeconds(60));
      assertThat(end.status()).as(end.out() + end.err()).isEqualTo(2);
      assertThat(end.out()).contains("range checks").contains("busy_a");
    }
    assertThat(
            operated.askTarget(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof'"))
        .isEqualTo("0");
    operated.forget();
  }

  /** Rows that were lost where nothing was streamed. */
  @Test
  void aTableCreatedAnewAndAGapSetOffChecks() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("anew");
    JoinedPair.healthy("anew_other");
    Operated operated =
        new Operated(pair, directory, "anew", "public\\.anew.*")
            .with("verify.range.on.drift", "true");
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
    pair.onSource(
        "INSERT INTO public.anew VALUES (1, 'a')", "INSERT INTO public.anew_other VALUES (1, 'a')");
    Operated.Outcome quiet = operated.run("--until-idle", "100ms");
    assertThat(quiet.status()).as(quiet.out() + quiet.err()).isZero();
    assertThat(ends(operated)).isEmpty();

    pair.onTarget("TRUNCATE public.anew");
    pair.onSource(
        "DROP TABLE public.anew",
        "CREATE TABLE public.anew (id bigint PRIMARY KEY, v text)",
        "INSERT INTO public.anew SELECT g, 'b' FROM generate_series(1, 30) AS g",
        "ALTER PUBLICATION anew ADD TABLE public.anew",
        "INSERT INTO public.anew VALUES (31, 'c')");
    pair.refresh();
    pair.awaitApplied();
    pair.onTarget(
        "DELETE FROM public.anew WHERE id = 5", "DELETE FROM public.anew_other WHERE id = 1");
    Operated.Outcome anew = operated.run("--until-idle", "100ms");
    assertThat(anew.status()).as(anew.out() + anew.err()).isEqualTo(2);
    assertThat(failing(operated, "anew")).containsExactly("5");
    assertThat(failing(operated, "anew_other")).isEmpty();
    // By the gap at the start and by the change that shows another table; one check may serve both.
    TableId table = new TableId("public", "anew");
    assertThat(drift(operated))
        .extracting(record -> record.json().path("kind").asText())
        .contains("gap", "table_recreated");
    assertThat(ends(operated)).isNotEmpty().allMatch(end -> end.table().equals(Optional.of(table)));

    operated.forget();
    pair.onSource("INSERT INTO public.anew VALUES (100, 'in the gap')");
    pair.awaitApplied();
    pair.onTarget("DELETE FROM public.anew WHERE id = 100");
    Operated.Outcome gap = operated.run("--until-idle", "100ms", "--accept-gap");
    assertThat(gap.status()).as(gap.out() + gap.err()).isEqualTo(2);
    assertThat(failing(operated, "anew")).containsExactlyInAnyOrder("5", "100");
    assertThat(failing(operated, "anew_other")).containsExactly("1");
    operated.forget();
  }
}
