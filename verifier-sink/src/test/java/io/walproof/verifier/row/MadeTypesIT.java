package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RowAccess.BatchRead;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** User types that differ on the two sides, what is said of single columns, and odd tables. */
class MadeTypesIT {

  private static TwoDatabases db;

  @BeforeAll
  static void start() throws Exception {
    db = new TwoDatabases(18);
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  /** Printed alike, (a 1, b 2) and (b 1, a 2) are not equal. */
  @Test
  void compositesOfOtherAttributesAreNotCompared() throws Exception {
    db.onSource("CREATE TYPE swapped AS (a int, b int)");
    db.onTarget("CREATE TYPE swapped AS (b int, a int)");
    db.onBoth(
        "CREATE TABLE swaps (id int PRIMARY KEY, v swapped, w swapped[], x text)",
        "INSERT INTO swaps VALUES (1, '(1,2)', '{\"(1,2)\"}', 'x')");
    TablePlan plan = db.plan("public.swaps", "id");
    assertThat(plan.comparedColumns()).containsExactly("id", "x");
    assertThat(plan.columnsNotCompared()).hasSize(2);
  }

  @Test
  void rangesOfOtherSubtypesAreNotCompared() throws Exception {
    db.onSource("CREATE TYPE span AS RANGE (subtype = text)");
    db.onTarget("CREATE TYPE span AS RANGE (subtype = int4)");
    db.onBoth(
        "CREATE TABLE spans (id int PRIMARY KEY, v span, w spanmultirange)"
            .replace("spanmultirange", "span_multirange"));
    assertThat(db.plan("public.spans", "id").comparedColumns()).containsExactly("id");
  }

  @Test
  void aCompositeThatIsAlteredMakesThePlanStale() throws Exception {
    for (String change :
        List.of(
            "ALTER TYPE inner_type ADD ATTRIBUTE c int",
            "ALTER TYPE inner_type RENAME ATTRIBUTE a TO aa",
            "ALTER TYPE inner_type DROP ATTRIBUTE b")) {
      db.onBoth(
          "DROP TABLE IF EXISTS remade",
          "DROP TYPE IF EXISTS outer_type",
          "DROP TYPE IF EXISTS inner_type",
          "CREATE TYPE inner_type AS (a numeric, b text)",
          "CREATE TYPE outer_type AS (i inner_type[])",
          "CREATE TABLE remade (id int PRIMARY KEY, v outer_type)",
          "INSERT INTO remade VALUES (1, ROW(ARRAY[ROW(1.0, 'x')::inner_type])::outer_type)");
      TablePlan plan = db.plan("public.remade", "id");
      assertThat(db.differing(plan, "1")).isEmpty();
      db.onSource(change);
      assertThat(
              db.access.read(
                  Side.SOURCE,
                  plan,
                  List.of(TwoDatabases.key(plan.keyColumns(), "1")),
                  TwoDatabases.soon(),
                  new Cancellation()))
          .as(change)
          .isInstanceOf(BatchRead.PlanStale.class);
    }
  }

  /** Both are printed as {@code public.twice}. */
  @Test
  void overloadedFunctionsAreTwo() throws Exception {
    db.onBoth(
        "CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql RETURN $1 * 2",
        "CREATE FUNCTION twice(text) RETURNS text LANGUAGE sql RETURN $1 || $1",
        "CREATE TABLE calls (id int PRIMARY KEY, f regproc)",
        "INSERT INTO calls VALUES (1, 'twice(int)'::regprocedure), (2, 'twice(int)'::regprocedure)");
    db.onTarget("UPDATE calls SET f = 'twice(text)'::regprocedure WHERE id = 2");
    TablePlan plan = db.plan("public.calls", "id");
    assertThat(db.differing(plan, "1")).isEmpty();
    assertThat(db.differing(plan, "2")).containsExactly("f");
  }

  /** A key that names an object which one side does not have hides no other. */
  @Test
  void keysThatNameObjects() throws Exception {
    db.onSource("CREATE TABLE here_only ()");
    db.onBoth("CREATE TABLE named (k regclass PRIMARY KEY, v int)");
    db.onSource("INSERT INTO named VALUES ('here_only', 1), ('pg_class', 2), ('-', 3)");
    db.onTarget("INSERT INTO named VALUES ('pg_class', 2), ('-', 4)");
    TablePlan plan = db.plan("public.named", "k");
    assertThat(db.read(Side.SOURCE, plan, "public.here_only", "pg_class", "-"))
        .allMatch(KeyRead.Found.class::isInstance);
    List<KeyRead> there = db.read(Side.TARGET, plan, "public.here_only", "pg_class", "-");
    assertThat(there.get(0))
        .isInstanceOfSatisfying(
            KeyRead.Unreadable.class,
            read -> assertThat(read.reason()).isEqualTo(IncompleteReason.NOT_COMPARABLE));
    assertThat(there.subList(1, 3)).allMatch(KeyRead.Found.class::isInstance);
    assertThat(db.differing(plan, "pg_class")).isEmpty();
    assertThat(db.differing(plan, "-")).containsExactly("v");
    db.onBoth("CREATE TABLE by_function (k regproc PRIMARY KEY)");
    assertThat(db.opening("public.by_function", "k"))
        .isInstanceOf(RowAccess.Opening.Unavailable.class);
  }

  /** Settings of the database that change what a text means or how a name is printed. */
  @Test
  void settingsOfADatabaseChangeNothing() throws Exception {
    db.onBoth(
        "CREATE TABLE arrays (k text[] PRIMARY KEY, v regclass)",
        "INSERT INTO arrays VALUES (ARRAY['a', NULL], 'arrays')");
    db.server.execute(
        "postgres",
        "ALTER DATABASE there SET array_nulls = off",
        "ALTER DATABASE there SET quote_all_identifiers = on",
        "ALTER DATABASE there SET default_transaction_read_only = on");
    try (Database fresh = db.open(Side.TARGET, PostgresServer.SUPERUSER, "")) {
      RowAccess access =
          RowAccesses.create(db.source, fresh, RowSettings.defaults(), Time.system());
      TablePlan plan = db.plan("public.arrays", "k");
      List<RowKey> key = List.of(TwoDatabases.key(plan.keyColumns(), "{a,NULL}"));
      KeyRead here = rows(access, Side.SOURCE, plan, key).get(0);
      KeyRead there = rows(access, Side.TARGET, plan, key).get(0);
      assertThat(((KeyRead.Found) there).hash()).isEqualTo(((KeyRead.Found) here).hash());
    } finally {
      db.server.execute("postgres", "ALTER DATABASE there RESET ALL");
    }
  }

  private static List<KeyRead> rows(
      RowAccess access, Side side, TablePlan plan, List<RowKey> keys) {
    return TwoDatabases.rows(
        access.read(side, plan, keys, TwoDatabases.soon(), new Cancellation()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "uuid;'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';text;'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';true",
        "uuid;'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';text;'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';false",
        "text;'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';uuid;'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';true",
        "text;'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12';uuid;'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';false",
        "bit(3);B'010';varbit;B'010';true",
        "bit(3);B'010';varbit;B'0100';false",
        "int4[];'{1,NULL}';int8[];'{1,NULL}';true",
        "int4[];'{1,2}';numeric[];'{1.00,2.1}';false",
        "varchar(9)[];'{a,\"b c\"}';text[];'{a,\"b c\"}';true",
        "numeric(9,2);1.5;numeric(9,4);1.5;true",
        "numeric(9,2);1.55;numeric(9,1);1.55;false",
        "timestamp(6);'2026-01-01 00:00:00.000001';timestamp(3);'2026-01-01 00:00:00.000001';false",
        "timestamp(6);'2026-01-01 00:00:00.001';timestamp(3);'2026-01-01 00:00:00.001';true",
        "char(3);'a';char(9);'a';true"
      })
  void acrossTypes(String from, String here, String to, String there, boolean equal)
      throws Exception {
    db.onBoth("DROP TABLE IF EXISTS across");
    db.onSource(
        "CREATE TABLE across (id int PRIMARY KEY, v " + from + ")",
        "INSERT INTO across VALUES (1, " + here + ")");
    db.onTarget(
        "CREATE TABLE across (id int PRIMARY KEY, v " + to + ")",
        "INSERT INTO across VALUES (1, " + there + ")");
    TablePlan plan = db.plan("public.across", "id");
    assertThat(plan.columnsNotCompared()).isEmpty();
    assertThat(db.differing(plan, "1").isEmpty()).isEqualTo(equal);
  }

  @Test
  void aTextThatIsNoUuidHidesNoOtherRow() throws Exception {
    db.onSource(
        "CREATE TABLE ids (id int PRIMARY KEY, v text)",
        "INSERT INTO ids VALUES (1, 'none'), (2, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11')");
    db.onTarget(
        "CREATE TABLE ids (id int PRIMARY KEY, v uuid)",
        "INSERT INTO ids VALUES (1, NULL), (2, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')");
    TablePlan plan = db.plan("public.ids", "id");
    assertThat(db.read(Side.SOURCE, plan, "1", "2").get(0)).isInstanceOf(KeyRead.Unreadable.class);
    assertThat(db.differing(plan, "2")).isEmpty();
  }

  /** The settings for single columns, in lookups and in ranges. */
  @Test
  void columnsGoBySetting() throws Exception {
    db.onSource(
        "CREATE TABLE said (id int PRIMARY KEY, gone text, other text, j text, t timestamp, f float4)",
        "INSERT INTO said VALUES (1, 'x', 'here', '{\"a\": 1}', '2026-01-01 00:00', 0.1),"
            + " (2, 'x', 'here', '{\"a\": 1}', '2026-01-01 00:00', 0.1)");
    db.onTarget(
        "CREATE TABLE said (id int PRIMARY KEY, other text, j json, t timestamptz, f float8)",
        "INSERT INTO said VALUES (1, 'there', '{\"a\":1}', '2026-01-01 09:00+09', 0.1),"
            + " (2, 'there', '{\"a\":2}', '2026-01-01 09:00+00', 0.1)");
    TableId table = TableId.parse("public.said");
    ColumnSettings said =
        new ColumnSettings(
            ColumnSettings.parseExcluded("public.said.gone, public.\"said\".other"),
            ColumnSettings.parseRules(
                "public.said.j=json_as_jsonb,public.said.t = timestamp_in_utc,"
                    + "public.said.f=EXACT_TEXT"));
    RowSettings settings = new RowSettings("app_pk", Map.of(), 1 << 20, said);
    ColumnSettingsCheck.require(db.source, db.target, settings, Time.system());
    RangeAccess ranges = RowAccesses.createRanges(db.source, db.target, settings, Time.system());
    RangePlan plan =
        ((RangeAccess.Opening.Ready) ranges.open(table, TwoDatabases.soon(), new Cancellation()))
            .plan();
    assertThat(plan.table().columnsNotCompared()).isEmpty();
    assertThat(plan.table().columnsExcluded()).containsExactly("gone", "other");
    assertThat(plan.table().rules())
        .containsEntry("j", "json_as_jsonb")
        .containsEntry("t", "timestamp_in_utc")
        .containsEntry("f", "exact_text")
        .doesNotContainKeys("gone", "other");
    assertThat(db.differing(plan.table(), "1")).isEmpty();
    assertThat(db.differing(plan.table(), "2")).containsExactly("j", "t");
    RowsChunk here = read(ranges, plan, Side.SOURCE);
    RowsChunk there = read(ranges, plan, Side.TARGET);
    assertThat(here.low(0)).isEqualTo(there.low(0));
    assertThat(here.low(1)).isNotEqualTo(there.low(1));
    // A range ledger of other settings is not continued.
    assertThat(plan.table().fingerprint())
        .isNotEqualTo(
            ((RangeAccess.Opening.Ready)
                    RowAccesses.createRanges(
                            db.source,
                            db.target,
                            new RowSettings(
                                "app_pk",
                                Map.of(),
                                1 << 20,
                                new ColumnSettings(
                                    said.excluded(),
                                    ColumnSettings.parseRules(
                                        "public.said.j=exact_text,public.said.t=timestamp_in_utc,"
                                            + "public.said.f=exact_text"))),
                            Time.system())
                        .open(table, TwoDatabases.soon(), new Cancellation()))
                .plan()
                .table()
                .fingerprint());
  }

  private static RowsChunk read(RangeAccess access, RangePlan plan, Side side) {
    return ((RangeAccess.Read.Rows)
            access.read(
                side,
                plan,
                KeyRange.ALL,
                10,
                Content.LINES,
                TwoDatabases.soon(),
                new Cancellation()))
        .chunk();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "public.nowhere.v;;a table that the source does not have: public.nowhere",
        "public.checked.\"V\";;a column that the source does not have: public.checked.\"V\"",
        "public.checked.id;;public.checked.id, which is part of the table's key",
        ";public.nowhere.v=exact_text;a table that the source does not have: public.nowhere",
        ";public.checked.w=exact_text;a column that the source does not have: public.checked.w",
        ";public.checked.id=exact_text;public.checked.id, which is part of the table's key",
        ";public.checked.v=json_as_jsonb;does not take integer on the source and bigint",
        "public.checked.v;public.checked.v=exact_text;which verify.column.rules gives a rule"
      })
  void settingsThatDoNotFitAreRefusedByName(String exclude, String rules, String message)
      throws Exception {
    db.onBoth("DROP TABLE IF EXISTS checked");
    db.onSource("CREATE TABLE checked (id int PRIMARY KEY, v int)");
    db.onTarget("CREATE TABLE checked (id int PRIMARY KEY, v bigint)");
    ColumnSettings said =
        new ColumnSettings(
            ColumnSettings.parseExcluded(exclude == null ? "" : exclude),
            ColumnSettings.parseRules(rules == null ? "" : rules));
    RowSettings settings = new RowSettings("app_pk", Map.of(), 1 << 20, said);
    assertThatThrownBy(
            () -> ColumnSettingsCheck.require(db.source, db.target, settings, Time.system()))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("Mend or remove it there");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "nowhere:dwh;;;schema that the source does not have: nowhere",
        "public:nowhere;;;schema that the target does not have: nowhere",
        ";public.nowhere:dwh.renamed;;table that the source does not have: public.nowhere",
        ";public.named:dwh.\"Renamed\";;table that the target does not have: dwh.\"Renamed\"",
        ";;public.nowhere.a:b;table that the source does not have: public.nowhere",
        "public:dwh;;public.named.a:x;table that the target does not have: dwh.named",
        ";public.named:dwh.renamed;public.named.\"A\":x;"
            + "column that the source does not have: public.named.\"A\"",
        ";public.named:dwh.renamed;public.named.a:y;column that the target does not have: dwh.renamed.y",
        ";public.named:dwh.renamed,public.other:public.named;public.other.a:a;"
            + "table that the source does not have: public.other",
        ";public.named:dwh.renamed,public.checked:dwh.named;;"
            + "table that the target does not have: dwh.named",
        ";public.named:dwh.renamed;public.named.a:b;gives public.named.a the name of public.named.b"
      })
  void namesThatDoNotFitAreRefused(String schemas, String tables, String columns, String message)
      throws Exception {
    db.onBoth("DROP TABLE IF EXISTS named", "DROP SCHEMA IF EXISTS dwh CASCADE");
    db.onSource("CREATE TABLE named (id int PRIMARY KEY, a int, b int)");
    db.onTarget("CREATE SCHEMA dwh", "CREATE TABLE dwh.renamed (id int PRIMARY KEY, x int, b int)");
    RowSettings settings = named(schemas, tables, columns, "");
    assertThatThrownBy(
            () -> TargetNamesCheck.require(db.source, db.target, settings, Time.system()))
        .isInstanceOf(DatabaseException.class)
        .hasMessageStartingWith("verify.")
        .hasMessageContaining(message);
  }

