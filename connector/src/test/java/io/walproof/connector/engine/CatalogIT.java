package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a RELATION message cannot show is seen in the catalog, while running and over a restart. */
class CatalogIT {

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void eachKindIsSeenWhileRunningAndAcrossARestart(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major)).keepingCatalog()) {
      fixture.with("drift.catalog.interval.ms", "150");
      fixture.sql(
          "CREATE TYPE mood AS ENUM ('sad', 'happy')",
          "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
          "CREATE DOMAIN other AS int",
          "CREATE TABLE last (id int PRIMARY KEY, v text, w int)",
          "CREATE TABLE coll (id int PRIMARY KEY, v text)",
          "CREATE TABLE labels (id int PRIMARY KEY, m mood, many mood[])",
          "CREATE TABLE rules (id int PRIMARY KEY, p positive)",
          "CREATE TABLE domains (id int PRIMARY KEY, p other)",
          "CREATE TABLE keys (a int, b int, PRIMARY KEY (a, b))",
          "CREATE TABLE gen (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED)",
          "CREATE TABLE filtered (id int PRIMARY KEY, v text)",
          "CREATE TABLE narrow (id int PRIMARY KEY, v text, w text)",
          "CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id)",
          "CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (10)",
          "CREATE TYPE again AS ENUM ('a')",
          "CREATE TABLE retyped (id int PRIMARY KEY, m again, many again[])",
          "CREATE TABLE full_key (id int PRIMARY KEY, a int NOT NULL)",
          "ALTER TABLE full_key REPLICA IDENTITY FULL",
          "CREATE TABLE dropped (id int PRIMARY KEY)",
          "CREATE TABLE quiet (id int PRIMARY KEY, v text)");
      Captured first = fixture.start();
      fixture.settle();
      assertThat(first.drift()).isEmpty();
      fixture.transaction("ALTER TABLE last DROP w", "ALTER TABLE last ADD w int");
      createTypeAgain(fixture);
      fixture.sql(
          "ALTER TABLE coll ALTER v TYPE text COLLATE \"C\"",
          "ALTER TYPE mood ADD VALUE 'calm'",
          "ALTER DOMAIN positive ADD CHECK (VALUE < 1000)",
          "ALTER TABLE domains ALTER p TYPE positive",
          "ALTER TABLE keys DROP CONSTRAINT keys_pkey, ADD PRIMARY KEY (b, a)",
          "ALTER TABLE full_key DROP CONSTRAINT full_key_pkey, ADD PRIMARY KEY (id, a)",
          "ALTER TABLE gen ALTER g DROP EXPRESSION",
          "CREATE TABLE part2 PARTITION OF parts FOR VALUES FROM (10) TO (20)");
      quiet(fixture, "SET");
      fixture.transaction(
          "ALTER PUBLICATION walproof DROP TABLE filtered, narrow",
          "ALTER PUBLICATION walproof ADD TABLE filtered WHERE (id > 5), narrow (id, v)");
      fixture.until(
          () ->
              tables(first)
                  .containsAll(
                      Set.of(
                          "last",
                          "coll",
                          "labels",
                          "rules",
                          "domains",
                          "keys",
                          "full_key",
                          "gen",
                          "filtered",
                          "narrow",
                          "parts",
                          "retyped")));
      // What lands in the new partition is the root's.
      fixture.sql("INSERT INTO parts VALUES (12)", "INSERT INTO retyped VALUES (1, 'a')");
      fixture.settle();
      assertThat(first.texts("public.parts")).containsExactly("12");
      assertThat(tables(first)).doesNotContain("quiet");
      // The catalog does not tell that one transaction took them out and added them.
      assertThat(gaps(first))
          .allSatisfy(gap -> assertThat(gap.detail()).contains("nothing was missed"))
          .extracting(gap -> gap.table().orElseThrow().name())
          .containsExactlyInAnyOrder("filtered", "narrow");
      assertThat(first.realDrift())
          .filteredOn(event -> !event.isGap())
          .allSatisfy(
              event -> {
                assertThat(event.kind()).isEqualTo(Kind.CATALOG_CHANGED);
                assertThat(event.occurrence()).isEqualTo(Occurrence.IN_PROCESS);
                assertThat(event.detail()).contains("seen in the catalog at");
              });
      assertChange(first, "last", "w", What.REPLACED, "column number 3", "number 4");
      assertChange(first, "coll", "v", What.COLLATION, "pg_catalog.default", "pg_catalog.C");
      assertChange(first, "labels", "m", What.ENUM_LABELS, "sad, happy", "sad, happy, calm");
      assertChange(first, "labels", "many", What.ENUM_LABELS, "sad, happy", "sad, happy, calm");
      assertThat(changes(first, "rules")).contains(tuple("p", What.DOMAIN_RULES));
      assertThat(changes(first, "domains")).contains(tuple("p", What.TYPE_REPLACED));
      assertThat(changes(first, "retyped"))
          .contains(tuple("m", What.TYPE_REPLACED), tuple("many", What.TYPE_REPLACED));
      assertChange(first, "keys", "", What.KEY_ORDER, "a, b", "b, a");
      assertChange(first, "full_key", "a", What.KEY, "not key", "key");
      assertChange(first, "gen", "g", What.GENERATED, "generated, stored", "plain");
      assertChange(first, "filtered", "", What.ROW_FILTER, "", "(id > 5)");
      assertChange(first, "narrow", "", What.PUBLISHED_COLUMNS, "all columns", "id, v");
      assertChange(first, "parts", "", What.PARTITIONS, "", "attached: public.part2");
      fixture.stop();

      // Nothing changed: quiet. Then everything while nobody runs.
      Captured second = fixture.start();
      fixture.settle();
      assertThat(second.drift()).isEmpty();
      fixture.stop();
      fixture.sql(
          "ALTER TABLE last DROP w",
          "ALTER TABLE last ADD w int",
          "ALTER TABLE coll ALTER v TYPE text COLLATE \"POSIX\"",
          "ALTER TYPE mood RENAME VALUE 'calm' TO 'content'",
          "ALTER DOMAIN positive ADD CHECK (VALUE <> 13)",
          "ALTER TABLE domains ALTER p TYPE other",
          "ALTER TABLE keys DROP CONSTRAINT keys_pkey, ADD PRIMARY KEY (a, b)",
          "ALTER TABLE full_key DROP CONSTRAINT full_key_pkey",
          "ALTER TABLE parts DETACH PARTITION part2",
          "DROP TABLE dropped");
      createTypeAgain(fixture);
      quiet(fixture, "DROP");
      fixture.transaction(
          "ALTER PUBLICATION walproof DROP TABLE filtered, narrow",
          "ALTER PUBLICATION walproof ADD TABLE filtered, narrow (id, w)");
      Captured third = fixture.start();
      fixture.settle();
      assertThat(tables(third))
          .containsExactly(
              "coll",
              "domains",
              "dropped",
              "filtered",
              "full_key",
              "keys",
              "labels",
              "last",
              "narrow",
              "part2",
              "parts",
              "retyped",
              "rules");
      // A partition that was detached is in no publication until the start adds it.
      assertThat(gaps(third))
          .extracting(gap -> gap.table().orElseThrow().name())
          .containsExactlyInAnyOrder("filtered", "narrow", "part2");
      assertThat(third.realDrift())
          .extracting(DriftEvent::occurrence)
          .containsOnly(Occurrence.ACROSS_RESTART);
      assertChange(third, "last", "w", What.REPLACED, "column number 4", "number 5");
      assertChange(third, "parts", "", What.PARTITIONS, "attached: public.part2", "detached");
      assertChange(third, "filtered", "", What.ROW_FILTER, "(id > 5)", "");
      assertChange(third, "full_key", "id", What.KEY, "key", "not key");
      assertChange(third, "dropped", "", What.TABLE, "exists", "dropped or renamed");
    }
  }

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aTableThatLeavesThePublicationIsAGapAndSoIsItsReturn(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major)).keepingCatalog()) {
      fixture.with("drift.catalog.interval.ms", "150");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      fixture.sql("ALTER PUBLICATION walproof DROP TABLE t", "INSERT INTO t VALUES (2)");
      fixture.until(() -> gaps(captured).size() == 1);
      assertThat(gaps(captured).get(0).detail()).contains("does not carry this table any more");
      fixture.sql("ALTER PUBLICATION walproof ADD TABLE t", "INSERT INTO t VALUES (3)");
      fixture.until(() -> gaps(captured).size() == 2);
      assertThat(gaps(captured).get(1).detail()).contains("carries this table again");
      assertThat(gaps(captured))
          .allMatch(gap -> gap.table().orElseThrow().name().equals("t") && gap.isGap());
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("1", "3");
    }
  }

  /** Neither table has a history: nothing of them was ever delivered. */
  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aTableThatWasOutOfThePublicationBetweenTwoLooksIsAGap(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major)).keepingCatalog()) {
      fixture.with("drift.catalog.interval.ms", "150");
      fixture.sql(
          "CREATE TABLE left_it (id int PRIMARY KEY)",
          "CREATE TABLE again (id int PRIMARY KEY)",
          "CREATE TABLE stayed (id int PRIMARY KEY)");
      fixture.start();
      fixture.settle();
      fixture.stop();

      // The publication is altered, and nothing of what it carries; a new table is added to it.
      fixture.sql(
          "ALTER PUBLICATION walproof SET TABLE stayed, left_it, again",
          "ALTER PUBLICATION walproof SET (publish = 'insert, update, delete, truncate')",
          "ALTER PUBLICATION walproof OWNER TO CURRENT_USER",
          "CREATE TABLE added (id int PRIMARY KEY)",
          "INSERT INTO added VALUES (1)");
      Captured quiet = fixture.start();
      fixture.settle();
      assertThat(quiet.drift()).isEmpty();
      fixture.stop();

      fixture.sql(
          "ALTER PUBLICATION walproof DROP TABLE left_it",
          "INSERT INTO left_it VALUES (1)",
          "ALTER PUBLICATION walproof ADD TABLE left_it",
          "DROP TABLE again",
          "CREATE TABLE again (id int PRIMARY KEY)",
          "INSERT INTO again VALUES (1)");
      Captured second = fixture.start();
      fixture.settle();
      assertThat(gaps(second))
          .allSatisfy(
              gap -> {
                assertThat(gap.occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
                assertThat(gap.detail()).contains("anew").doesNotContain("nothing was missed");
              })
          .extracting(gap -> gap.table().orElseThrow().name())
          .containsExactlyInAnyOrder("left_it", "again");
      assertThat(tables(second)).containsExactly("again", "left_it");

      // While running: the second look finds neither the first table nor that it was away.
      fixture.sql("DROP TABLE again");
      fixture.until(() -> changes(second, "again").contains(tuple("", What.TABLE)));
      fixture.transaction(
          "CREATE TABLE again (id int PRIMARY KEY)",
          "INSERT INTO again VALUES (2)",
          "ALTER PUBLICATION walproof ADD TABLE again");
      // A look in the middle of the drop may also tell that the table left the publication.
      fixture.until(
          () -> gaps(second).stream().anyMatch(gap -> gap.detail().contains("exists again")));
      // What was read is kept behind what was told of it.
      fixture.settle();
      fixture.stop();
      Captured third = fixture.start();
      fixture.settle();
      assertThat(third.realDrift()).isEmpty();
    }
  }

  @Test
  void changesThatNeverArriveRaiseAnAlarm() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      // Statistics become visible once a second at most.
      fixture.with("drift.catalog.interval.ms", "1200").with("heartbeat.interval.ms", "200");
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY, v int)",
          "CREATE TABLE s (id int PRIMARY KEY, v int)",
          "CREATE TABLE undone (id int PRIMARY KEY, v int)",
          "CREATE TABLE p (id int PRIMARY KEY, v int) PARTITION BY RANGE (id)",
          "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)",
          "INSERT INTO undone VALUES (1, 0)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1, 0)", "INSERT INTO p VALUES (1, 0)");
      fixture.settle();
      fixture.sql("ALTER PUBLICATION walproof SET (publish = 'insert')");
      int[] n = {0};
      fixture.until(
          () -> {
            n[0]++;
            fixture.sql(
                "UPDATE t SET v = " + n[0],
                "UPDATE p SET v = " + n[0],
                "INSERT INTO s VALUES (" + n[0] + ")",
                "UPDATE s SET v = " + n[0],
                "BEGIN; INSERT INTO undone VALUES (2, 0); UPDATE undone SET v = 1; ROLLBACK");
            return silent(captured).containsAll(Set.of("t", "p"));
          });
      DriftEvent alarm =
          captured.realDrift().stream()
              .filter(event -> event.kind() == Kind.NOTHING_DELIVERED)
              .filter(event -> event.table().orElseThrow().name().equals("t"))
              .findFirst()
              .orElseThrow();
      assertThat(alarm.table().orElseThrow().name()).isEqualTo("t");
      assertThat(alarm.isGap()).isTrue();
      // One table's inserts arrive, the other's changes were all rolled back: nothing is said.
      assertThat(silent(captured)).containsExactlyInAnyOrder("t", "p");
      // What the stream lacks of the first is told by the publication, once for all tables.
      fixture.sql(
          "ALTER PUBLICATION walproof SET (publish = 'insert, update, delete',"
              + " publish_via_partition_root = false)");
      fixture.until(() -> gaps(captured).size() == 2);
      assertThat(gaps(captured)).allMatch(gap -> gap.table().isEmpty());
      assertThat(gaps(captured).get(0).detail()).contains("does not publish every update");
      assertThat(gaps(captured).get(1).detail()).contains("publishes every update");
      // The partition is captured too, so that nothing is lost by its name.
      fixture.until(() -> changes(captured, "p1").contains(tuple("", What.PUBLISHED_AS)));
      assertThat(changes(captured, "p")).contains(tuple("", What.PUBLISHED_AS));
      fixture.sql("UPDATE p SET v = -1");
      fixture.settle();
      assertThat(captured.texts("public.p1")).containsExactly("1");
      assertThat(gaps(captured)).hasSize(2);
    }
  }

  @Test
  void rowsThatComeUnderANameThatIsNotCapturedAreAGap() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.with("drift.catalog.interval.ms", "150").with("table.include.list", "public.p");
      fixture.sql(
          "CREATE TABLE p (id int PRIMARY KEY, v int) PARTITION BY RANGE (id)",
          "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)");
      Captured captured = fixture.start();
      fixture.settle();
      fixture.sql(
          "ALTER PUBLICATION walproof SET (publish_via_partition_root = false)",
          "INSERT INTO p VALUES (1, 0)");
      fixture.until(() -> gaps(captured).size() == 1);
      assertThat(gaps(captured).get(0).detail()).contains("names of its partitions now");
      fixture.sql("ALTER PUBLICATION walproof SET (publish_via_partition_root = true)");
      fixture.until(() -> gaps(captured).size() == 2);
      assertThat(gaps(captured).get(1).detail()).contains("under captured names again");
      assertThat(tables(captured)).containsExactly("p");
    }
  }

  @Test
  void aDamagedReadingIsToldAndReplaced() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest()).keepingCatalog()) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)").start();
      fixture.settle();
      fixture.stop();
      Files.writeString(fixture.file.resolveSibling("catalog.json"), "{\"v\":1,");
      Captured captured = fixture.start();
      fixture.settle();
      assertThat(captured.realDrift()).hasSize(1);
      assertThat(captured.realDrift().get(0).kind()).isEqualTo(Kind.CATALOG_CHANGED);
      assertThat(captured.realDrift().get(0).detail()).contains("last reading is lost");
      fixture.stop();
      Captured next = fixture.start();
      fixture.settle();
      assertThat(next.drift()).isEmpty();
    }
  }

  /** The same name, so that the stream shows nothing of it. */
  private static void createTypeAgain(CaptureFixture fixture) throws Exception {
    fixture.transaction(
        "ALTER TABLE retyped ALTER m TYPE text, ALTER many TYPE text[]",
        "DROP TYPE again",
        "CREATE TYPE again AS ENUM ('a')",
        "ALTER TABLE retyped ALTER m TYPE again USING m::again, ALTER many TYPE again[] USING"
            + " many::again[]");
  }

  /** D2 and D6: nothing of this is drift, neither in the stream nor in the catalog. */
  private static void quiet(CaptureFixture fixture, String setOrDrop) throws Exception {
    fixture.sql(
        "ALTER TABLE quiet ALTER v " + setOrDrop + " NOT NULL",
        setOrDrop.equals("SET")
            ? "ALTER TABLE quiet ALTER v SET DEFAULT 'x'"
            : "ALTER TABLE quiet ALTER v DROP DEFAULT",
        "ANALYZE quiet",
        "CREATE INDEX ON quiet (v)",
        "GRANT SELECT ON quiet TO PUBLIC",
        "COMMENT ON TABLE quiet IS '" + setOrDrop + "'");
  }

  private static Set<String> tables(Captured captured) {
    return captured.realDrift().stream()
        .map(event -> event.table().orElseThrow().name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> silent(Captured captured) {
    return captured.realDrift().stream()
        .filter(event -> event.kind() == Kind.NOTHING_DELIVERED)
        .map(event -> event.table().orElseThrow().name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<DriftEvent> gaps(Captured captured) {
    return captured.realDrift().stream().filter(event -> event.kind() == Kind.GAP).toList();
  }

  private static List<Tuple> changes(Captured captured, String table) {
    return captured.realDrift().stream()
        .filter(event -> event.table().isPresent() && event.table().get().name().equals(table))
        .flatMap(event -> event.changes().stream())
        .map(change -> tuple(change.column(), change.what()))
        .toList();
  }

  private static void assertChange(
      Captured captured, String table, String column, What what, String before, String after) {
    assertThat(captured.realDrift())
        .filteredOn(event -> event.table().orElseThrow().name().equals(table))
        .flatExtracting(DriftEvent::changes)
        .as(table)
        .contains(new DriftEvent.ColumnChange(column, what, before, after, false));
  }
}
