package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.MisbehavingApplier.Fault;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the simulation plays, on real servers: an applier that does right in every way and wrong in
 * every named way, each on tables of its own. Two runs share them: the first keeps versions of rows
 * and watches the applier at work; the second keeps none and finds what was done wrong between the
 * two, so that each wrong row lay still before its first read.
 */
class MisbehavingApplierIT {

  /** How many versions an old one is behind on a row that never rests: a good part of a second. */
  private static final int STALE_BY = 40;

  private static final Duration BETWEEN_HOT_UPDATES = Duration.ofMillis(10);

  /** Of tables. */
  private enum Shape {
    PLAIN("id int PRIMARY KEY", "'a' || i"),
    /** Out of line, and not sent where it does not change. */
    TOAST("id int PRIMARY KEY", "repeat(md5(i::text), 250)"),
    COMPOSITE("region text DEFAULT 'eu', id int, PRIMARY KEY (region, id)", "'a' || i");

    private final String key;
    private final String a;

    Shape(String key, String a) {
      this.key = key;
      this.a = a;
    }

    String columns() {
      return key + ", a text, b text, n int";
    }

    String insert(String table, int from, int to, int n) {
      return "INSERT INTO public.%s (id, a, b, n) SELECT i, %s, 'b' || i, %d FROM generate_series(%d, %d) AS i"
          .formatted(table, a, n, from, to);
    }

    List<String> keyOf(int id) {
      return this == COMPOSITE
          ? List.of("eu", Integer.toString(id))
          : List.of(Integer.toString(id));
    }
  }

  /** A correct applier's. */
  private enum Way {
    PROMPT,
    BATCHING,
    RESTARTING,
    PAUSING;

    String table(Shape shape) {
      return lower("right_" + this + "_" + shape);
    }
  }

  /** A fault on rows of one table, and the decisions that it must lead to. */
  private record Scenario(Fault fault, Shape shape) {
    String table() {
      return lower("wrong_" + fault + "_" + shape);
    }

    private String set(String what, int id) {
      return "UPDATE public." + table() + " SET " + what + " WHERE id = " + id;
    }

    /** One transaction each. */
    List<String> statements() {
      String insert = shape.insert(table(), 5, 5, 0);
      return switch (fault) {
        case LOSES_INSERTS -> List.of(insert);
        case LOSES_UPDATES -> List.of(set("n = 1", 1));
        case LOSES_DELETES ->
            List.of(
                "DELETE FROM public." + table() + " WHERE id IN (1, 2)",
                shape.insert(table(), 1, 1, 9));
        case WRITES_THE_WRONG_ROW -> List.of(set("n = 7", 1));
        case WRITES_A_STALE_VERSION -> List.of(set("n = 1", 1), set("n = 2", 1));
        case SKIPS_A_TRANSACTION -> List.of(set("n = 1", 1) + ";" + insert, set("n = 1", 2));
        case JUMPS_AHEAD -> List.of(set("n = 1", 1), set("n = 1", 2), insert);
        case SWAPS_COLUMNS -> List.of(set("a = a || '!', b = 'c'", 1));
        case TRUNCATES_VALUES -> List.of(set("a = a || '!'", 1));
        case APPLIES_PARTIALLY ->
            List.of(set("n = 1", 1) + ";" + set("n = 1", 2) + ";" + set("n = 1", 3));
        case TRUNCATES_TOO_LATE ->
            List.of(
                "TRUNCATE public." + table(),
                shape.insert(table(), 1, 1, 0),
                shape.insert(table(), 2, 2, 0));
      };
    }

    private String found(int id, Kind kind, String... columns) {
      return shape.keyOf(id) + " " + kind + " " + List.of(columns);
    }