  private static RowSettings named(String schemas, String tables, String columns, String excluded) {
    return new RowSettings(
            "app_pk",
            Map.of(),
            1 << 20,
            new ColumnSettings(ColumnSettings.parseExcluded(excluded), Map.of()))
        .withNames(
            new TargetNames(
                TargetNames.parseSchemas(schemas == null ? "" : schemas),
                TargetNames.parseTables(tables == null ? "" : tables),
                TargetNames.parseColumns(columns == null ? "" : columns)));
  }

  /** A name that another column has may be given away if that one is not compared, or moves on. */
  @Test
  void namesThatFitAreTaken() throws Exception {
    db.onBoth("DROP TABLE IF EXISTS named", "DROP SCHEMA IF EXISTS dwh CASCADE");
    db.onSource("CREATE TABLE named (id int PRIMARY KEY, a int, b int)");
    db.onTarget("CREATE SCHEMA dwh", "CREATE TABLE dwh.named (id int PRIMARY KEY, b int, c int)");
    for (RowSettings fits :
        List.of(
            named("public:dwh", "", "public.named.a:b", "public.named.b"),
            named("", "public.named:dwh.named", "public.named.a:b,public.named.b:c", ""))) {
      assertThat(TargetNamesCheck.find(db.source, db.target, fits, Time.system())).isEmpty();
      assertThat(
              db.access(fits)
                  .open(
                      TableId.parse("public.named"),
                      List.of("id"),
                      TwoDatabases.soon(),
                      new Cancellation()))
          .isInstanceOf(RowAccess.Opening.Ready.class);
    }
    // Rules are held against the column that the mapping names.
    RowSettings ruled =
        new RowSettings(
                "app_pk",
                Map.of(),
                1 << 20,
                new ColumnSettings(
                    Map.of(), ColumnSettings.parseRules("public.named.a=json_as_jsonb")))
            .withNames(named("public:dwh", "", "public.named.a:c", "").names());
    assertThatThrownBy(
            () -> ColumnSettingsCheck.require(db.source, db.target, ruled, Time.system()))
        .hasMessageContaining("does not take integer on the source and integer on the target");
  }

