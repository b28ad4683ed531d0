package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans and key lookups on each supported major. */
@ParameterizedClass
@MethodSource("io.walproof.embedded.Majors#underTest")
class RowAccessIT {

  private static TwoDatabases db;

  RowAccessIT(int major) {
    assertThat(major).isPositive();
  }

  @BeforeParameterizedClassInvocation
  static void start(int major) throws Exception {
    db = new TwoDatabases(major);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    db.close();
  }

  @Test
  void findsComparesAndNamesTheDifferingColumns() throws Exception {
    db.onBoth(
        "CREATE TABLE orders (id bigint PRIMARY KEY, a text, total numeric(10,2))",
        "INSERT INTO orders VALUES (1,'x',1.5),(2,'y',2),(3,'z',3)");
    db.onTarget(
        "UPDATE orders SET total = 9, a = NULL WHERE id = 2", "DELETE FROM orders WHERE id=3");
    TablePlan plan = db.plan("public.orders", "id");
    assertThat(plan.comparedColumns()).containsExactly("a", "id", "total");
    assertThat(db.differing(plan, "1")).isEmpty();
    assertThat(db.differing(plan, "2")).containsExactly("a", "total");
    assertThat(db.read(Side.TARGET, plan, "3", "1", "4", "1"))
        .satisfies(
            rows -> {
              assertThat(rows.get(0)).isInstanceOf(KeyRead.NotFound.class);
              assertThat(rows.get(1)).isInstanceOf(KeyRead.Found.class);
              assertThat(rows.get(2)).isInstanceOf(KeyRead.NotFound.class);
              assertThat(((KeyRead.Found) rows.get(3)).hash())
                  .isEqualTo(((KeyRead.Found) rows.get(1)).hash());
            });
  }

  /** What finds a row of another number type finds it for a repair, too. */
  @Test
  void rowsToRepairAreFoundByKeysOfAnotherNumberType() throws Exception {
    db.onSource(
        "CREATE TABLE mended (id numeric PRIMARY KEY, n numeric)",
        "INSERT INTO mended VALUES (1.00, 5.0), (2.0, 6), (3.5, 7), (99999999999, 8)");
    db.onTarget(
        "CREATE TABLE mended (id int PRIMARY KEY, n int)", "INSERT INTO mended VALUES (1, 4)");
    TablePlan plan = db.plan("public.mended", "id");
    RepairRows repairs =
        RowAccesses.createRepairs(db.source, db.target, RowSettings.defaults(), Time.system());
    List<RowKey> keys =
        Stream.of("1.00", "2.0", "3.5", "99999999999")
            .map(text -> TwoDatabases.key(plan.keyColumns(), text))
            .toList();
    List<RepairRow> rows =
        ((RepairRows.Reading.Rows)
                repairs.read(plan, keys, Optional::empty, TwoDatabases::soon, new Cancellation()))
            .rows().stream().map(Optional::orElseThrow).toList();
    assertThat(rows.get(0).target()).isInstanceOf(KeyRead.Found.class);
    RepairRow changed = rows.get(0);
    db.onTarget(
        "UPDATE mended AS t SET n = "
            + changed.differing().get("\"n\"")
            + " WHERE "
            + changed.condition().orElseThrow()
            + " AND "
            + changed.unchanged().orElseThrow());
    assertThat(rows.get(1).target()).isInstanceOf(KeyRead.NotFound.class);
    assertThat(rows.get(1).condition()).isPresent();
    db.onTarget(
        "INSERT INTO mended (id, n) SELECT " + String.join(", ", rows.get(1).all().values()));
    assertThat(db.differing(plan, "1.00", "2.0")).isEmpty();
    // The target cannot hold these.
    assertThat(rows.get(2).condition()).isEmpty();
    assertThat(rows.get(3).condition()).isEmpty();
  }

