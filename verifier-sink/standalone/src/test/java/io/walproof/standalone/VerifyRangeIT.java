package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code verify-range} on a replicated pair with its applier running. */
class VerifyRangeIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static ReplicatedPair pair;

  @TempDir Path directory;
  private Operated operated;

  @BeforeAll
  static void start() throws Exception {
    pair = ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
    pair.onBoth(
        "CREATE SCHEMA apart",
        "CREATE SCHEMA lists",
        "CREATE TABLE apart.t (id int PRIMARY KEY)",
        "CREATE TABLE public.busy (id int PRIMARY KEY, v text, w numeric)",
        "CREATE TABLE public.calm (id int PRIMARY KEY, v text)",
        "CREATE TABLE public.said (id int PRIMARY KEY, v text, w text)",
        "CREATE TABLE public.large (id int PRIMARY KEY, v text)",
        "CREATE TABLE lists.cols (id int PRIMARY KEY, a text, b text)",
        "CREATE TABLE lists.filtered (id int PRIMARY KEY, k0 int)",
        "CREATE TABLE lists.inserted (id int PRIMARY KEY)",
        "CREATE TABLE lists.appended (id int PRIMARY KEY)",
        "CREATE TABLE lists.mixed (id int PRIMARY KEY, k0 int)");
    pair.onSource(
        "INSERT INTO apart.t VALUES (1)",
        "CREATE TABLE lists.parts (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE lists.parts_1 PARTITION OF lists.parts FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE lists.parts_2 PARTITION OF lists.parts FOR VALUES FROM (10) TO (20)",
        "CREATE TABLE lists.parts_3 PARTITION OF lists.parts FOR VALUES FROM (20) TO (30)",
        "INSERT INTO lists.parts SELECT i FROM generate_series(0, 29) AS i",
        "INSERT INTO lists.cols SELECT i, 'a', 'b' FROM generate_series(1, 9) AS i",
        "INSERT INTO lists.filtered SELECT i, i FROM generate_series(1, 900) AS i",
        "ALTER TABLE lists.filtered REPLICA IDENTITY FULL",
        "ALTER TABLE lists.mixed REPLICA IDENTITY FULL",
        "INSERT INTO lists.inserted SELECT i FROM generate_series(1, 9) AS i",
        "INSERT INTO public.busy SELECT i, 'v' || i, i / 3.0 FROM generate_series(1, 20000) AS i",
        "INSERT INTO public.calm SELECT i, 'v' FROM generate_series(1, 1000) AS i",
        "INSERT INTO public.said SELECT i, 'v', 'w' FROM generate_series(1, 9) AS i",
        "INSERT INTO public.large SELECT i, 'v' FROM generate_series(1, 20000) AS i",
        "CREATE PUBLICATION " + ReplicatedPair.PUBLICATION + " FOR TABLES IN SCHEMA public",
        "CREATE PUBLICATION lists FOR TABLE lists.cols (id, a), lists.filtered WHERE (k0 > 500),"
            + " lists.mixed WHERE (k0 > 500), lists.parts_1, lists.parts_2",
        "CREATE PUBLICATION more FOR TABLE lists.filtered WHERE (k0 <= 100)",
        "CREATE PUBLICATION inserts FOR TABLE lists.inserted WHERE (id > 5), lists.appended,"
            + " lists.mixed WITH (publish = 'insert')");
    pair.onTarget(
        "CREATE TABLE lists.parts_1 (id int PRIMARY KEY)",
        "CREATE TABLE lists.parts_2 (id int PRIMARY KEY)");
    pair.subscribe(ReplicatedPair.SUBSCRIPTION, ReplicatedPair.PUBLICATION);
    pair.subscribe("lists", "lists, more, inserts");
    pair.awaitCopied();
  }

  @AfterAll
  static void stop() throws Exception {
    pair.close();
  }

  @BeforeEach
  void settings() {
    operated = new Operated(pair, directory, "ranges", "public\\..*,lists\\..*,apart\\..*");
    operated.with("verify.range.chunk.rows", "1000");
  }

  private Operated.Outcome check(String... more) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of("verify-range", "--config", operated.config().toString(), "--json"));
    args.addAll(List.of(more));
    Operated.Outcome outcome = Operated.command(args.toArray(String[]::new));
    operated.assertNoSecret(outcome.out(), outcome.err());
    return outcome;
  }

  private static JsonNode table(Operated.Outcome outcome, String name) throws Exception {
    for (JsonNode table : JSON.readTree(outcome.out()).path("tables")) {
      if (table.path("table").path("name").asText().equals(name)) {
        return table;
      }
    }
    throw new AssertionError("no " + name + " in " + outcome.out() + outcome.err());
  }

  private static Set<String> ids(JsonNode names) {
    Set<String> ids = new TreeSet<>();
    names.path("named").forEach(key -> ids.add(key.path("id").asText()));
    return ids;
  }

  @Test
  void aColumnThatIsLeftOutIsShownBesideTheResult() throws Exception {
    pair.onTarget("UPDATE public.said SET v = 'x'");
    assertThat(check("--table", "public.said").status()).isEqualTo(2);
    operated.with("verify.columns.exclude", "public.said.v");
    Operated.Outcome outcome = check("--table", "public.said");
    assertThat(outcome.status()).as(outcome.out() + outcome.err()).isZero();
    assertThat(
            JSON.readTree(outcome.out())
                .path("column_settings")
                .path("verify.columns.exclude")
                .asText())
        .isEqualTo("public.said.v");
    operated.with("verify.columns.exclude", "public.said.vv");
    Operated.Outcome refused = check("--table", "public.said");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .contains("verify.columns.exclude names a column that the source does not have:")
        .contains("public.said.vv");
  }

  @Test
  void equalTablesAreCleanAndFaultsAreNamed() throws Exception {
    Operated.Outcome clean = check("--table", "public.calm");
    assertThat(clean.status()).as(clean.out() + clean.err()).isZero();
    assertThat(table(clean, "calm").path("strength").asText()).isEqualTo("live");
    assertThat(table(clean, "calm").path("coverage").path("rows").asLong()).isEqualTo(1_000);

    pair.onTarget(
        "UPDATE public.calm SET v = 'x' WHERE id = 500",
        "DELETE FROM public.calm WHERE id = 1000",
        "INSERT INTO public.calm VALUES (2000, 'v')");
    Operated.Outcome found = check("--table", "public.c*");
    assertThat(found.status()).as(found.out() + found.err()).isEqualTo(2);
    JsonNode calm = table(found, "calm");
    assertThat(ids(calm.path("keys").path("unresolved_different"))).containsExactly("500");
    assertThat(ids(calm.path("keys").path("unresolved_missing"))).containsExactly("1000");
    assertThat(ids(calm.path("target_only"))).containsExactly("2000");

    Operated.Outcome part =
        check(
            "--table",
            "public.calm",
            "--from",
            "501",
            "--to",
            "999",
            "--state-dir",
            directory.resolve("other").toString());
    assertThat(part.status()).as(part.out() + part.err()).isZero();
    assertThat(table(part, "calm").path("coverage").path("rows").asLong()).isEqualTo(499);

    Operated.Outcome extra = check("--table", "public.calm", "--from", "1001");
    assertThat(extra.status()).isEqualTo(ExitStatus.INCOMPLETE.code());

    Operated.Outcome audit =
        Operated.command("audit", "check", "--state-dir", operated.state.toString());
    assertThat(audit.status()).as(audit.out() + audit.err()).isZero();
    List<AuditType> types = operated.audit().stream().map(AuditRecord::type).toList();
    assertThat(types).contains(AuditType.RANGE_START, AuditType.RANGE_END, AuditType.DECISION);
    assertThat(
            operated.audit().stream()
                .filter(record -> record.type() == AuditType.DECISION)
                .map(record -> record.json().path("stratum").asText()))
        .containsOnly("range");
    pair.onTarget(
        "UPDATE public.calm SET v = 'v' WHERE id = 500",
        "INSERT INTO public.calm VALUES (1000, 'v')",
        "DELETE FROM public.calm WHERE id = 2000");
  }

  /** Point 3: no false alarm and no skipping on a busy table. */
  @Test
  void aBusyTableRaisesNoAlarmAndHidesNoFault() throws Exception {
    operated.with("verify.range.chunk.rows", "2000");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                write(stop);
              } catch (SQLException e) {
                failure.set(e);
              }
            });
    writer.start();
    try {
      for (int round = 0; round < 3; round++) {
        Operated.Outcome healthy = check("--table", "public.busy");
        assertThat(healthy.status()).as(healthy.out() + healthy.err()).isZero();
      }
      // Ids that are divisible by 10 are left alone by the writer.
      pair.onTarget(
          "DELETE FROM public.busy WHERE id IN (10, 10000)",
          "UPDATE public.busy SET w = w + 1 WHERE id = 20000");
      Operated.Outcome faulty = check("--table", "public.busy");
      assertThat(faulty.status()).as(faulty.out() + faulty.err()).isEqualTo(2);
      JsonNode busy = table(faulty, "busy");
      assertThat(ids(busy.path("keys").path("unresolved_missing"))).containsExactly("10", "10000");
      assertThat(ids(busy.path("keys").path("unresolved_different"))).containsExactly("20000");
    } finally {
      stop.set(true);
      writer.join();
    }
    assertThat(failure.get()).isNull();
  }

  private static void write(AtomicBoolean stop) throws SQLException {
    Random random = new Random(7);
    int next = 20_001;
    try (Connection connection = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement()) {
      while (!stop.get()) {
        int id = random.nextInt(2_000) * 10 + 1 + random.nextInt(9);
        switch (random.nextInt(4)) {
          case 0 -> statement.execute("DELETE FROM public.busy WHERE id = " + id);
          case 1 ->
              statement.execute(
                  "INSERT INTO public.busy VALUES ("
                      + id
                      + ", 'again', 1) ON CONFLICT (id)"
                      + " DO UPDATE SET v = 'again'");
          case 2 ->
              statement.execute(
                  "UPDATE public.busy SET v = v || '.', w = w * 2 WHERE id BETWEEN "
                      + id
                      + " AND "
                      + id
                      + " + 3 AND id % 10 <> 0 AND length(v) < 100");
          default -> {
            next += next % 10 == 9 ? 2 : 1;
            statement.execute("INSERT INTO public.busy VALUES (" + next + ", 'new', 0)");
          }
        }
      }
    }
  }

  /**
   * Killed with -9 in the middle, it goes on where it was, and what it had found is found again.
   */
  @Test
  void isContinuedAfterAKill() throws Exception {
    operated.with("verify.range.chunk.rows", "500").with("verify.duty.cycle", "0.01");
    pair.onTarget(
        "DELETE FROM public.large WHERE id = 100",
        "UPDATE public.large SET v = 'x' WHERE id = 19999");
    try (SpawnedRun run =
        SpawnedRun.start(
            directory, "verify-range", operated.config(), List.of("--table", "public.large"))) {
      Operated.until("some chunks to be proved", () -> ledgerLines() > 5 || !run.isAlive());
      assertThat(run.isAlive()).as(run.err()).isTrue();
      run.kill();
    }
    operated.without("verify.duty.cycle");
    Operated.Outcome rest = check("--table", "public.large");
    assertThat(rest.status()).as(rest.out() + rest.err()).isEqualTo(2);
    JsonNode large = table(rest, "large");
    assertThat(large.path("resumed").asBoolean()).isTrue();
    assertThat(large.path("coverage").path("rows").asLong()).isEqualTo(20_000);
    assertThat(ids(large.path("keys").path("unresolved_missing"))).containsExactly("100");
    assertThat(ids(large.path("keys").path("unresolved_different"))).containsExactly("19999");
    assertThat(ledgerLines()).isZero();
  }

  /** A deadline leaves the key that was covered, and the next check goes on from there. */
  @Test
  void aDeadlineLeavesTheRestForLater() throws Exception {
    operated.with("verify.range.chunk.rows", "5").with("verify.duty.cycle", "0.01");
    int covered = 0;
    // A slow machine may need longer to begin.
    for (int seconds = 4; covered == 0 && seconds < 60; seconds *= 2) {
      Operated.Outcome first = check("--table", "public.calm", "--deadline", seconds + "s");
      assertThat(first.status()).as(first.out() + first.err()).isEqualTo(3);
      JsonNode cut = table(first, "calm");
      assertThat(cut.path("reason").asText()).isEqualTo("deadline");
      assertThat(cut.path("coverage").path("complete").asBoolean()).isFalse();
      covered = cut.path("coverage").path("covered_to").path("id").asInt();
      // Ids are 1, 2, 3 and so on.
      assertThat(cut.path("coverage").path("rows").asInt()).isEqualTo(covered);
    }
    assertThat(covered).isBetween(5, 999);
    operated.without("verify.duty.cycle");
    // What was covered is not read again, so a fault there stays unseen until a check begins anew.
    pair.onTarget("UPDATE public.calm SET v = 'w' WHERE id = 1");
    Operated.Outcome second = check("--table", "public.calm");
    assertThat(second.status()).as(second.out() + second.err()).isZero();
    assertThat(table(second, "calm").path("resumed").asBoolean()).isTrue();
    assertThat(table(second, "calm").path("coverage").path("rows").asInt()).isEqualTo(1000);
    Operated.Outcome anew = check("--table", "public.calm");
    assertThat(anew.status()).as(anew.out() + anew.err()).isEqualTo(2);
    pair.onTarget("UPDATE public.calm SET v = 'v' WHERE id = 1");
  }

  private long ledgerLines() throws Exception {
    Path ledgers = operated.state.resolve("range");
    if (!Files.isDirectory(ledgers)) {
      return 0;
    }
    long lines = 0;
    try (Stream<Path> files = Files.list(ledgers)) {
      for (Path file : files.toList()) {
        lines += Files.readString(file).chars().filter(c -> c == '\n').count();
      }
    }
    return lines;
  }

  /** Point 7: what the pipeline does not carry is not undelivered. */
  @Test
  void filtersComeFirst() throws Exception {
    Operated.Outcome apart = check("--table", "apart.t");
    assertThat(apart.status()).isEqualTo(3);
    assertThat(table(apart, "t").path("outcome").asText()).isEqualTo("skipped");
    assertThat(table(apart, "t").path("reason").asText()).isEqualTo("not_replicated");

    Operated.Outcome inserted = check("--table", "lists.inserted");
    assertThat(inserted.status()).isEqualTo(3);
    assertThat(table(inserted, "inserted").path("reason").asText()).isEqualTo("row_filter");

    Operated.Outcome appended = check("--table", "lists.appended");
    assertThat(appended.status()).isEqualTo(3);
    assertThat(table(appended, "appended").path("reason").asText()).isEqualTo("changes_not_sent");
    // What is left open stands in the evidence.
    assertThat(Operated.command("audit", "summary", "--state-dir", operated.state.toString()).out())
        .contains("range checks: 0 failed, 1 without a judgement");

    Operated.Outcome columns = check("--table", "lists.cols");
    assertThat(columns.status()).as(columns.out() + columns.err()).isZero();
    assertThat(table(columns, "cols").path("coverage").path("rows").asLong()).isEqualTo(9);
    assertThat(table(columns, "cols").path("detail").asText())
        .contains("column list")
        .endsWith(": b");
    assertThat(operated.audit())
        .filteredOn(record -> record.table().filter(t -> t.name().equals("cols")).isPresent())
        .last()
        .satisfies(
            end ->
                assertThat(end.json().path("detail"))
                    .isEqualTo(table(columns, "cols").path("detail")));

    Operated.Outcome leaves = check("--table", "lists.parts");
    assertThat(leaves.status()).as(leaves.out() + leaves.err()).isEqualTo(3);
    assertThat(table(leaves, "parts_3").path("reason").asText()).isEqualTo("not_replicated");
    assertThat(table(leaves, "parts_1").path("coverage").path("rows").asLong()).isEqualTo(10);
    assertThat(table(leaves, "parts_2").path("coverage").path("rows").asLong()).isEqualTo(10);

    operated.with("table.include.list", "public\\.calm,lists\\.parts_.*");
    Operated.Outcome all = check("--all");
    assertThat(all.status()).as(all.out() + all.err()).isZero();
    JsonNode result = JSON.readTree(all.out());
    Set<String> checked = new TreeSet<>();
    result.path("tables").forEach(t -> checked.add(t.path("table").path("name").asText()));
    assertThat(checked).containsExactly("calm", "parts_1", "parts_2");
    Set<String> reasons = new TreeSet<>();
    result.path("left_out").forEach(t -> reasons.add(t.path("reason").asText()));
    assertThat(reasons).contains("excluded_by_filter", "not_replicated");
    Set<String> leftOut = new TreeSet<>();
    result.path("left_out").forEach(t -> leftOut.add(t.path("table").path("name").asText()));
    assertThat(leftOut).contains("parts_3").doesNotContain("parts");
  }

  /** Rows that the publications' row filters let through are checked, and the others are not. */
  @Test
  void aRowFilterSaysWhichRowsThereShouldBe() throws Exception {
    operated.with("verify.range.chunk.rows", "100");
    for (String digest : List.of("client", "server")) {
      operated.with("verify.range.digest", digest);
      Operated.Outcome equal = check("--table", "lists.filtered");
      assertThat(equal.status()).as(equal.out() + equal.err()).isZero();
      assertThat(table(equal, "filtered").path("coverage").path("rows").asLong()).isEqualTo(500);
      assertThat(table(equal, "filtered").path("detail").asText()).contains("row filter");
    }
    pair.onTarget(
        "DELETE FROM lists.filtered WHERE id = 50",
        "UPDATE lists.filtered SET k0 = 7 WHERE id = 600",
        "INSERT INTO lists.filtered VALUES (300, 300)");
    Operated.Outcome faults = check("--table", "lists.filtered");
    assertThat(faults.status()).as(faults.out() + faults.err()).isEqualTo(2);
    JsonNode table = table(faults, "filtered");
    assertThat(ids(table.path("keys").path("unresolved_missing"))).containsExactly("50");
    assertThat(ids(table.path("keys").path("unresolved_different"))).containsExactly("600");
    assertThat(ids(table.path("target_only"))).containsExactly("300");
    pair.onTarget(
        "INSERT INTO lists.filtered VALUES (50, 50)",
        "UPDATE lists.filtered SET k0 = 600 WHERE id = 600",
        "DELETE FROM lists.filtered WHERE id = 300");
    // A row that leaves the filter is deleted there, which is no finding.
    pair.onSource("UPDATE lists.filtered SET k0 = 200 WHERE id = 700");
    pair.awaitApplied();
    Operated.Outcome left = check("--table", "lists.filtered");
    assertThat(left.status()).as(left.out() + left.err()).isZero();
    assertThat(table(left, "filtered").path("coverage").path("rows").asLong()).isEqualTo(499);
  }

  /** A pipeline without a subscription, such as Debezium's: nothing on the target tells. */
  @Test
  void withoutASubscriptionANamedPublicationTellsWhatIsCarried() throws Exception {
    operated
        .with("verify.replay.confirmation", "none")
        .with("verify.replay.subscription", "nothing")
        .with("verify.settle.ms", "0")
        .with("verify.recheck.delay.ms", "0");
    assertThat(check("--table", "lists.filtered").status()).as("nothing is known").isEqualTo(2);
    operated.with("verify.pipeline.publication", "lists, nowhere");
    assertRefused("no publication nowhere", "--table", "lists.filtered");

    operated.with("verify.pipeline.publication", "lists, more");
    Operated.Outcome all = check("--table", "lists.*");
    assertThat(all.status()).as(all.out() + all.err()).isEqualTo(3);
    Map<String, String> outcomes = new TreeMap<>();
    JSON.readTree(all.out())
        .path("tables")
        .forEach(
            table ->
                outcomes.put(
                    table.path("table").path("name").asText(), table.path("outcome").asText()));
    assertThat(outcomes)
        .isEqualTo(
            Map.of(
                "cols", "proved",
                "filtered", "skipped",
                "mixed", "skipped",
                "parts_1", "proved",
                "parts_2", "proved",
                "parts_3", "skipped",
                "appended", "skipped",
                "inserted", "skipped"));
    assertThat(table(all, "filtered").path("detail").asText()).contains("row filter");
    assertThat(table(all, "cols").path("detail").asText()).contains("column list").endsWith(": b");
    assertThat(check("--table", "apart.t").status()).isEqualTo(3);

    // A cursor names the partitions that the connector reads.
    String name = "incremental_snapshot_collections";
    Path offset = directory.resolve("leaves.json");
    Files.writeString(
        offset,
        JSON.createObjectNode()
            .put("lsn", 1)
            .put(name, "[{\"" + name + "_id\": \"lists.parts_2\"}]")
            .put("incremental_snapshot_primary_key", ClaimedOffsetsIT.serialised(14))
            .toString());
    Operated.Outcome claimed =
        check("--claim-offsets", offset.toString(), "--table", "lists.parts*");
    assertThat(claimed.status()).as(claimed.out() + claimed.err()).isZero();
    assertThat(table(claimed, "parts_1").path("coverage").path("rows").asInt()).isEqualTo(10);
    assertThat(table(claimed, "parts_2").path("coverage").path("rows").asInt()).isEqualTo(5);
    operated.without("verify.pipeline.publication");
    assertRefused("verify.pipeline.publication", "--claim-offsets", offset.toString());
  }

  /** PostgreSQL ORs the filters of the publications that send the kind of change, not of all. */
  @Test
  void filtersThatAreNotTheSameForEveryChangeLeaveNothingToJudge() throws Exception {
    pair.onSource("INSERT INTO lists.mixed VALUES (1, 1), (2, 501)");
    pair.onSource("UPDATE lists.mixed SET k0 = k0 + 1");
    pair.awaitApplied();
    assertThat(
            operated.askTarget(
                "SELECT string_agg(id || ' ' || k0, ', ' ORDER BY id) FROM lists.mixed"))
        .as("the insert outside the filter arrived, its update did not")
        .isEqualTo("1 1, 2 502");
    Operated.Outcome mixed = check("--table", "lists.mixed");
    assertThat(mixed.status()).as(mixed.out() + mixed.err()).isEqualTo(3);
    assertThat(table(mixed, "mixed").path("outcome").asText()).isEqualTo("skipped");
    assertThat(table(mixed, "mixed").path("reason").asText()).isEqualTo("row_filter");
  }

  @Test
  void wrongUseIsSaid() throws Exception {
    assertRefused("name tables with --table, or ask for --all");
    assertRefused("schema.table", "--table", "calm");
    assertRefused("go with one --table", "--all", "--from", "1");
    assertRefused("go with --claim-offsets", "--all", "--claim-zone", "UTC");
    assertRefused("no table of the source matches", "--table", "public.zz*");
    assertRefused("does not take a bound's values", "--table", "public.calm", "--from", "x7x");
    assertRefused("no JSON array", "--table", "public.calm", "--from", "[7");
    assertRefused("in that order: [\"...\"]", "--table", "public.calm", "--from", "[7, 8]");
    operated.with("verify.duty.cycle", "2");
    assertRefused("'verify.duty.cycle' must be a number", "--all");
  }

  private void assertRefused(String message, String... args) throws Exception {
    Operated.Outcome outcome = check(args);
    assertThat(outcome.status()).as(outcome.out() + outcome.err()).isEqualTo(1);
    assertThat(outcome.err()).contains(message).doesNotContain("x7x");
  }
}