  /** A composite that stands for nothing is part of what must not change, as any other. */
  @Test
  void aCompositeOfAnOldNameDoesNotUnsettleThePlan() throws Exception {
    db.onBoth("DROP TABLE IF EXISTS aged", "DROP TYPE IF EXISTS aging");
    db.onSource("CREATE TABLE aged (id int PRIMARY KEY, a int)", "INSERT INTO aged VALUES (1, 7)");
    db.onTarget(
        "CREATE TYPE aging AS (x int)",
        "CREATE TABLE aged (id int PRIMARY KEY, a aging, b int)",
        "INSERT INTO aged VALUES (1, ROW(8), 7)");
    RowAccess access = db.access(named("", "", "public.aged.a:b", ""));
    TablePlan plan =
        ((RowAccess.Opening.Ready)
                access.open(
                    TableId.parse("public.aged"),
                    List.of("id"),
                    TwoDatabases.soon(),
                    new Cancellation()))
            .plan();
    assertThat(plan.columnsOnlyOnTarget()).containsExactly("a");
    List<RowKey> keys = List.of(TwoDatabases.key(plan.keyColumns(), "1"));
    KeyRead here = read(access, Side.SOURCE, plan, keys);
    KeyRead there = read(access, Side.TARGET, plan, keys);
    assertThat(plan.differingColumns((KeyRead.Found) here, (KeyRead.Found) there)).isEmpty();
    db.onTarget("ALTER TYPE aging ADD ATTRIBUTE y int");
    assertThat(access.read(Side.TARGET, plan, keys, TwoDatabases.soon(), new Cancellation()))
        .isInstanceOf(BatchRead.PlanStale.class);
  }