  @Test
  void xminMovesWithEveryUpdate() throws Exception {
    db.onBoth(
        "CREATE TABLE moves (id int PRIMARY KEY, a text)", "INSERT INTO moves VALUES (1,'x')");
    TablePlan plan = db.plan("public.moves", "id");
    KeyRead.Found before = (KeyRead.Found) db.read(Side.SOURCE, plan, "1").get(0);
    db.onSource("UPDATE moves SET a = a");
    KeyRead.Found after = (KeyRead.Found) db.read(Side.SOURCE, plan, "1").get(0);
    assertThat(after.hash()).isEqualTo(before.hash());
    assertThat(after.xmin()).isNotEqualTo(before.xmin());
  }

  /** V1 and the key's own types: a lookup by text alone would miss each of these. */
  @Test
  void keysAreFoundInTheirOwnTypes() throws Exception {
    db.onBoth("CREATE SCHEMA ext", "CREATE EXTENSION citext SCHEMA ext");
    assertFound("char(5)", "'a'", "a    ", "a");
    assertFound("numeric", "1.00", "1.0", "1", "1.000");
    assertFound("ext.citext", "'A'", "a", "A");
    assertFound("float8", "'-0'", "0", "-0");
    assertFound("bit(4)", "B'0101'", "0101");
    assertFound("varbit", "B'010'", "010");
    assertFound("interval", "'30 days'", "1 mon", "30 days");
    assertFound("bytea", "'\\x00ff'", "\\x00ff");
    assertFound("timestamptz", "'2026-01-01 12:00+00'", "2026-01-01 12:00:00+00");
    assertFound("int4[]", "'{1,2}'", "{1,2}");
    assertFound("int4range", "'[1,3)'", "[1,3)");
    assertFound(
        "uuid", "'00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001");
    assertFound("name", "'abc'", "abc");
    assertFound("varchar(3)", "'abc'", "abc");
    assertFound("\"char\"", "'a'", "a");
    assertFound("inet", "'10.0.0.1'", "10.0.0.1");
    db.onBoth("CREATE TYPE public.\"Mood\" AS ENUM ('sad', 'ok')");
    assertFound("\"Mood\"", "'ok'", "ok");
    db.onBoth("CREATE DOMAIN age AS int CHECK (VALUE > 0)", "CREATE DOMAIN age2 AS age");
    assertFound("age2", "7", "7");
  }

  private static void assertFound(String type, String literal, String... texts) throws Exception {
    db.onBoth(
        "DROP TABLE IF EXISTS typed",
        "CREATE TABLE typed (k " + type + " PRIMARY KEY, v text)",
        "INSERT INTO typed VALUES (" + literal + ", 'v')");
    db.onTarget("UPDATE typed SET v = 'w'");
    TablePlan plan = db.plan("public.typed", "k");
    for (String text : texts) {
      assertThat(db.differing(plan, text)).as(type + " " + text).containsExactly("v");
    }
  }

  /** V5. */
  @Test
  void compositeKeysStayApart() throws Exception {
    db.onBoth(
        "CREATE TABLE pairs (a text, b text, v text, PRIMARY KEY (b, a))",
        "INSERT INTO pairs VALUES ('a::b','c','1'), ('a','b::c','2'), (E'\\x01','\"{,','3')");
    TablePlan plan = db.plan("public.pairs", "b", "a");
    List<KeyRead> rows =
        TwoDatabases.rows(
            db.access.read(
                Side.SOURCE,
                plan,
                List.of(
                    TwoDatabases.key(plan.keyColumns(), "c", "a::b"),
                    TwoDatabases.key(plan.keyColumns(), "b::c", "a"),
                    TwoDatabases.key(plan.keyColumns(), "\"{,", "\u0001"),
                    TwoDatabases.key(plan.keyColumns(), "c", "a")),
                TwoDatabases.soon(),
                new Cancellation()));
    assertThat(rows.subList(0, 3)).allMatch(KeyRead.Found.class::isInstance);
    assertThat(rows.stream().limit(3).map(r -> ((KeyRead.Found) r).hash()).distinct()).hasSize(3);
    assertThat(rows.get(3)).isInstanceOf(KeyRead.NotFound.class);
  }