    List<String> expected() {
      return switch (fault) {
        case LOSES_INSERTS -> List.of(found(5, Kind.MISSING));
        case LOSES_UPDATES,
            // The delete of the row that did not come back is nothing to judge.
            LOSES_DELETES,
            // The other row did not change: range checks find that one.
            WRITES_THE_WRONG_ROW,
            WRITES_A_STALE_VERSION ->
            List.of(found(1, Kind.DIFFERENT, "n"));
        case SKIPS_A_TRANSACTION -> List.of(found(1, Kind.DIFFERENT, "n"), found(5, Kind.MISSING));
        case JUMPS_AHEAD ->
            List.of(
                found(1, Kind.DIFFERENT, "n"),
                found(2, Kind.DIFFERENT, "n"),
                found(5, Kind.MISSING));
        case SWAPS_COLUMNS -> List.of(found(1, Kind.DIFFERENT, "a", "b"));
        case TRUNCATES_VALUES -> List.of(found(1, Kind.DIFFERENT, "a"));
        case APPLIES_PARTIALLY ->
            List.of(found(2, Kind.DIFFERENT, "n"), found(3, Kind.DIFFERENT, "n"));
        case TRUNCATES_TOO_LATE -> List.of(found(1, Kind.MISSING));
      };
    }

    @Override
    public String toString() {
      return table();
    }
  }

  @TempDir static Path dir;

  private static ReplicatedPair pair;
  private static MisbehavingApplier applier;
  private static ObservedRun withVersions;
  private static ObservedRun without;

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static List<Scenario> scenarios() {
    return Arrays.stream(Fault.values())
        .flatMap(fault -> Arrays.stream(Shape.values()).map(shape -> new Scenario(fault, shape)))
        .toList();
  }

  static List<String> rightTables() {
    return Arrays.stream(Way.values())
        .flatMap(way -> Arrays.stream(Shape.values()).map(way::table))
        .toList();
  }

  @BeforeAll
  static void run() throws Exception {
    pair = ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder());
    createTables();
    applier = MisbehavingApplier.start(pair, STALE_BY);
    applier.awaitApplied();

    Map<String, String> settings = ObservedRun.settings(pair, dir, "misbehaving");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public\\.(right|wrong|hot|late)_.*,public\\.stopped");
    settings.put("verify.replay.confirmation", "marker_table");
    settings.put("verify.marker.table", "public.marker");
    settings.put("verify.replay.timeout.ms", "10000");
    settings.put("verify.versions.max.bytes", "16777216");
    withVersions = ObservedRun.start(settings);
    doRight();
    neverRest(withVersions);
    doWrongBehindTheFirstRead();
    withVersions.end();