  private static KeyRead read(RowAccess access, Side side, TablePlan plan, List<RowKey> keys) {
    return TwoDatabases.rows(access.read(side, plan, keys, TwoDatabases.soon(), new Cancellation()))
        .get(0);
  }

  /** Its text would be fetched as a uuid, and find no source row that writes it otherwise. */
  @Test
  void aTextIsNoKeyForAUuid() throws Exception {
    db.onSource("CREATE TABLE uuids (id text PRIMARY KEY)");
    db.onTarget("CREATE TABLE uuids (id uuid PRIMARY KEY)");
    assertThat(db.opening("public.uuids", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Unavailable.class,
            u -> assertThat(u.reason()).isEqualTo(IncompleteReason.NOT_COMPARABLE));
  }

  @Test
  void bytesAreNotTakenForText() throws Exception {
    db.onSource("CREATE TABLE bytes (id int PRIMARY KEY, v bytea, w bytea)");
    db.onTarget("CREATE TABLE bytes (id int PRIMARY KEY, v text, w bytea)");
    RowAccess access =
        db.access(
            new RowSettings(
                "app_pk",
                Map.of(),
                1 << 20,
                new ColumnSettings(
                    Map.of(),
                    ColumnSettings.parseRules(
                        "public.bytes.v=exact_text,public.bytes.w=exact_text"))));
    assertThat(
            access.open(
                TableId.parse("public.bytes"),
                List.of("id"),
                TwoDatabases.soon(),
                new Cancellation()))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Ready.class,
            ready -> {
              assertThat(ready.plan().rules()).containsEntry("w", "bytea_bytes");
              assertThat(ready.plan().columnsNotCompared())
                  .containsExactly(
                      "v: bytea on the source, text on the target, which the rule exact_text does"
                          + " not take");
            });
  }

