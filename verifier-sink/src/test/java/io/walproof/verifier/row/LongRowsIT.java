package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that no heap can hold are named, cost nothing, and hide no other. */
class LongRowsIT {

  private static final int MIB = 1 << 20;

  private static TwoDatabases db;

  @BeforeAll
  static void start() throws Exception {
    db = new TwoDatabases(18);
    db.onSource(
        "CREATE TABLE longs (id int PRIMARY KEY, v text, app_pk int)",
        "INSERT INTO longs SELECT g, 'v' || g, g FROM generate_series(1, 300) g",
        "UPDATE longs SET v = repeat('x', 200 * 1024 * 1024) WHERE id IN (7, 150)",
        "INSERT INTO longs SELECT g, repeat('y', 1024 * 1024), g FROM generate_series(301, 400) g");
    db.onTarget("CREATE TABLE longs (id int PRIMARY KEY, v text, app_pk int)");
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static List<KeyRead> read(RowAccess access, List<RowKey> keys) {
    TablePlan plan = plan(access, "public.longs");
    return TwoDatabases.rows(
        access.read(Side.SOURCE, plan, keys, TwoDatabases.soon(), new Cancellation()));
  }

  private static TablePlan plan(RowAccess access, String table) {
    RowAccess.Opening opening =
        access.open(TableId.parse(table), List.of("id"), TwoDatabases.soon(), new Cancellation());
    return ((RowAccess.Opening.Ready) opening).plan();
  }

  private static List<RowKey> keys(int from, int to) {
    List<RowKey> keys = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      keys.add(TwoDatabases.key(List.of("id"), Integer.toString(i)));
    }
    return keys;
  }

  @Test
  void rowsOf200MbAreNamedAndNotFetched() {
    long before = allocated();
    List<KeyRead> rows = read(db.access, keys(1, 300));
    assertThat(allocated() - before).isLessThan(50L * MIB);
    for (int i = 1; i <= 300; i++) {
      if (i == 7 || i == 150) {
        assertThat(rows.get(i - 1))
            .isInstanceOfSatisfying(
                KeyRead.Unreadable.class,
                row -> {
                  assertThat(row.reason()).isEqualTo(IncompleteReason.ROW_TOO_LARGE);
                  assertThat(row.detail())
                      .contains("on the source", "verify.row.max.bytes=16777216");
                });
      } else {
        assertThat(rows.get(i - 1)).as("row " + i).isInstanceOf(KeyRead.Found.class);
      }
    }
  }

  /** A hundred rows that fit one by one, and not together. */
  @Test
  void longRowsAreFetchedInSmallParts() {
    RowAccess small =
        db.access(new RowSettings("app_pk", java.util.Map.of(), 4 * MIB, ColumnSettings.NONE));
    List<KeyRead> rows = read(small, keys(280, 400));
    assertThat(rows).hasSize(121).allMatch(KeyRead.Found.class::isInstance);
    assertThat(rows.get(100))
        .extracting(row -> ((KeyRead.Found) row).app().orElse(-1))
        .isEqualTo(380L);
    // The same hashes as when they are fetched alone.
    List<KeyRead> alone = read(db.access, keys(390, 390));
    assertThat(((KeyRead.Found) rows.get(110)).hash())
        .isEqualTo(((KeyRead.Found) alone.get(0)).hash());
  }