    doWrong();
    settings.remove("verify.versions.max.bytes");
    without = ObservedRun.start(settings);
    behindTheFirstRead(without, "late_cut_plain", Fault.TRUNCATES_VALUES, "a = a || '!'");
    neverRest(without);
    stop();
    without.end();
  }

  private static void createTables() throws Exception {
    Map<String, Shape> tables = new LinkedHashMap<>();
    for (Shape shape : Shape.values()) {
      for (Way way : Way.values()) {
        tables.put(way.table(shape), shape);
      }
    }
    scenarios().forEach(scenario -> tables.put(scenario.table(), scenario.shape()));
    for (String table :
        List.of("hot_right", "hot_stale", "late_stale", "late_cut", "late_cut_plain", "stopped")) {
      tables.put(table, Shape.PLAIN);
    }
    List<String> statements = new ArrayList<>();
    statements.add("CREATE TABLE public.marker (instance text PRIMARY KEY, token text NOT NULL)");
    tables.forEach(
        (table, shape) -> {
          statements.add("CREATE TABLE public." + table + " (" + shape.columns() + ")");
          if (shape == Shape.TOAST) {
            statements.add("ALTER TABLE public." + table + " ALTER COLUMN a SET STORAGE EXTERNAL");
          }
          statements.add(shape.insert(table, 1, 4, 0));
        });
    pair.onBoth(statements.toArray(String[]::new));
  }

  /** Every correct way of going about it, on every shape of table. */
  private static void doRight() throws Exception {
    write(Way.PROMPT);
    applier.pause();
    applier.batch(true);
    write(Way.BATCHING);
    applier.resume();
    applier.awaitApplied();
    applier.batch(false);
    write(Way.RESTARTING);
    applier.restart();
    applier.pause();
    write(Way.PAUSING);
    for (Shape shape : Shape.values()) {
      String table = Way.PAUSING.table(shape);
      withVersions.await("mismatches of " + table, r -> r.observations(table).size() >= 2);
    }
    applier.resume();
    applier.awaitApplied();
  }

  private static void write(Way way) throws Exception {
    List<String> statements = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      String table = way.table(shape);
      statements.add(shape.insert(table, 5, 8, 0));
      statements.add("TRUNCATE public." + table);
      statements.add(shape.insert(table, 1, 4, 0));
      statements.add("UPDATE public." + table + " SET n = 1 WHERE id = 1");
      statements.add("UPDATE public." + table + " SET a = a || '!', b = 'c' WHERE id = 2");
      statements.add("UPDATE public." + table + " SET n = 2 WHERE id IN (1, 2)");
      statements.add("DELETE FROM public." + table + " WHERE id = 3");
    }
    pair.onSource(statements.toArray(String[]::new));
  }

  /** A row each for a correct applier and for one that writes old versions, which never rest. */
  private static void neverRest(ObservedRun run) throws Exception {
    applier.misbehave("hot_stale", Fault.WRITES_A_STALE_VERSION);
    long before = run.decisions("hot_right").size();
    Time time = Time.system();
    long start = time.nanoTime();
    try (Connection source = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = source.createStatement()) {
      // Each version once, so that an old one is no new one.
      for (long n = 1; !hasShownEnough(run, before); n++) {
        statement.execute("UPDATE public.hot_right SET n = n + 1 WHERE id = 1");
        statement.execute("UPDATE public.hot_stale SET n = n + 1 WHERE id = 1");
        assertThat(time.nanoTime() - start)
            .as("after %s updates: %s", n, run.decisions("hot_stale"))
            .isLessThan(ObservedRun.PATIENCE.toNanos());
        time.sleep(BETWEEN_HOT_UPDATES);
      }
    }
    applier.awaitApplied();
    applier.behave("hot_stale");
    pair.onSource("UPDATE public.hot_stale SET n = n + 1 WHERE id = 1");
    run.await("the hot rows to be decided", r -> r.verifier().pending() == 0);
  }

  private static boolean hasShownEnough(ObservedRun run, long before) {
    if (run == without) {
      return run.decisions("hot_right").size() >= before + 5;
    }
    return byVersion("hot_right") > 0 && stale("hot_stale") > 0;
  }

  private static long byVersion(String table) {
    return withVersions.decisions(table).stream()
        .filter(
            d ->
                d.verdict() instanceof Verdict.Converged converged
                    && converged.matchedVersion().isPresent())
        .count();
  }

  private static long stale(String table) {
    return withVersions.decisions(table).stream()
        .filter(d -> d.verdict().equals(new Verdict.Unresolved(Kind.STALE)))
        .count();
  }

  private static void doWrongBehindTheFirstRead() throws Exception {
    behindTheFirstRead(withVersions, "late_cut", Fault.TRUNCATES_VALUES, "a = a || '!'");
    behindTheFirstRead(withVersions, "late_stale", Fault.WRITES_A_STALE_VERSION, "n = 1", "n = 2");
  }

  /** The row is first read while the applier pauses, and moves to something wrong after that. */
  private static void behindTheFirstRead(
      ObservedRun run, String table, Fault fault, String first, String... more) throws Exception {
    applier.pause();
    pair.onSource("UPDATE public." + table + " SET " + first + " WHERE id = 1");
    run.awaitObservation(table, "1");
    for (String set : more) {
      pair.onSource("UPDATE public." + table + " SET " + set + " WHERE id = 1");
    }
    applier.misbehave(table, fault);
    applier.resume();
    applier.awaitApplied();
    run.awaitDecision(table, "1");
  }

  /** While nobody watches. */
  private static void doWrong() throws Exception {
    List<String> statements = new ArrayList<>();
    for (Scenario scenario : scenarios()) {
      applier.misbehave(scenario.table(), scenario.fault());
      statements.addAll(scenario.statements());
    }
    pair.onSource(statements.toArray(String[]::new));
    applier.awaitApplied();
    scenarios().forEach(scenario -> applier.behave(scenario.table()));
  }

  /** For good; whoever waits for it is told so. */
  private static void stop() throws Exception {
    applier.pause();
    pair.onSource(Shape.PLAIN.insert("stopped", 5, 5, 0));
    without.awaitDecision("stopped", "5");
    without.await("everything to be decided", r -> r.verifier().pending() == 0);
  }

  @AfterAll
  static void close() throws Exception {
    if (withVersions != null) {
      withVersions.close();
    }
    if (without != null) {
      without.close();
    }
    if (applier != null) {
      applier.close();
    }
    if (pair != null) {
      pair.close();
    }
  }

  @ParameterizedTest
  @MethodSource("rightTables")
  void whatWasDoneRightIsNeverAccused(String table) {
    Coverage coverage = withVersions.coverage(table);
    assertThat(coverage.observed()).as("%s", coverage).isEqualTo(14);
    assertThat(coverage.skipped()).containsEntry("truncate", 1L);
    assertThat(coverage.failures()).isZero();
    assertThat(coverage.incomplete()).as("%s", withVersions.decisions(table)).isZero();
    assertThat(coverage.outcomes().keySet()).isSubsetOf("matched", "converged", "advanced");
  }

  @ParameterizedTest
  @EnumSource
  void whatComesLateConverges(Shape shape) {
    assertThat(withVersions.decisions(Way.PAUSING.table(shape)))
        .filteredOn(d -> d.verdict() instanceof Verdict.Converged)
        .hasSizeGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aFaultOnAQuietRowIsFoundAndNamed(Scenario scenario) {
    assertThat(without.decisions(scenario.table()))
        .allSatisfy(d -> assertThat(d.boundary()).isPresent())
        .extracting(MisbehavingApplierIT::inWords)
        .containsExactlyInAnyOrderElementsOf(scenario.expected());
  }

  private static String inWords(Decision decision) {
    return decision.key().texts()
        + " "
        + (decision.verdict() instanceof Verdict.Unresolved unresolved
            ? unresolved.kind()
            : decision.verdict())
        + " "
        + decision.columns();
  }

  @Test
  void aLostDeleteIsCountedAndNotJudged() {
    for (Shape shape : Shape.values()) {
      String table = new Scenario(Fault.LOSES_DELETES, shape).table();
      assertThat(without.coverage(table).skipped()).containsKey("source_absent");
    }
  }

  @Test
  void aHotRowIsDecidedByItsVersions() {
    assertThat(byVersion("hot_right")).isPositive();
    SoftAssertions softly = new SoftAssertions();
    for (ObservedRun run : List.of(withVersions, without)) {
      softly
          .assertThat(run.decisions("hot_right"))
          .extracting(Decision::verdict)
          .doesNotHaveAnyElementsOfTypes(Verdict.Unresolved.class, Verdict.Incomplete.class);
    }
    softly.assertAll();
  }

  @Test
  void anOldVersionOnAHotRowIsStaleWhereVersionsAreKept() {
    assertThat(stale("hot_stale")).isPositive();
    assertThat(
            Stream.of("hot_stale", "hot_right")
                .flatMap(table -> without.decisions(table).stream())
                .map(Decision::verdict)
                .collect(Collectors.toSet()))
        .doesNotContain(new Verdict.Unresolved(Kind.STALE));
  }

  @Test
  void aRowThatMovesToSomethingWrongIsFoundWhereVersionsAreKept() {
    assertThat(inWords(withVersions.decisions("late_cut").get(0))).isEqualTo("[1] DIFFERENT [a]");
    assertThat(inWords(withVersions.decisions("late_stale").get(0))).isEqualTo("[1] STALE [n]");
    assertThat(without.decisions("late_cut_plain").get(0).verdict())
        .as("proves movement only")
        .isEqualTo(new Verdict.Advanced());
  }

  @Test
  void anApplierThatStopsIsNotJudged() {
    assertThat(without.decisions("stopped"))
        .extracting(Decision::verdict)
        .containsExactly(new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED));
  }
}