  /** Some columns are not enough: row versions are needed too. */
  @Test
  void privilegesOnColumnsAreNotEnough() throws Exception {
    db.onBoth("CREATE TABLE granted (id int PRIMARY KEY, v text)");
    db.server.execute(
        "there", "CREATE ROLE reader LOGIN", "GRANT SELECT (id, v) ON granted TO reader");
    try (Database reader = db.open(Side.TARGET, "reader", "")) {
      assertThat(
              RowAccesses.create(db.source, reader, RowSettings.defaults(), Time.system())
                  .open(
                      TableId.parse("public.granted"),
                      List.of("id"),
                      TwoDatabases.soon(),
                      new Cancellation()))
          .isInstanceOfSatisfying(
              RowAccess.Opening.Unavailable.class,
              u -> {
                assertThat(u.reason()).isEqualTo(IncompleteReason.TARGET_READ_FAILED);
                assertThat(u.detail()).contains("GRANT SELECT ON");
              });
    }
  }

  /** A key of changes need not be the primary key. */
  @Test
  void aKeyColumnIsNeverLeftOut() throws Exception {
    db.onBoth("CREATE TABLE two_keys (id int PRIMARY KEY, other int NOT NULL UNIQUE)");
    TableId table = TableId.parse("public.two_keys");
    for (ColumnSettings said :
        List.of(
            new ColumnSettings(Map.of(table, Set.of("other")), Map.of()),
            new ColumnSettings(Map.of(), Map.of(table, Map.of("other", "exact_text"))))) {
      assertThat(
              db.access(new RowSettings("app_pk", Map.of(), 1 << 20, said))
                  .open(table, List.of("other"), TwoDatabases.soon(), new Cancellation()))
          .isInstanceOfSatisfying(
              RowAccess.Opening.Unavailable.class,
              u -> assertThat(u.detail()).contains("names other of public.two_keys"));
    }
  }

