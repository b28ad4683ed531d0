package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Lsn;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a run ends, what it prints where, and what the other commands make of its files. */
class RunOutcomeIT {

  private static final String LONE = "lone";

  @TempDir Path directory;

  private ReplicatedPair pair;

  @BeforeAll
  static void createTables() throws Exception {
    JoinedPair.healthy("outcome_fine");
    JoinedPair.lossy("outcome_lost");
    ReplicatedPair pair = JoinedPair.get();
    pair.onBoth(
        "CREATE TABLE public.outcome_keyless (id bigint, v text)",
        "ALTER TABLE public.outcome_keyless REPLICA IDENTITY FULL");
    pair.refresh();
    // A database of its own, where no applier is stopped by what is missing on the target.
    for (PostgresServer server : List.of(pair.source(), pair.target())) {
      server.execute("postgres", "CREATE DATABASE " + LONE);
      server.execute(LONE, "CREATE TABLE public.whole (id bigint PRIMARY KEY, v text)");
    }
    pair.source()
        .execute(
            LONE,
            "CREATE TABLE public.absent (id bigint PRIMARY KEY, v text)",
            "CREATE TABLE public.narrow (id bigint PRIMARY KEY, v text, extra int)");
    pair.target().execute(LONE, "CREATE TABLE public.narrow (id bigint PRIMARY KEY, v text)");
  }

  @BeforeEach
  void open() throws Exception {
    pair = JoinedPair.get();
  }

  /** A run that made its slot, so that what is written next is seen by the next run. */
  private Operated begun(String name, String tables) throws Exception {
    Operated operated = new Operated(pair, directory, name, tables);
    Operated.Outcome first = operated.run("--until-idle", "100ms", "--json");
    assertThat(first.status()).as(first.err()).isZero();
    assertThat(only(first.out()).path("coverage").path("observed").asInt(-1)).isZero();
    return operated;
  }

  /** The one JSON object that a text consists of. */
  private static JsonNode only(String text) throws IOException {
    assertThat(text.strip().lines()).hasSize(1);
    return JsonMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build()
        .readTree(text);
  }

  @Test
  void aCleanRunEndsWithZero() throws Exception {
    Operated operated = begun("outcome_fine", "public\\.outcome_fine");
    pair.onSource("INSERT INTO public.outcome_fine VALUES (1, 'a'), (2, 'b')");
    pair.awaitApplied();
    Operated.Outcome end = operated.run("--until-idle", "500ms", "--json");
    assertThat(end.status()).as(end.out() + end.err()).isZero();
    JsonNode json = only(end.out());
    assertThat(json.path("exit_status").asInt(-1)).isZero();
    assertThat(json.path("end_reason").asText()).isEqualTo("idle");
    assertThat(json.path("coverage").path("checked").asInt()).isEqualTo(2);
    assertThat(json.path("coverage").path("outcomes").path("matched").asInt()).isEqualTo(2);
    assertThat(end.err()).contains("started; audit file " + operated.auditFile());
    operated.forget();
  }

  @Test
  void confirmedFailuresEndWithTwoAndTheAuditCommandsTellTheSame() throws Exception {
    Operated operated = begun("outcome_lost", "public\\.outcome_fine,public\\.outcome_lost");
    pair.onSource(
        "INSERT INTO public.outcome_lost VALUES (7, 'lost')",
        "INSERT INTO public.outcome_fine VALUES (7, 'there')");
    Operated.Outcome end = operated.run("--until-idle", "500ms", "--json");
    assertThat(end.status()).as(end.out() + end.err()).isEqualTo(2);
    JsonNode run = only(end.out());
    assertThat(run.path("coverage").path("outcomes").path("unresolved_missing").asInt())
        .isEqualTo(1);

    String state = operated.state.toString();
    Operated.Outcome summary = Operated.command("audit", "summary", "--json", "--state-dir", state);
    assertThat(summary.status()).isEqualTo(2);
    assertThat(only(summary.out())).isEqualTo(run);
    assertThat(Operated.command("audit", "summary", "--state-dir", state).out())
        .contains("public.outcome_lost  1         missing 1")
        .contains("observed 2 = checked 2")
        .contains("agree");
    Operated.Outcome show =
        Operated.command("audit", "show", "--outcome", "unresolved", "--state-dir", state);
    assertThat(show.status()).isZero();
    assertThat(show.out().lines())
        .singleElement()
        .asString()
        .contains("public.outcome_lost", "id=7", "unresolved_missing");
    assertThat(
            Operated.command(
                    "audit",
                    "show",
                    "--table",
                    "public.outcome_fine",
                    "--key",
                    "id=7",
                    "--outcome",
                    "unresolved",
                    "--state-dir",
                    state)
                .out())
        .isEmpty();
    Operated.Outcome check = Operated.command("audit", "check", "--json", "--state-dir", state);
    assertThat(check.status()).isZero();
    assertThat(only(check.out()).path("whole").asBoolean()).isTrue();
    operated.forget();
  }

  @Test
  void aTableWithoutKeyIsSkippedWithTheReasonAndEndsWithThree() throws Exception {
    Operated operated = begun("outcome_keyless", "public\\.outcome_keyless");
    pair.onSource("INSERT INTO public.outcome_keyless VALUES (1, 'a')");
    Operated.Outcome end = operated.run("--until-idle", "500ms");
    assertThat(end.status()).as(end.out() + end.err()).isEqualTo(3);
    assertThat(end.out()).contains("skipped 1 (no_usable_key 1)");
    assertThat(
            Operated.command("audit", "summary", "--state-dir", operated.state.toString()).status())
        .isEqualTo(3);
    operated.forget();
  }