  /** The length that counts is that of the text, whatever the type stores. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "text;repeat('x', %d)",
        "varchar;repeat('x', %d)",
        "citext;repeat('x', %d)::citext",
        "xml;('<a>' || repeat('x', %d - 7) || '</a>')::xml",
        "bytea;decode(repeat('ab', (%d - 2) / 2), 'hex')",
        "json;to_json(repeat('x', %d - 2))",
        "jsonb;to_jsonb(repeat('x', %d - 2))",
        "bit varying;repeat('1', %d)::varbit",
        "text[];ARRAY[repeat('x', %d - 2)]",
        "int[];array_fill(0, ARRAY[(%d - 1) / 2])",
        "bpchar;repeat('x', %d)::bpchar"
      })
  void theLimitIsThatOfTheText(String type, String value) throws Exception {
    int most = 200_000;
    db.onBoth("CREATE EXTENSION IF NOT EXISTS citext", "DROP TABLE IF EXISTS edges");
    db.onBoth("CREATE TABLE edges (id int PRIMARY KEY, v " + type + ")");
    db.onSource(
        "INSERT INTO edges SELECT 1, " + value.formatted(most),
        "INSERT INTO edges SELECT 2, " + value.formatted(most + 10));
    RowAccess access = db.access(RowSettings.defaults().withRowMaxBytes(most));
    List<KeyRead> rows =
        TwoDatabases.rows(
            access.read(
                Side.SOURCE,
                plan(access, "public.edges"),
                keys(1, 2),
                TwoDatabases.soon(),
                new Cancellation()));
    assertThat(rows.get(0)).isInstanceOf(KeyRead.Found.class);
    assertThat(rows.get(1))
        .isInstanceOfSatisfying(
            KeyRead.Unreadable.class,
            row -> assertThat(row.reason()).isEqualTo(IncompleteReason.ROW_TOO_LARGE));
  }

  /** However a row's length is spread over its columns, a range's guard goes by the sum. */
  @Test
  void aRangesGuardMeasuresWhatIsNotPlainlyShort() throws Exception {
    int most = 3_000;
    db.onBoth("DROP TABLE IF EXISTS spread");
    db.onBoth("CREATE TABLE spread (id int PRIMARY KEY, t text, b bytea, j jsonb, n int)");
    // Lengths of 0, about an even share, half, all and more than the limit; -1 stands for NULL.
    db.onSource(
        "INSERT INTO spread SELECT row_number() OVER (),"
            + " CASE WHEN x >= 0 THEN repeat('x', x) END,"
            + " CASE WHEN y >= 0 THEN decode(repeat('ab', y / 2), 'hex') END,"
            + " CASE WHEN z >= 0 THEN to_jsonb(repeat('z', z)) END, 1"
            + " FROM unnest(ARRAY[-1, 0, 990, 1000, 1010, 1500, 2990, 3010]) AS x,"
            + " unnest(ARRAY[-1, 0, 990, 1000, 1010, 1500, 2990, 3010]) AS y,"
            + " unnest(ARRAY[-1, 0, 990, 1000, 1010, 1500, 2990, 3010]) AS z");
    SideCatalog catalog =
        ((PlannedTable) plan(db.access, "public.spread")).on(Side.SOURCE).catalog();
    List<String> columns = List.of("t", "b", "j", "n");
    String guard =
        RowSize.guard(
                columns.stream().map(each -> catalog.column(each).orElseThrow().shape()).toList(),
                columns.stream().map(each -> "s." + each).toList(),
                most)
            .orElseThrow();
    int refused = 0;
    // What a row's texts are in all; the two characters before a bytea's digits do not count.
    String length =
        "COALESCE(octet_length(t), 0) + COALESCE(octet_length(format('%s', b)) - 2, 0)"
            + " + COALESCE(octet_length(format('%s', j)), 0)";
    try (Connection connection = db.server.connect("here");
        Statement statement = connection.createStatement();
        Statement guarded = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, " + length + " FROM spread")) {
      while (rows.next()) {
        String one = "SELECT 1 FROM spread AS s WHERE id = " + rows.getInt(1) + " AND " + guard;
        // A short jsonb counts with what is stored of it, some bytes more than its text.
        if (rows.getInt(2) <= most - 20) {
          assertThat(guarded.executeQuery(one).next()).as(one).isTrue();
        } else if (rows.getInt(2) > most) {
          refused++;
          assertThatThrownBy(() -> guarded.executeQuery(one))
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
        }
      }
    }
    assertThat(refused).isBetween(100, 400);
  }

  /** Compressed, a value takes a fraction of its text; a statement's share is of the text. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "citext;repeat('x', %d)::citext",
        "jsonb;to_jsonb(repeat('x', %d))",
        "bit varying;repeat('1', %d)::varbit",
        "text[];ARRAY[repeat('x', %d)]",
        "int[];array_fill(0, ARRAY[%d / 2])"
      })
  void noValueIsSentThatIsLongerThanAStatementsShare(String type, String value) throws Exception {
    int share = 100_000;
    db.onBoth("CREATE EXTENSION IF NOT EXISTS citext", "DROP TABLE IF EXISTS shares");
    db.onBoth("CREATE TABLE shares (id int PRIMARY KEY, v " + type + ")");
    db.onSource("INSERT INTO shares SELECT 1, " + value.formatted(share + 100));
    SidePlan side = ((PlannedTable) plan(db.access, "public.shares")).on(Side.SOURCE);
    Outcome<String> sent =
        new Transactions(db.source, Time.system())
            .run(
                TransactionKind.ROWS,
                TwoDatabases.soon(),
                new Cancellation(),
                session ->
                    session.query(
                        side.sql(),
                        binder -> {
                          binder.texts(new String[] {"1"});
                          binder.text(Integer.toString(share));
                        },
                        rows -> {
                          assertThat(rows.next()).isTrue();
                          assertThat(rows.getLong(5)).isGreaterThan(share);
                          return rows.getString(4);
                        }));
    assertThat(((Outcome.Done<String>) sent).value()).isNull();
  }

  /** Where nothing keeps the target from having a key often, its rows cost nothing together. */
  @Test
  void longRowsOfOneKeyAreNotFetched() throws Exception {
    db.onBoth("DROP TABLE IF EXISTS twins");
    db.onSource("CREATE TABLE twins (id int PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE twins (id int, v text)");
    db.onTarget(
        "INSERT INTO twins SELECT 1, repeat('x', 1024 * 1024) FROM generate_series(1, 30)",
        "INSERT INTO twins SELECT 2, repeat('x', 1024 * 1024)",
        "INSERT INTO twins SELECT 3, repeat('x', 1024 * 1024 * g) FROM generate_series(0, 1) g",
        "INSERT INTO twins SELECT 4, repeat('x', 1024 * 1024 * g) FROM generate_series(-1, 0) g");
    TablePlan plan = plan(db.access, "public.twins");
    long before = allocated();
    List<KeyRead> rows =
        TwoDatabases.rows(
            db.access.read(
                Side.TARGET, plan, keys(1, 40), TwoDatabases.soon(), new Cancellation()));
    assertThat(allocated() - before).isLessThan(20L * MIB);
    assertThat(rows.get(1)).isInstanceOf(KeyRead.Found.class);
    for (int twin : new int[] {0, 2, 3}) {
      assertThat(rows.get(twin))
          .isInstanceOfSatisfying(
              KeyRead.Unreadable.class,
              row -> assertThat(row.reason()).isEqualTo(IncompleteReason.NOT_UNIQUE));
    }
  }