  @Test
  void aKeyOfThirtyTwoColumns() throws Exception {
    String columns =
        IntStream.range(0, 32).mapToObj(i -> "k" + i).collect(Collectors.joining(", "));
    db.onBoth(
        "CREATE TABLE many_keys ("
            + columns.replace(",", " int,")
            + " int, v text, PRIMARY KEY ("
            + columns
            + "))",
        "INSERT INTO many_keys SELECT "
            + "g, ".repeat(31)
            + "g % 2, 'v' || g"
            + " FROM generate_series(1, 4) g");
    db.onTarget("UPDATE many_keys SET v = 'w' WHERE k0 = 3");
    TablePlan plan = db.plan("public.many_keys", columns.split(", ", -1));
    for (int g = 1; g <= 4; g++) {
      String[] texts = new String[32];
      java.util.Arrays.fill(texts, Integer.toString(g));
      texts[31] = Integer.toString(g % 2);
      List<RowKey> key = List.of(TwoDatabases.key(plan.keyColumns(), texts));
      KeyRead.Found here = (KeyRead.Found) rows(db.access, Side.SOURCE, plan, key).get(0);
      KeyRead.Found there = (KeyRead.Found) rows(db.access, Side.TARGET, plan, key).get(0);
      assertThat(plan.differingColumns(here, there)).isEqualTo(g == 3 ? List.of("v") : List.of());
    }
  }