  @Test
  void aKeyThatDoesNotFitItsTypeHidesNoOther() throws Exception {
    db.onBoth(
        "CREATE TABLE bad (id int PRIMARY KEY)", "INSERT INTO bad SELECT generate_series(1,20)");
    TablePlan plan = db.plan("public.bad", "id");
    List<KeyRead> rows =
        db.read(Side.SOURCE, plan, "1", "2", "secret", "3", "99999999999", "\u0000", "4", "77");
    assertThat(rows)
        .extracting(r -> r.getClass().getSimpleName())
        .containsExactly(
            "Found",
            "Found",
            "Unreadable",
            "Found",
            // No row can have a number that the column cannot hold.
            "NotFound",
            "Unreadable",
            "Found",
            "NotFound");
    assertThat(((KeyRead.Unreadable) rows.get(2)).reason())
        .isEqualTo(IncompleteReason.NOT_COMPARABLE);
    assertThat(rows.get(2).toString()).doesNotContain("secret").contains("22P02");
  }

  /** V11, D10. */
  @Test
  void onlyAUsableUniqueIndexServesAsKey() throws Exception {
    db.onBoth(
        "CREATE TABLE keys (a int NOT NULL, b int, c int NOT NULL, d int NOT NULL, e int NOT NULL, f int NOT NULL)",
        "CREATE UNIQUE INDEX with_null ON keys (b)",
        "CREATE UNIQUE INDEX partial ON keys (c) WHERE c > 0",
        "ALTER TABLE keys ADD CONSTRAINT later UNIQUE (d) DEFERRABLE",
        "CREATE UNIQUE INDEX expression ON keys ((e + 1))",
        "CREATE UNIQUE INDEX good ON keys (f, a) INCLUDE (b)");
    for (String column : List.of("b", "c", "d", "e", "a", "f", "gone")) {
      assertThat(db.opening("public.keys", column))
          .as(column)
          .isInstanceOfSatisfying(
              RowAccess.Opening.Skipped.class,
              skipped -> {
                assertThat(skipped.reason()).isEqualTo("no_usable_key");
                assertThat(skipped.detail())
                    .contains("with_null its column b may be NULL")
                    .contains("partial it is partial")
                    .contains("later it is deferrable")
                    .contains("expression it has expressions");
              });
    }
    assertThat(db.plan("public.keys", "a", "f").keyColumns()).containsExactly("a", "f");
  }

  /** D11: the target's key is gone and a duplicate is there. */
  @Test
  void aDuplicateIsNeverAMatch() throws Exception {
    db.onBoth(
        "CREATE TABLE dup (id int PRIMARY KEY, v text)", "INSERT INTO dup VALUES (1,'x'),(2,'y')");
    db.onTarget("ALTER TABLE dup DROP CONSTRAINT dup_pkey", "INSERT INTO dup VALUES (1,'x')");
    TablePlan plan = db.plan("public.dup", "id");
    List<KeyRead> rows = db.read(Side.TARGET, plan, "1", "2");
    assertThat(rows.get(0))
        .isInstanceOfSatisfying(
            KeyRead.Unreadable.class,
            read -> assertThat(read.reason()).isEqualTo(IncompleteReason.NOT_UNIQUE));
    assertThat(rows.get(1)).isInstanceOf(KeyRead.Found.class);
  }

  /** It is published, copied and applied as the other table's. */
  @Test
  void anInheritedRowIsAnotherTables() throws Exception {
    db.onBoth(
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child () INHERITS (parent)",
        "INSERT INTO parent VALUES (1)",
        "INSERT INTO child VALUES (1), (2)");
    TablePlan plan = db.plan("public.parent", "id");
    for (Side side : Side.values()) {
      List<KeyRead> rows = db.read(side, plan, "1", "2");
      assertThat(rows.get(0)).isInstanceOf(KeyRead.Found.class);
      assertThat(rows.get(1)).isInstanceOf(KeyRead.NotFound.class);
    }
  }

