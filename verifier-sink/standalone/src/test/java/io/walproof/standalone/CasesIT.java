package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cases that real users hit, end to end: one run over many tables, in a JVM of an Asian zone, with
 * an ordinary role for the reads and a hostile search path; then a second run in another zone. The
 * applier carries no row of these tables, so that each side holds what the test wrote there.
 */
class CasesIT {

  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);

  /** D9. */
  private static final List<String> NAMES =
      List.of("Foo", "foo", "a.b", "x#y/z", "1st", "select", "foo\"bar", "größe 表");

  private static final TimeZone ZONE = TimeZone.getDefault();

  @TempDir static Path dir;

  private static ReplicatedPair pair;
  private static ObservedRun shanghai;
  private static ObservedRun tokyo;

  /** One table: its columns on both sides, and the rows of each side. */
  private record Case(
      String name, String sourceColumns, String targetColumns, String source, String target) {
    String sql() {
      return new TableId("public", name).sql();
    }
  }

  private static final List<Case> CASES = cases();

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    add(
        cases,
        "v1",
        "id char(5) PRIMARY KEY, v text",
        "('a', 'x'), ('b', 'same')",
        "('a', 'y'), ('b', 'same')");
    add(
        cases,
        "v3",
        "id int PRIMARY KEY, v text",
        "(1, NULL), (2, NULL), (3, NULL), (4, NULL), (5, '\\N'), (6, '')",
        "(1, 'NULL'), (2, ''), (3, '\\N'), (4, NULL), (5, NULL), (6, '')");
    add(
        cases,
        "v4",
        "id int PRIMARY KEY, a text, b text",
        "(1, 'x0', 'y'), (2, 'a,b', 'c'), (3, E'a\\x01', 'b'), (4, 'a', ''), (5, NULL, 'a'),"
            + " (6, E'a\\tb', E'c\\nd')",
        "(1, 'x', '0y'), (2, 'a', 'b,c'), (3, 'a', E'\\x01b'), (4, '', 'a'), (5, 'a', NULL),"
            + " (6, 'a', E'b\\tc\\nd')");
    add(
        cases,
        "v5",
        "a text, b text, v text, PRIMARY KEY (a, b)",
        "('a::b', 'c', '1'), ('a', 'b::c', '1'), (E'a\\x01', 'b', '1'), ('a', E'\\x01b', '1')",
        "('a::b', 'c', '2'), ('a', 'b::c', '1'), (E'a\\x01', 'b', '1'), ('a', E'\\x01b', '2')");
    add(
        cases,
        "v7",
        "id int PRIMARY KEY, n numeric",
        "(1, 1.0), (2, 1.00), (3, 'NaN'), (4, 'NaN'), (5, 'NaN'), (6, 100), (7, 0)",
        "(1, 1.00), (2, 1), (3, 'NaN'), (4, NULL), (5, 0), (6, 1e2), (7, 0.000)");
    add(
        cases,
        "v7_key",
        "id numeric PRIMARY KEY, v text",
        "(1.0, 'same'), (2.50, 'x'), ('NaN', 'same')",
        "(1.00, 'same'), (2.5, 'y'), ('NaN', 'same')");
    add(
        cases,
        "v8",
        "id int PRIMARY KEY, d date, t timestamp, z timestamptz",
        "(1, '0001-01-01', '0001-01-01', '0001-01-01 00:00+00'),"
            + " (2, '1582-10-10', '1582-10-10 12:00', '1582-10-10 12:00+00'),"
            + " (3, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 00:00+00 BC'),"
            + " (4, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 00:00+00 BC'),"
            + " (5, '1927-12-31', '1927-12-31 23:54:08', '1927-12-31 15:54:08+00'),"
            + " (6, 'infinity', '-infinity', 'infinity')",
        "(1, '0001-01-01', '0001-01-01', '0001-01-01 00:00+00'),"
            + " (2, '1582-10-10', '1582-10-10 12:00', '1582-10-10 12:00+00'),"
            + " (3, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 00:00+00 BC'),"
            + " (4, '0044-03-15', '0044-03-15', '0044-03-15 00:00+00'),"
            + " (5, '1927-12-31', '1927-12-31 23:54:08', '1927-12-31 15:54:08+00'),"
            + " (6, 'infinity', '-infinity', 'infinity')");
    add(
        cases,
        "v8_key",
        "d date, z timestamptz, v text, PRIMARY KEY (d, z)",
        "('0044-03-15 BC', '0044-03-15 00:00+00 BC', 'x'),"
            + " ('0044-03-15', '0044-03-15 00:00+00', 'same'),"
            + " ('1582-10-10', '1927-12-31 15:54:08+00', 'same')",
        "('0044-03-15 BC', '0044-03-15 00:00+00 BC', 'y'),"
            + " ('0044-03-15', '0044-03-15 00:00+00', 'same'),"
            + " ('1582-10-10', '1927-12-31 15:54:08+00', 'same')");
    add(cases, "v9", "id int PRIMARY KEY, big text, v int", "", "");
    add(cases, "v11_null", "a int UNIQUE, v text", "(1, 'x'), (NULL, 'x')", "(1, 'y')");
    add(cases, "v11_partial", "a int NOT NULL, v text", "(1, 'x')", "(1, 'y')");
    add(cases, "v11_deferrable", "a int PRIMARY KEY DEFERRABLE, v text", "(1, 'x')", "(1, 'y')");
    add(cases, "v11_usable", "a int NOT NULL UNIQUE, v text", "(1, 'x')", "(1, 'y')");
    cases.add(
        new Case(
            "d7",
            "id int PRIMARY KEY, a int, g int GENERATED ALWAYS AS (a * 2) STORED",
            "id int PRIMARY KEY, a int, g int",
            "(1, 1), (2, 2)",
            "(1, 1, 2), (2, 2, 5)"));
    for (String name : NAMES) {
      add(
          cases,
          name,
          "id int PRIMARY KEY, v text",
          "(1, 'x'), (2, 'same')",
          "(1, 'y'), (2, 'same')");
    }
    add(cases, "d11", "id int PRIMARY KEY, v text", "", "(1, 'x')");
    add(cases, "d11_target", "id int PRIMARY KEY, v text", "", "");
    add(cases, "o9", "id int PRIMARY KEY, v text", "(1, 'a'), (2, 'b')", "(1, 'a'), (2, 'c')");
    add(cases, "o12", "id int PRIMARY KEY, v text", "(1, 'x'), (2, 'y')", "(1, 'x'), (2, 'y')");
    add(cases, "o12_source", "id int PRIMARY KEY, v text", "(1, 'x')", "(1, 'x')");
    return List.copyOf(cases);
  }

  private static void add(
      List<Case> cases, String name, String columns, String source, String target) {
    cases.add(new Case(name, columns, columns, source, target));
  }

  @BeforeAll
  static void run() throws Exception {
    pair = ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
    createTables();
    pair.join();
    loseEverything();
    prepareSpecialTables();
    shadow();
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Shanghai"));
    Map<String, String> settings = ObservedRun.settings(pair, dir, "cases");
    settings.put("verify.source.user", "reader");
    settings.put("verify.source.password", "none-needed");
    settings.put("verify.target.user", "reader");
    shanghai = ObservedRun.start(settings);
    firstRun();
    shanghai.end();
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    tokyo = ObservedRun.start(settings);
    pair.onSource(
        "UPDATE public.v8 SET id = id", "UPDATE public.v7 SET n = n", "UPDATE public.v4 SET a = a");
    tokyo.awaitSettled("v4", 6);
    tokyo.end();
  }

  private static void createTables() throws Exception {
    pair.onBoth("CREATE ROLE reader LOGIN");
    for (Case table : CASES) {
      pair.onSource("CREATE TABLE " + table.sql() + " (" + table.sourceColumns() + ")");
      pair.onTarget("CREATE TABLE " + table.sql() + " (" + table.targetColumns() + ")");
    }
    pair.onBoth("CREATE UNIQUE INDEX ON public.v11_partial (a) WHERE a > 0");
    pair.onSource(
        "ALTER TABLE public.v11_null REPLICA IDENTITY FULL",
        "ALTER TABLE public.v11_partial REPLICA IDENTITY FULL",
        "ALTER TABLE public.v11_deferrable REPLICA IDENTITY FULL",
        "ALTER TABLE public.v11_usable REPLICA IDENTITY USING INDEX v11_usable_a_key");
    pair.onBoth("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  }

  private static void loseEverything() throws Exception {
    pair.onTarget(
        "CREATE SCHEMA test",
        "CREATE FUNCTION test.lose() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'");
    for (Case table : CASES) {
      pair.onTarget(
          "CREATE TRIGGER lose BEFORE INSERT OR UPDATE OR DELETE ON "
              + table.sql()
              + " FOR EACH ROW EXECUTE FUNCTION test.lose()",
          "ALTER TABLE " + table.sql() + " ENABLE REPLICA TRIGGER lose");
      if (!table.target().isEmpty()) {
        pair.onTarget("INSERT INTO " + table.sql() + " VALUES " + table.target());
      }
    }
  }

  private static void prepareSpecialTables() throws Exception {
    // V9: out of line, and there before the run.
    String big = "(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 32768) AS i)";
    pair.onBoth(
        "ALTER TABLE public.v9 ALTER COLUMN big SET STORAGE EXTERNAL",
        "INSERT INTO public.v9 VALUES (1, " + big + ", 1), (2, " + big + ", 1)");
    pair.onTarget(
        "UPDATE public.v9 SET v = 2, big = CASE id WHEN 2 THEN left(big, -1) || '!' ELSE big END");
    pair.onTarget(
        "ALTER TABLE public.d11_target DROP CONSTRAINT d11_target_pkey",
        "INSERT INTO public.d11_target VALUES (1, 'x'), (1, 'x'), (2, 'x')",
        "ALTER TABLE public.o12 ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY hide ON public.o12 TO reader USING (id <> 1)");
    pair.onSource(
        "ALTER TABLE public.o12_source ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY hide ON public.o12_source TO reader USING (false)");
  }

  /** O9: the same names, and functions and catalogs with lies, before everything else. */
  private static void shadow() throws Exception {
    pair.onBoth(
        "CREATE SCHEMA shadow",
        "CREATE TABLE shadow.o9 (id int PRIMARY KEY, v text)",
        "INSERT INTO shadow.o9 VALUES (1, 'shadow'), (2, 'b')",
        "CREATE VIEW shadow.pg_class AS SELECT 1 AS oid",
        "CREATE VIEW shadow.pg_attribute AS SELECT 1 AS attrelid",
        "CREATE VIEW shadow.pg_index AS SELECT 1 AS indrelid",
        "CREATE VIEW shadow.pg_subscription AS SELECT 1 AS oid",
        "CREATE FUNCTION shadow.pg_is_in_recovery() RETURNS boolean LANGUAGE sql"
            + " AS 'SELECT true'",
        "CREATE FUNCTION shadow.set_config(text, text, boolean) RETURNS text LANGUAGE sql"
            + " AS 'SELECT NULL::text'",
        "CREATE FUNCTION shadow.pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn"
            + " LANGUAGE sql AS 'SELECT NULL::pg_lsn'",
        "CREATE FUNCTION shadow.always(text, text) RETURNS boolean LANGUAGE sql"
            + " AS 'SELECT true'",
        "CREATE OPERATOR shadow.= (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.always)",
        "GRANT USAGE ON SCHEMA shadow TO reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA shadow TO reader",
        "ALTER DATABASE " + ReplicatedPair.DATABASE + " SET search_path = shadow, pg_catalog");
  }

  private static void firstRun() throws Exception {
    for (Case table : CASES) {
      if (!table.source().isEmpty()) {
        pair.onSource("INSERT INTO " + table.sql() + " VALUES " + table.source());
      }
    }
    pair.onSource(
        "UPDATE public.v9 SET v = 2",
        "INSERT INTO public.d11_target VALUES (1, 'x'), (2, 'x')",
        "INSERT INTO public.d11 VALUES (1, 'x')");
    shanghai.awaitSettled("d11", 1);
    pair.onSource(
        "ALTER TABLE public.d11 DROP CONSTRAINT d11_pkey",
        "INSERT INTO public.d11 VALUES (1, 'x')",
        "ALTER TABLE public.d11 REPLICA IDENTITY FULL",
        "INSERT INTO public.d11 VALUES (1, 'x')",
        // A last change, so that everything before it is known to have come in.
        "UPDATE public.v1 SET v = v WHERE id = 'b'");
    shanghai.awaitSettled("v1", 3);
  }

  @AfterAll
  static void stop() throws Exception {
    TimeZone.setDefault(ZONE);
    if (shanghai != null) {
      shanghai.close();
    }
    if (tokyo != null) {
      tokyo.close();
    }
    pair.close();
  }

  private static void assertOutcomes(String table, long matched, Verdict verdict, String... keys) {
    assertThat(shanghai.decisions(table))
        .extracting(d -> d.key().texts().get(0), Decision::verdict)
        .containsExactlyInAnyOrder(
            Arrays.stream(keys).map(key -> tuple(key, verdict)).toArray(Tuple[]::new));
    assertThat(shanghai.coverage(table).outcomes().getOrDefault("matched", 0L))
        .as("matched in %s", table)
        .isEqualTo(matched);
    assertThat(shanghai.coverage(table).observed())
        .as("observed in %s", table)
        .isEqualTo(matched + keys.length);
  }

  private static void assertColumns(String table, String... columns) {
    assertThat(shanghai.decisions(table))
        .allSatisfy(d -> assertThat(d.columns()).containsExactly(columns));
  }

  @Test
  void v1PaddedKeysAreFound() {
    assertOutcomes("v1", 2, DIFFERENT, "a    ");
    assertColumns("v1", "v");
  }

  @Test
  void v3NullIsNoString() {
    assertOutcomes("v3", 2, DIFFERENT, "1", "2", "3", "5");
    assertColumns("v3", "v");
  }

  @Test
  void v4ValuesDoNotRunIntoEachOther() {
    assertOutcomes("v4", 0, DIFFERENT, "1", "2", "3", "4", "5", "6");
    assertColumns("v4", "a", "b");
  }

  @Test
  void v5KeysStayApart() {
    assertThat(shanghai.decisions("v5"))
        .extracting(d -> d.key().texts())
        .containsExactlyInAnyOrder(List.of("a::b", "c"), List.of("a", "\u0001b"));
    assertThat(shanghai.coverage("v5").outcomes())
        .isEqualTo(Map.of("matched", 2L, "unresolved_different", 2L));
    assertThat(shown("public.v5", "--key", "a=a::b", "--key", "b=c")).hasSize(2);
    assertThat(shown("public.v5", "--key", "a=a", "--key", "b=b::c")).isEmpty();
    assertThat(shown("public.v5", "--key", "b=\u0001b")).hasSize(2);
  }

  @Test
  void v7NumericIsComparedByValue() {
    assertOutcomes("v7", 5, DIFFERENT, "4", "5");
    assertColumns("v7", "n");
    assertOutcomes("v7_key", 2, DIFFERENT, "2.50");
  }

  @Test
  void v8DatesDependOnNoZoneAndEraCounts() {
    assertOutcomes("v8", 5, DIFFERENT, "4");
    assertColumns("v8", "d", "t", "z");
    assertOutcomes("v8_key", 2, DIFFERENT, "0044-03-15 BC");
  }

  @Test
  void v9LongValuesAreComparedInFull() {
    assertOutcomes("v9", 1, DIFFERENT, "2");
    assertColumns("v9", "big");
  }

  @Test
  void v11OnlyAUsableUniqueIndexServesAsKey() {
    assertThat(shanghai.coverage("v11_null").skipped())
        .isEqualTo(Map.of("no_usable_key", 1L, "key_value_unavailable", 1L));
    assertThat(shanghai.coverage("v11_partial").skipped()).isEqualTo(Map.of("no_usable_key", 1L));
    assertThat(shanghai.coverage("v11_deferrable").skipped())
        .isEqualTo(Map.of("no_usable_key", 1L));
    for (String table : List.of("v11_null", "v11_partial", "v11_deferrable")) {
      assertThat(shanghai.coverage(table).checked()).isZero();
      assertThat(shanghai.decisions(table)).isEmpty();
    }
    assertOutcomes("v11_usable", 0, DIFFERENT, "1");
  }

  @Test
  void d7AGeneratedColumnIsComparedAndNoDrift() {
    assertOutcomes("d7", 1, DIFFERENT, "2");
    assertColumns("d7", "g");
    assertThat(driftOf("d7")).isEmpty();
  }

  @Test
  void d9EveryNameIsATableOfItsOwn() throws Exception {
    String state = shanghai.stateDirectory().toString();
    JsonNode offsets =
        new JsonMapper()
            .readTree(ObservedRun.command("offsets", "show", "--state-dir", state, "--json").out())
            .path("tables");
    for (String name : NAMES) {
      assertOutcomes(name, 1, DIFFERENT, "1");
      assertColumns(name, "v");
      TableId table = new TableId("public", name);
      assertThat(offsets.path(table.display()).path("versions")).as(name).hasSize(1);
      assertThat(shown(table.display())).as("observation and decision of %s", name).hasSize(2);
      assertThat(shown(table.sql(), "--outcome", "unresolved")).as(name).hasSize(1);
      assertThat(shanghai.drift()).noneMatch(e -> e.table().equals(Optional.of(table)));
    }
    assertThat(ObservedRun.command("audit", "summary", "--state-dir", state, "--all").out())
        .contains(NAMES.stream().map(n -> new TableId("public", n).display()).toList());
  }

  @Test
  void d11ALostKeyIsDriftAndADuplicateNeverAMatch() {
    assertThat(driftOf("d11"))
        .extracting(DriftEvent::kind)
        .contains(DriftEvent.Kind.KEY_CHANGED, DriftEvent.Kind.REPLICA_IDENTITY_CHANGED);
    Coverage coverage = shanghai.coverage("d11");
    assertThat(coverage.outcomes()).isEqualTo(Map.of("matched", 1L));
    assertThat(coverage.skipped()).isEqualTo(Map.of("no_usable_key", 2L));
    assertOutcomes("d11_target", 1, new Verdict.Incomplete(IncompleteReason.NOT_UNIQUE), "1");
  }

  @Test
  void o9ShadowsAreNotSeen() {
    assertOutcomes("o9", 1, DIFFERENT, "2");
  }

  @Test
  void o12HiddenRowsAreNeverMissing() {
    assertOutcomes("o12", 0, new Verdict.Incomplete(IncompleteReason.TARGET_READ_FAILED), "1", "2");
    assertOutcomes(
        "o12_source", 0, new Verdict.Incomplete(IncompleteReason.SOURCE_READ_FAILED), "1");
    for (String table : List.of("o12", "o12_source")) {
      assertThat(shanghai.decisions(table).get(0).detail().orElseThrow())
          .contains(table)
          .containsIgnoringCase("row-level security");
    }
  }

  @Test
  void o13HashesAreTheSameInEveryZoneAndTheRestartIsQuiet() {
    List<String> keys = List.of("v8 4", "v7 4", "v7 5", "v4 1", "v4 2", "v4 3", "v4 4", "v4 5");
    for (String key : keys) {
      String table = key.substring(0, 2);
      assertThat(hashes(tokyo, table, key.substring(3)))
          .as(key)
          .isEqualTo(hashes(shanghai, table, key.substring(3)));
    }
    assertThat(tokyo.coverage("v8").outcomes())
        .isEqualTo(Map.of("matched", 5L, "unresolved_different", 1L));
    // The key of D11 is told by whichever run first looks at the catalog after it was dropped.
    assertThat(tokyo.drift())
        .allMatch(event -> event.table().equals(Optional.of(ObservedRun.table("d11"))));
  }

  private static List<RowHash> hashes(ObservedRun run, String table, String key) {
    Observation observation = run.awaitObservation(table, key);
    return List.of(hash(observation.source()), hash(observation.target()));
  }

  private static RowHash hash(RowSnapshot snapshot) {
    return ((RowSnapshot.Present) snapshot).hash();
  }

  @Test
  void nothingElseIsReported() {
    assertThat(shanghai.drift())
        .allMatch(event -> event.table().equals(Optional.of(ObservedRun.table("d11"))));
    assertThat(shanghai.unresolved())
        .allMatch(decision -> decision.verdict().equals(DIFFERENT))
        .allMatch(decision -> !decision.sourceChanged());
  }

  private static List<DriftEvent> driftOf(String table) {
    return shanghai.drift().stream()
        .filter(event -> event.table().equals(Optional.of(ObservedRun.table(table))))
        .toList();
  }

  /** The first run's observations and decisions that the command line shows. */
  private static List<String> shown(String table, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "audit",
                "show",
                "--state-dir",
                shanghai.stateDirectory().toString(),
                "--json",
                "--table",
                table));
    arguments.addAll(List.of(more));
    return ObservedRun.command(arguments.toArray(String[]::new))
        .out()
        .lines()
        .filter(line -> !line.contains("\"type\":\"drift\""))
        .toList();
  }
}