  /** O5: as many columns as a table can have, app_pk among them; and columns that come and go. */
  @Test
  void sixteenHundredColumns() throws Exception {
    String more =
        IntStream.range(0, 1598)
            .mapToObj(i -> "c" + i + (i % 1597 == 0 ? " bool" : " text"))
            .collect(Collectors.joining(", "));
    db.onBoth(
        "CREATE TABLE wide (id int PRIMARY KEY, app_pk int, " + more + ")",
        "INSERT INTO wide (id, app_pk, c0, c7, c1597)"
            + " VALUES (1, 7, true, 'x', true), (2, 7, true, 'y', true)");
    db.onTarget("UPDATE wide SET c1597 = false WHERE id = 2");
    TablePlan plan = db.plan("public.wide", "id");
    assertThat(plan.comparedColumns()).hasSize(1600);
    assertThat(db.differing(plan, "1")).isEmpty();
    assertThat(db.differing(plan, "2")).containsExactly("c1597");
    RangeAccess ranges =
        RowAccesses.createRanges(db.source, db.target, RowSettings.defaults(), Time.system());
    RangePlan range =
        ((RangeAccess.Opening.Ready)
                ranges.open(TableId.parse("public.wide"), TwoDatabases.soon(), new Cancellation()))
            .plan();
    assertThat(read(ranges, range, Side.SOURCE).low(0))
        .isEqualTo(read(ranges, range, Side.TARGET).low(0));
    assertThat(
            ranges.digest(
                Side.SOURCE, range, KeyRange.ALL, TwoDatabases.soon(), new Cancellation()))
        .isInstanceOf(RangeAccess.Digest.Made.class);
  }

  @Test
  void columnsThatWereDroppedAndAddedAgain() throws Exception {
    db.onBoth(
        "CREATE TABLE again (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a text, b text)",
        "INSERT INTO again (a, b) VALUES ('a', 'b')");
    db.onTarget(
        "ALTER TABLE again DROP a", "ALTER TABLE again ADD a text", "UPDATE again SET a = 'a'");
    TablePlan plan = db.plan("public.again", "id");
    assertThat(db.differing(plan, "1")).isEmpty();
    db.onTarget("UPDATE again SET a = 'b', b = 'a'");
    assertThat(db.differing(plan, "1")).containsExactly("a", "b");
  }

  @Test
  void onlyTablesAreCompared() throws Exception {
    db.onSource("CREATE TABLE seen (id int PRIMARY KEY)");
    db.onTarget(
        "CREATE EXTENSION postgres_fdw",
        "CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw",
        "CREATE FOREIGN TABLE seen (id int) SERVER loop");
    refused("a foreign table");
    db.onTarget("DROP FOREIGN TABLE seen", "CREATE VIEW seen AS SELECT 1 AS id");
    refused("a view");
    db.onTarget("DROP VIEW seen", "CREATE MATERIALIZED VIEW seen AS SELECT 1 AS id");
    refused("a materialized view");
    db.onTarget(
        "DROP MATERIALIZED VIEW seen",
        "CREATE TABLE seen (id int) PARTITION BY LIST (id)",
        "CREATE FOREIGN TABLE seen_1 PARTITION OF seen FOR VALUES IN (1) SERVER loop");
    refused("partitions are foreign tables");
  }

  private static void refused(String what) {
    assertThat(db.opening("public.seen", "id"))
        .isInstanceOfSatisfying(
            RowAccess.Opening.Skipped.class,
            skipped -> {
              assertThat(skipped.reason()).isEqualTo("unsupported_relation");
              assertThat(skipped.detail()).contains(what).contains("on the target");
            });
  }
}