  @Test
  void whatTheTargetLacksAndWhatTheRoleMayNotReadIsNamed() throws Exception {
    Operated operated =
        new Operated(pair, directory, "outcome_lone", "public\\..*")
            .with("database.dbname", LONE)
            .with("verify.target.jdbc.url", pair.target().jdbcUrl(LONE))
            .with("verify.replay.confirmation", "none");
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
    pair.source()
        .execute(
            LONE,
            "INSERT INTO public.absent VALUES (1, 'a')",
            "INSERT INTO public.narrow VALUES (2, 'a', 1)");
    Operated.Outcome lacking = operated.run("--until-idle", "500ms");
    assertThat(lacking.status()).isEqualTo(3);
    assertThat(lacking.out()).contains("target_column_missing 1", "target_table_missing 1");
    assertThat(show(operated))
        .anyMatch(line -> line.contains("public.narrow") && line.contains("extra"))
        .anyMatch(line -> line.contains("public.absent") && line.contains("target"));

    pair.source().execute(LONE, "CREATE ROLE outcome_blind LOGIN REPLICATION");
    pair.target().execute(LONE, "CREATE ROLE outcome_blind LOGIN");
    pair.source().execute(LONE, "INSERT INTO public.whole VALUES (3, 'a')");
    operated.with("verify.target.user", "outcome_blind");
    Operated.Outcome blindThere = operated.run("--until-idle", "500ms");
    assertThat(blindThere.status()).isEqualTo(3);
    assertThat(show(operated))
        .anyMatch(
            line ->
                line.contains("id=3")
                    && line.contains("GRANT SELECT ON \"public\".\"whole\" TO <role>"));

    pair.source().execute(LONE, "INSERT INTO public.whole VALUES (4, 'a')");
    operated
        .with("verify.target.user", PostgresServer.SUPERUSER)
        .with("database.user", "outcome_blind");
    Operated.Outcome blindHere = operated.run("--until-idle", "500ms");
    assertThat(blindHere.status()).isEqualTo(3);
    assertThat(show(operated))
        .anyMatch(
            line ->
                line.contains("id=4")
                    && line.contains("GRANT SELECT ON \"public\".\"whole\" TO <role>"));
    operated.forget();
    pair.source().execute(LONE, "DROP PUBLICATION outcome_lone", "DROP ROLE outcome_blind");
    pair.target().execute(LONE, "DROP ROLE outcome_blind");
  }

  private static List<String> show(Operated operated) {
    return Operated.command("audit", "show", "--state-dir", operated.state.toString())
        .out()
        .lines()
        .toList();
  }

  @Test
  void offsetsAreShownAndDamageIsTold() throws Exception {
    Operated operated = begun("outcome_offsets", "public\\.outcome_fine");
    pair.onSource("INSERT INTO public.outcome_fine VALUES (100, 'a')");
    pair.awaitApplied();
    assertThat(operated.run("--until-idle", "500ms").status()).isZero();
    String state = operated.state.toString();

    Operated.Outcome text = Operated.command("offsets", "show", "--state-dir", state);
    assertThat(text.status()).as(text.err()).isZero();
    assertThat(text.out())
        .contains("resumes from   0/")
        .contains(
            "cluster        "
                + operated.askSource("SELECT system_identifier FROM pg_control_system()"))
        .contains("public.outcome_fine")
        .contains("id bigint key, v text");
    Operated.Outcome json = Operated.command("offsets", "show", "--json", "--state-dir", state);
    JsonNode shown = only(json.out());
    assertThat(Lsn.parse(shown.path("resume").asText()).hasPassed(Lsn.parse("0/1"))).isTrue();
    JsonNode table = shown.path("tables").path("public.outcome_fine");
    assertThat(table.path("versions")).hasSize(1);
    assertThat(table.path("columns").get(0).path("name").asText()).isEqualTo("id");
    assertThat(table.path("columns").get(0).path("key").asBoolean()).isTrue();

    Path offsets = RunSession.offsetsFile(operated.state);
    assertThat(Operated.command("offsets", "show", "--file", offsets.toString()).out())
        .isEqualTo(text.out());
    Files.writeString(offsets, Files.readString(offsets).replace("outcome_fine", "outcome_f1ne"));
    Operated.Outcome damaged = Operated.command("offsets", "show", "--state-dir", state);
    assertThat(damaged.status()).isEqualTo(1);
    assertThat(damaged.out()).isEmpty();
    assertThat(damaged.err()).contains(offsets.toString(), "damaged", "checksum");
    Operated.Outcome missing =
        Operated.command("offsets", "show", "--state-dir", directory.resolve("none").toString());
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.out()).isEmpty();
    assertThat(missing.err()).contains("There is no offsets file").contains("--state-dir");
    operated.forget();
  }

  /** O6: whatever is logged, and with secrets in every place that takes one. */
  @Test
  void noSecretIsPrintedAtAnyLevelByARunThatWorks() throws Exception {
    String secrets = "?password=" + Operated.SECRET + "&sslpassword=" + Operated.SECRET;
    Operated operated =
        new Operated(pair, directory, "outcome_secret", "public\\.outcome_lost")
            .with("database.sslpassword", Operated.SECRET)
            .with(
                "verify.source.jdbc.url", pair.source().jdbcUrl(ReplicatedPair.DATABASE) + secrets)
            .with(
                "verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE) + secrets);
    try (SpawnedRun run = operated.spawn("--log-level", "trace", "--until-idle", "2s")) {
      run.awaitStarted();
      pair.onSource("INSERT INTO public.outcome_lost VALUES (200, 'a')");
      Operated.Outcome end = run.awaitEnd(Duration.ofSeconds(60));
      assertThat(end.status()).as(end.err()).isEqualTo(2);
      assertThat(end.err()).contains(" INFO ");
      operated.assertNoSecret(end.out(), end.err());
    }
    operated.forget();
  }
}