  /** As a sink leaves them that only inserts: two rows are enough to know. */
  @Test
  void countlessRowsOfOneKeyAreNotFetched() throws Exception {
    db.onBoth("DROP TABLE IF EXISTS crowds");
    db.onSource("CREATE TABLE crowds (id int PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE crowds (id int, v text)");
    db.onTarget("INSERT INTO crowds SELECT 1 + g % 3, 'v' FROM generate_series(1, 200000) AS g");
    db.onTarget("INSERT INTO crowds VALUES (4, 'v')");
    TablePlan plan = plan(db.access, "public.crowds");
    long before = allocated();
    List<KeyRead> rows =
        TwoDatabases.rows(
            db.access.read(Side.TARGET, plan, keys(1, 5), TwoDatabases.soon(), new Cancellation()));
    assertThat(allocated() - before).isLessThan(5L * MIB);
    for (KeyRead crowd : rows.subList(0, 3)) {
      assertThat(crowd)
          .isInstanceOfSatisfying(
              KeyRead.Unreadable.class,
              row -> assertThat(row.reason()).isEqualTo(IncompleteReason.NOT_UNIQUE));
    }
    assertThat(rows.get(3)).isInstanceOf(KeyRead.Found.class);
    assertThat(rows.get(4)).isInstanceOf(KeyRead.NotFound.class);
  }

  /** A repair says why it leaves a row out, and fetches nothing of it. */
  @Test
  void rowsThatCannotBeReadAreNotFetchedForARepair() throws Exception {
    db.onBoth("DROP TABLE IF EXISTS mended");
    db.onSource(
        "CREATE TABLE mended (id int PRIMARY KEY, v text)",
        "INSERT INTO mended VALUES (1, repeat('x', 60 * 1024 * 1024)), (2, 'it''s'), (3, 'c')");
    db.onTarget(
        "CREATE TABLE mended (id int, v text)", "INSERT INTO mended VALUES (3, 'a'), (3, 'b')");
    RepairRows repairs =
        RowAccesses.createRepairs(db.source, db.target, RowSettings.defaults(), Time.system());
    RowAccess.Opening opening =
        repairs.open(
            TableId.parse("public.mended"), List.of("id"), TwoDatabases.soon(), new Cancellation());
    long before = allocated();
    RepairRows.Reading reading =
        repairs.read(
            ((RowAccess.Opening.Ready) opening).plan(),
            keys(1, 3),
            Optional::empty,
            TwoDatabases::soon,
            new Cancellation());
    assertThat(allocated() - before).isLessThan(20L * MIB);
    List<RepairRow> rows =
        ((RepairRows.Reading.Rows) reading)
            .rows().stream().map(java.util.Optional::orElseThrow).toList();
    assertThat(rows.get(0).source())
        .isInstanceOfSatisfying(
            KeyRead.Unreadable.class,
            row -> assertThat(row.reason()).isEqualTo(IncompleteReason.ROW_TOO_LARGE));
    assertThat(rows.get(1).all())
        .containsEntry("\"v\"", "CAST('it''s' AS \"pg_catalog\".\"text\")");
    assertThat(rows.get(2).target())
        .isInstanceOfSatisfying(
            KeyRead.Unreadable.class,
            row -> assertThat(row.reason()).isEqualTo(IncompleteReason.NOT_UNIQUE));
  }
}