  @Test
  void partitionedTablesAreReadByTheirRoot() throws Exception {
    db.onBoth(
        "CREATE TABLE parts (id int, day date, v text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)",
        "CREATE TABLE parts_1 (v text, day date NOT NULL, id int NOT NULL)",
        "ALTER TABLE parts ATTACH PARTITION parts_1 FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
        "INSERT INTO parts VALUES (1, '2026-02-03', 'x')");
    TablePlan plan = db.plan("public.parts", "id", "day");
    assertThat(
            TwoDatabases.rows(
                db.access.read(
                    Side.TARGET,
                    plan,
                    List.of(TwoDatabases.key(plan.keyColumns(), "1", "2026-02-03")),
                    TwoDatabases.soon(),
                    new Cancellation())))
        .singleElement()
        .isInstanceOf(KeyRead.Found.class);
  }

  /** D9: each name is its own table, and none can break out of its quotes. */
  @Test
  void hostileNames() throws Exception {
    List<String> names =
        List.of("Foo", "foo", "a.b", "x#y/z", "1st", "select", "foo\"bar", "größe", "q?m", "t");
    for (String name : names) {
      TableId table = new TableId("public", name);
      db.onBoth(
          "CREATE TABLE " + table.sql() + " (\"k?\"\"x\" int PRIMARY KEY, t int, n text)",
          "INSERT INTO " + table.sql() + " VALUES (1, 2, '" + name.replace("'", "''") + "')");
    }
    for (String name : names) {
      TablePlan plan = db.plan(new TableId("public", name).display(), "k?\"x");
      assertThat(db.differing(plan, "1")).as(name).isEmpty();
    }
  }

  /** D7. */
  @Test
  void aGeneratedColumnIsCompared() throws Exception {
    db.onSource(
        "CREATE TABLE gen (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)");
    db.onTarget("CREATE TABLE gen (id int PRIMARY KEY, twice int)");
    db.onSource("INSERT INTO gen VALUES (1), (2)");
    db.onTarget("INSERT INTO gen VALUES (1, 2), (2, 5)");
    TablePlan plan = db.plan("public.gen", "id");
    assertThat(db.differing(plan, "1")).isEmpty();
    assertThat(db.differing(plan, "2")).containsExactly("twice");
  }

  @Test
  void whatIsMissingIsNamedWithTheRemedy() throws Exception {
    assertThat(db.opening("public.nowhere", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Unavailable.class,
            u -> assertThat(u.reason()).isEqualTo(IncompleteReason.SOURCE_TABLE_MISSING));
    db.onSource("CREATE TABLE wide (id int PRIMARY KEY, a varchar(5), \"B\" numeric(5,1))");
    assertThat(db.opening("public.wide", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Unavailable.class,
            u -> assertThat(u.reason()).isEqualTo(IncompleteReason.TARGET_TABLE_MISSING));
    db.onTarget("CREATE TABLE wide (id int PRIMARY KEY, more text)");
    assertThat(db.opening("public.wide", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Unavailable.class,
            u -> {
              assertThat(u.reason()).isEqualTo(IncompleteReason.TARGET_COLUMN_MISSING);
              assertThat(u.detail())
                  .contains("lacks a, \"B\"")
                  .contains("ADD COLUMN \"a\" character varying(5), ADD COLUMN \"B\" numeric(5,1)");
            });
    RowAccess onlyPublished =
        db.access(
            RowSettings.defaults()
                .publishing(Map.of(TableId.parse("public.wide"), Set.of("id")), Map.of()));
    assertThat(
            onlyPublished.open(
                TableId.parse("public.wide"),
                List.of("id"),
                TwoDatabases.soon(),
                new Cancellation()))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Ready.class,
            ready -> {
              assertThat(ready.plan().comparedColumns()).containsExactly("id");
              assertThat(ready.plan().columnsOnlyOnTarget()).containsExactly("more");
            });
    db.onBoth("CREATE VIEW seen AS SELECT 1 AS id");
    db.onSource("CREATE VIEW seen_here AS SELECT 1 AS id");
    for (String view : List.of("public.seen", "public.seen_here")) {
      assertThat(db.opening(view, "id"))
          .as("what is not replicated is not missing on the target: " + view)
          .isInstanceOfSatisfying(
              RowAccess.Opening.Skipped.class,
              s -> assertThat(s.reason()).isEqualTo("unsupported_relation"));
    }
  }

  /** JDBC takes a question mark for a parameter; operators have some, and so may any text. */
  @Test
  void aRowFilterMayHaveQuestionMarks() throws Exception {
    db.onBoth("CREATE TABLE asked (id int PRIMARY KEY, doc jsonb, \"who?\" text)");
    db.onSource(
        "INSERT INTO asked VALUES (1, '{\"vip\": 1}', 'a'), (2, '{}', 'a'), (3, '{\"vip\": 1}', '?')",
        "CREATE PUBLICATION asked FOR TABLE asked"
            + " WHERE (doc ? 'vip' AND \"who?\" <> '?' AND doc @? '$.vip')");
    String filter;
    try (Connection connection = db.server.connect("here");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT rowfilter FROM pg_publication_tables WHERE pubname = 'asked'")) {
      assertThat(rows.next()).isTrue();
      filter = rows.getString(1);
    } finally {
      db.onSource("DROP PUBLICATION asked");
    }
    RowSettings settings =
        RowSettings.defaults()
            .publishing(Map.of(), Map.of(TableId.parse("public.asked"), '(' + filter + ')'));
    RowAccess keys = db.access(settings);
    RowAccess.Opening opening =
        keys.open(
            TableId.parse("public.asked"), List.of("id"), TwoDatabases.soon(), new Cancellation());
    assertThat(
            TwoDatabases.rows(
                keys.read(
                    Side.SOURCE,
                    ((RowAccess.Opening.Ready) opening).plan(),
                    List.of(
                        TwoDatabases.key(List.of("id"), "1"),
                        TwoDatabases.key(List.of("id"), "2"),
                        TwoDatabases.key(List.of("id"), "3")),
                    TwoDatabases.soon(),
                    new Cancellation())))
        .extracting(row -> row instanceof KeyRead.Found)
        .containsExactly(true, false, false);
    RangeAccess ranges = RowAccesses.createRanges(db.source, db.target, settings, Time.system());
    RangePlan plan =
        ((RangeAccess.Opening.Ready)
                ranges.open(TableId.parse("public.asked"), TwoDatabases.soon(), new Cancellation()))
            .plan();
    assertThat(
            ranges.read(
                Side.SOURCE,
                plan,
                KeyRange.ALL,
                10,
                RangeAccess.Content.LINES,
                TwoDatabases.soon(),
                new Cancellation()))
        .isInstanceOfSatisfying(
            RangeAccess.Read.Rows.class, read -> assertThat(read.chunk().size()).isEqualTo(1));
    assertThat(
            ranges.digest(Side.SOURCE, plan, KeyRange.ALL, TwoDatabases.soon(), new Cancellation()))
        .isInstanceOfSatisfying(
            RangeAccess.Digest.Made.class, made -> assertThat(made.digest().rows()).isEqualTo(1));
  }

  @Test
  void theSourcesApplicationIsRead() throws Exception {
    db.onBoth(
        "CREATE TABLE owned (id int PRIMARY KEY, app_pk smallint)",
        "INSERT INTO owned VALUES (1, 7), (2, NULL)",
        "CREATE TABLE named (id int PRIMARY KEY, app_pk text)",
        "INSERT INTO named VALUES (1, '7')");
    TablePlan owned = db.plan("public.owned", "id");
    assertThat(db.read(Side.SOURCE, owned, "1", "2"))
        .extracting(r -> ((KeyRead.Found) r).app().orElse(-1))
        .containsExactly(7L, -1L);
    assertThat(((KeyRead.Found) db.read(Side.TARGET, owned, "1").get(0)).app()).isEmpty();
    TablePlan named = db.plan("public.named", "id");
    assertThat(((KeyRead.Found) db.read(Side.SOURCE, named, "1").get(0)).app()).isEmpty();
  }

  /** O8, and every other way for a plan to grow old. */
  @Test
  void aChangedTableIsStaleAndNeverAMismatch() throws Exception {
    for (String change :
        List.of(
            "ALTER TABLE old ALTER v TYPE varchar(40)",
            "ALTER TABLE old ALTER v TYPE int USING 1",
            "ALTER TABLE old ADD w int",
            "ALTER TABLE old DROP v",
            "ALTER TABLE old RENAME v TO u",
            "ALTER TABLE old RENAME TO older",
            "ALTER TABLE old DROP CONSTRAINT old_pkey",
            "DROP TABLE old",
            "DROP TABLE old; CREATE TABLE old (id int PRIMARY KEY, v varchar(20))")) {
      db.onBoth(
          "DROP TABLE IF EXISTS old, older",
          "CREATE TABLE old (id int PRIMARY KEY, v varchar(20))",
          "INSERT INTO old VALUES (1, 'x')");
      TablePlan plan = db.plan("public.old", "id");
      String before = plan.fingerprint();
      assertThat(db.read(Side.SOURCE, plan, "1").get(0)).isInstanceOf(KeyRead.Found.class);
      db.onSource(change);
      assertThat(
              db.access.read(
                  Side.SOURCE,
                  plan,
                  List.of(TwoDatabases.key(plan.keyColumns(), "1")),
                  TwoDatabases.soon(),
                  new Cancellation()))
          .as(change)
          .isInstanceOf(RowAccess.BatchRead.PlanStale.class);
      if (db.opening("public.old", "id") instanceof RowAccess.Opening.Ready again) {
        assertThat(again.plan().fingerprint()).isNotEqualTo(before);
      }
    }
    db.onBoth("CREATE TABLE still (id int PRIMARY KEY)");
    String fingerprint = db.plan("public.still", "id").fingerprint();
    db.onBoth("ANALYZE still", "GRANT SELECT ON still TO public", "CREATE INDEX ON still (id)");
    assertThat(db.plan("public.still", "id").fingerprint()).isEqualTo(fingerprint);
  }

  @Test
  void aBigTableIsReadByItsIndex() throws Exception {
    db.onBoth(
        "CREATE TABLE big (id int PRIMARY KEY, v text)",
        "INSERT INTO big SELECT g, 'row ' || g FROM generate_series(1, 200000) g",
        "ANALYZE big",
        "SELECT pg_stat_reset()");
    TablePlan plan = db.plan("public.big", "id");
    String[] keys = new String[3000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = Integer.toString(i * 60 + 1);
    }
    assertThat(db.differing(plan, keys)).isEmpty();
    String sql = ((PlannedTable) plan).on(Side.SOURCE).sql();
    try (var connection = db.server.connect("here");
        var statement = connection.prepareStatement("EXPLAIN " + sql)) {
      statement.setArray(1, connection.createArrayOf("text", keys));
      statement.setString(2, "10000");
      StringBuilder explained = new StringBuilder();
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          explained.append(rows.getString(1)).append('\n');
        }
      }
      assertThat(explained.toString()).contains("Index Scan").doesNotContain("Seq Scan");
    }
  }

  /** V9. */
  @Test
  void longValuesAreComparedInFull() throws Exception {
    db.onBoth(
        "CREATE TABLE longs (id int PRIMARY KEY, big text, small int)",
        "ALTER TABLE longs ALTER big SET STORAGE EXTERNAL",
        "INSERT INTO longs SELECT g, repeat('x', 1000000) || g, g FROM generate_series(1, 40) g");
    TablePlan plan = db.plan("public.longs", "id");
    String[] keys = new String[40];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = Integer.toString(i + 1);
    }
    assertThat(db.differing(plan, keys)).isEmpty();
    db.onTarget("UPDATE longs SET big = repeat('x', 999999) || 'y1' WHERE id = 1");
    db.onTarget("UPDATE longs SET small = 0 WHERE id = 2");
    assertThat(db.differing(plan, keys)).containsExactly("big", "small");
  }
}
