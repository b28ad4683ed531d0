package io.walproof.verifier.range;

import static io.walproof.verifier.range.RangeFixture.between;
import static io.walproof.verifier.range.RangeFixture.keys;
import static io.walproof.verifier.range.RangeFixture.limits;
import static io.walproof.verifier.range.RangeFixture.targetOnly;
import static io.walproof.verifier.range.RangeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.ConfirmationStrategy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Range checks on real databases, whose default collations differ; no applier runs. */
class RangeCheckIT {

  @TempDir private static Path ledgers;
  private static RangeFixture db;

  @BeforeAll
  static void start() throws Exception {
    db = new RangeFixture(ledgers);
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  private static void proved(RangeResult result, long rows) {
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.progress().rows()).isEqualTo(rows);
    assertThat(result.progress().complete()).isTrue();
    assertThat(result.progress().chunksDiffering()).isZero();
    assertThat(result.targetOnly().count()).isZero();
    assertThat(result.strength()).contains(Strength.LIVE);
  }

  /** Point 1: the key is there, with an old value. */
  @Test
  void anOldValueUnderItsKeyIsFound() throws Exception {
    db.onBoth(
        "CREATE TABLE old_value (id int PRIMARY KEY, v text)",
        "INSERT INTO old_value SELECT i, 'v' || i FROM generate_series(1, 300) AS i");
    proved(db.check(100, whole("public.old_value")), 300);
    db.onSource("UPDATE old_value SET v = 'new' WHERE id = 77");
    RangeResult result = db.check(100, whole("public.old_value"));
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(keys(result, "unresolved_different")).containsExactly("77");
    assertThat(result.keys().failures()).isEqualTo(1);
    assertThat(result.progress().chunksDiffering()).isEqualTo(1);
  }

  /** Point 2: no cap, and the last row counts. */
  @Test
  void theLastOfAMillionRowsIsMissed() throws Exception {
    db.onSource("CREATE TABLE many AS SELECT i AS id FROM generate_series(1, 1000001) AS i");
    db.onTarget("CREATE TABLE many AS SELECT i AS id FROM generate_series(1, 1000000) AS i");
    db.onBoth("ALTER TABLE many ADD PRIMARY KEY (id)");
    RangeResult result = db.check(20_000, whole("public.many"));
    assertThat(keys(result, "unresolved_missing")).containsExactly("1000001");
    assertThat(result.keys().failures()).isEqualTo(1);
    assertThat(result.progress().rows()).isEqualTo(1_000_001);
    db.onBoth("DROP TABLE many");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      value = {
        "int2 | i::int2",
        "int4 | i - 100",
        "int8 | i * 10000000000 - 99",
        "numeric | i / 7.0",
        "numeric(12,3) | i - 100.5",
        "float8 | i / 3.0::float8 - 20",
        "date | DATE '0001-01-01 BC' + i * 4001",
        "timestamp | TIMESTAMP '1582-10-01' + i * INTERVAL '37 hours'",
        "timestamptz | TIMESTAMPTZ '2026-01-01 00:00+09' + i * INTERVAL '1 minute'",
        "time | TIME '00:00' + i * INTERVAL '1 minute'",
        "interval | i * INTERVAL '7 hours'",
        "uuid | md5(i::text)::uuid",
        "bytea | decode(md5(i::text), 'hex')",
        "bool | i % 2 = 0",
        "text | (CASE i % 3 WHEN 0 THEN 'a-' WHEN 1 THEN 'A_' ELSE 'á ' END) || i",
        "text COLLATE \"C\" | (CASE i % 3 WHEN 0 THEN 'a-' ELSE E'B\\t\\'' END) || i",
        "varchar(20) COLLATE \"en-x-icu\" | (CASE i % 2 WHEN 0 THEN 'a' ELSE 'B' END) || i",
        "char(9) | 'k' || i",
        "name | 'n' || i",
        "inet | '10.0.0.0'::inet + i",
        "bit(9) | i::bit(9)",
        "money | i::money",
        "int4[] | ARRAY[i, 1]",
        "int4range | int4range(i, i + 1)",
        "mood | (enum_range(NULL::mood))[1 + i % 3]",
        "positive | i",
        "ext.citext | (CASE i % 2 WHEN 0 THEN 'a' ELSE 'B' END) || i",
      })
  void everyKeyTypeIsReadOnceAndFaultsAreNamed(String type, String value) throws Exception {
    db.onBoth(
        "CREATE SCHEMA IF NOT EXISTS ext",
        "CREATE EXTENSION IF NOT EXISTS citext SCHEMA ext",
        "DO $$ BEGIN CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');"
            + " CREATE DOMAIN positive AS int CHECK (VALUE > 0);"
            + " EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        "DROP TABLE IF EXISTS typed",
        "CREATE TABLE typed (k " + type + " PRIMARY KEY, n int, v text)",
        "INSERT INTO typed SELECT "
            + value
            + ", i, 'v' || i FROM generate_series(1, 200) AS i ON CONFLICT DO NOTHING");
    long rows = Long.parseLong(count("typed"));
    proved(db.check(7, whole("public.typed")), rows);
    db.onSource("DELETE FROM typed WHERE n = 2", "UPDATE typed SET v = 'x' WHERE n = 3");
    db.onTarget("DELETE FROM typed WHERE n = 1");
    RangeResult result = db.check(7, whole("public.typed"));
    String one = text("SELECT k::text FROM typed WHERE n = 1");
    String two = text(RangeFixture.THERE, "SELECT k::text FROM typed WHERE n = 2");
    switch (type) {
      case "bool" -> {
        one = "f";
        two = "t";
      }
      case "inet" -> {
        one = "10.0.0.1";
        two = "10.0.0.2";
      }
      case "money" -> {
        one = one.substring(1);
        two = two.substring(1);
      }
      default -> {}
    }
    assertThat(keys(result, "unresolved_missing").stream().map(String::strip))
        .containsExactly(one.strip());
    assertThat(targetOnly(result).stream().map(String::strip)).containsExactly(two.strip());
    assertThat(keys(result, "unresolved_different")).hasSize(rows > 2 ? 1 : 0);
    assertThat(result.progress().rows()).isEqualTo(rows - 1);
  }

  /** V5 and point 4: parts that hold any separator. */
  @Test
  void compositeKeysStayApart() throws Exception {
    db.onBoth(
        "CREATE TABLE pairs (a text COLLATE \"C\", b text COLLATE \"C\", v text,"
            + " PRIMARY KEY (b, a))",
        "INSERT INTO pairs SELECT x.t, y.t, 'v' FROM (VALUES ('a'), ('a::b'), ('b::c'), ('c'),"
            + " (''), ('\\N'), (E'\\t'), (E'a\\tb'), (E'\\n'), ('\\'), (','), ('\"'), (''''),"
            + " ('NULL'), (E'\\x01')) AS x (t), (VALUES ('a'), ('b::c'), ('c'), (''), ('\\N'),"
            + " (E'\\t'), (E'\\n'), ('\\'), (','), ('\"'), (''''), ('NULL'), (E'\\x01')) AS y (t)");
    proved(db.check(3, whole("public.pairs")), 15 * 13);
    db.onTarget(
        "DELETE FROM pairs WHERE a = 'a' AND b = 'b::c'",
        "UPDATE pairs SET v = 'w' WHERE a = E'a\\tb' AND b = E'\\n'");
    RangeResult result = db.check(3, whole("public.pairs"));
    assertThat(keys(result, "unresolved_missing")).containsExactly("b::c,a");
    assertThat(keys(result, "unresolved_different")).containsExactly("\n,a\tb");
    assertThat(targetOnly(result)).isEmpty();
  }

  /** V10 and point 8: chunk edges inside equal first columns, both directions. */
  @ParameterizedTest
  @CsvSource({
    "'a ASC, b DESC', 'a ASC, b DESC'",
    "'a DESC, b ASC', 'b ASC, a DESC'",
    "'b DESC, a DESC', 'a ASC, b ASC'",
    "'a DESC NULLS LAST, b ASC', 'a DESC NULLS LAST, b ASC'"
  })
  void mixedDirectionsHaveEachRowInOneChunk(String here, String there) throws Exception {
    db.onBoth(
        "DROP TABLE IF EXISTS mixed",
        "CREATE TABLE mixed (a int NOT NULL, b int NOT NULL, v text)",
        "INSERT INTO mixed SELECT i / 40, i % 40, 'v' || i FROM generate_series(0, 399) AS i");
    db.onSource("CREATE UNIQUE INDEX mixed_key ON mixed (" + here + ")");
    db.onTarget("CREATE UNIQUE INDEX mixed_key ON mixed (" + there + ")");
    proved(db.check(7, whole("public.mixed")), 400);
    db.onTarget("DELETE FROM mixed WHERE a = 5 AND b IN (0, 39)");
    db.onSource("DELETE FROM mixed WHERE a = 6 AND b = 20");
    RangeResult result = db.check(7, whole("public.mixed"));
    boolean leading = here.startsWith("a");
    assertThat(keys(result, "unresolved_missing"))
        .containsExactlyInAnyOrder(leading ? "5,0" : "0,5", leading ? "5,39" : "39,5");
    assertThat(targetOnly(result)).containsExactly(leading ? "6,20" : "20,6");
    assertThat(result.progress().rows()).isEqualTo(399);
  }

  /** V2. */
  @Test
  void otherCollationsNeitherSkipNorInventRows() throws Exception {
    db.onBoth(
        "CREATE TABLE words (w text PRIMARY KEY, v int)",
        "INSERT INTO words SELECT p || s || i, i FROM generate_series(1, 40) AS i,"
            + " unnest(ARRAY['a', 'A', 'b', 'B', 'é', 'z', 'Z', '_', '-']) AS p,"
            + " unnest(ARRAY['-', '_', ' ', '', 'x']) AS s ON CONFLICT DO NOTHING");
    long rows = Long.parseLong(count("words"));
    RangeResult equal = db.check(50, whole("public.words"));
    proved(equal, rows);
    assertThat(equal.pairing()).contains("by_lookup");
    db.onTarget(
        "DELETE FROM words WHERE w = 'B-7'",
        "UPDATE words SET v = 0 WHERE w = 'é_3'",
        "INSERT INTO words VALUES ('only here', 1), ('Zz', 1)");
    RangeResult result = db.check(50, whole("public.words"));
    assertThat(keys(result, "unresolved_missing")).containsExactly("B-7");
    assertThat(keys(result, "unresolved_different")).containsExactly("é_3");
    assertThat(targetOnly(result)).containsExactly("Zz", "only here");
    // The range is the source's: capitals sort before small letters there.
    RangeResult part = db.check(50, between("public.words", List.of("A"), List.of("Zzz")));
    assertThat(keys(part, "unresolved_missing")).containsExactly("B-7");
    assertThat(keys(part, "unresolved_different")).isEmpty();
    assertThat(targetOnly(part)).containsExactly("Zz");
  }

  /** V6: what an exclusive or of row hashes, or a sum of column hashes, would not see. */
  @Test
  void changesThatCancelAreSeen() throws Exception {
    db.onBoth(
        "CREATE TABLE twice (id int PRIMARY KEY, v text, w text)",
        "INSERT INTO twice SELECT i, 'same', 'same' FROM generate_series(1, 40) AS i");
    db.onTarget(
        "UPDATE twice SET v = 'other' WHERE id IN (7, 8)",
        "UPDATE twice SET v = 'left', w = 'right' WHERE id IN (20, 21)");
    db.onSource("UPDATE twice SET v = 'right', w = 'left' WHERE id IN (20, 21)");
    RangeResult result = db.check(100, whole("public.twice"));
    assertThat(keys(result, "unresolved_different")).containsExactly("20", "21", "7", "8");
  }

  /** V3, V4. */
  @Test
  void nullIsNoText() throws Exception {
    db.onBoth("CREATE TABLE nulls (id int PRIMARY KEY, v text, w text)");
    db.onSource(
        "INSERT INTO nulls VALUES (1, NULL, ''), (2, NULL, ''), (3, NULL, ''), (4, 'x0', 'y'),"
            + " (5, E'\\\\N', NULL), (6, '', NULL)");
    db.onTarget(
        "INSERT INTO nulls VALUES (1, '', NULL), (2, 'NULL', ''), (3, E'\\\\N', ''),"
            + " (4, 'x', '0y'), (5, E'\\\\N', NULL), (6, '', NULL)");
    RangeResult result = db.check(100, whole("public.nulls"));
    assertThat(keys(result, "unresolved_different")).containsExactly("1", "2", "3", "4");
  }

  @Test
  void tablesOfNoRowAndOfOne() throws Exception {
    db.onBoth("CREATE TABLE none (id int PRIMARY KEY)", "CREATE TABLE one (id int PRIMARY KEY)");
    db.onBoth("INSERT INTO one VALUES (5)");
    proved(db.check(10, whole("public.none")), 0);
    proved(db.check(10, whole("public.one")), 1);
    db.onTarget("INSERT INTO none VALUES (3)", "DELETE FROM one");
    RangeResult none = db.check(10, whole("public.none"));
    assertThat(targetOnly(none)).containsExactly("3");
    assertThat(none.outcome()).isEqualTo(RangeOutcome.PROVED);
    assertThat(keys(db.check(10, whole("public.one")), "unresolved_missing")).containsExactly("5");
  }

  @Test
  void sixtyColumns() throws Exception {
    String columns =
        IntStream.range(0, 60).mapToObj(i -> "c" + i + " text").collect(Collectors.joining(", "));
    String values =
        IntStream.range(0, 60)
            .mapToObj(i -> i % 7 == 0 ? "NULL" : "'" + i + "-' || i")
            .collect(Collectors.joining(", "));
    db.onBoth(
        "CREATE TABLE wide (id int PRIMARY KEY, " + columns + ")",
        "INSERT INTO wide SELECT i, " + values + " FROM generate_series(1, 500) AS i");
    proved(db.check(100, whole("public.wide")), 500);
    db.onTarget("UPDATE wide SET c59 = 'x' WHERE id = 321");
    assertThat(keys(db.check(100, whole("public.wide")), "unresolved_different"))
        .containsExactly("321");
  }

  /** Rows that only the target has are counted without a cap, and named up to one. */
  @Test
  void targetOnlyRowsAreCountedWhereverTheyAre() throws Exception {
    db.onBoth(
        "CREATE TABLE fewer (id int PRIMARY KEY)",
        "INSERT INTO fewer SELECT i FROM generate_series(10001, 10100) AS i");
    db.onTarget(
        "INSERT INTO fewer SELECT i FROM generate_series(1, 3000) AS i",
        "INSERT INTO fewer SELECT i FROM generate_series(20001, 25000) AS i");
    RangeResult result = db.check(30, whole("public.fewer"));
    assertThat(result.targetOnly().count()).isEqualTo(8_000);
    assertThat(result.targetOnly().named()).hasSize(50);
    assertThat(result.outcome()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.keys().suspects()).isZero();
  }

  /** Point 6. */
  @Test
  void whatTheTargetLacksIsAFailureAndTheOthersGoOn() throws Exception {
    db.onBoth("CREATE TABLE fine (id int PRIMARY KEY)", "INSERT INTO fine VALUES (1)");
    db.onSource(
        "CREATE TABLE absent (id int PRIMARY KEY)",
        "CREATE SCHEMA lost",
        "CREATE TABLE lost.t (id int PRIMARY KEY)",
        "CREATE TABLE narrow (id int PRIMARY KEY, gone text)",
        "CREATE TABLE keyless (id int)");
    db.onTarget("CREATE TABLE narrow (id int PRIMARY KEY)", "CREATE TABLE keyless (id int)");
    List<RangeResult> results =
        db.check(
            limits(100),
            List.of(
                whole("public.absent"),
                whole("lost.t"),
                whole("public.narrow"),
                whole("public.keyless"),
                whole("public.nobody"),
                whole("public.fine")),
            new Cancellation());
    assertThat(results.stream().map(RangeResult::outcome))
        .containsExactly(
            RangeOutcome.FAILED,
            RangeOutcome.FAILED,
            RangeOutcome.FAILED,
            RangeOutcome.SKIPPED,
            RangeOutcome.INCOMPLETE,
            RangeOutcome.PROVED);
    assertThat(results.stream().map(result -> result.reason().orElse("")))
        .containsExactly(
            "target_table_missing",
            "target_table_missing",
            "target_column_missing",
            "no_usable_key",
            "source_table_missing",
            "");
    assertThat(results.get(2).detail().orElseThrow()).contains("gone");
    List<AuditEntry.RangeEnd> ends =
        db.audit.stream()
            .filter(AuditEntry.RangeEnd.class::isInstance)
            .map(AuditEntry.RangeEnd.class::cast)
            .filter(end -> end.table().orElseThrow().name().equals("absent"))
            .toList();
    assertThat(ends).hasSize(1);
    assertThat(ends.get(0).outcome()).isEqualTo("failed");
  }

  /** Point: bounds are inclusive and typed by the database. */
  @Test
  void boundsAreInclusive() throws Exception {
    db.onBoth(
        "CREATE TABLE bounded (d date, \"N,1\" numeric, v text, PRIMARY KEY (d, \"N,1\"))",
        "INSERT INTO bounded SELECT DATE '2026-01-01' + i / 10, i % 10, 'v'"
            + " FROM generate_series(0, 299) AS i");
    db.onTarget("DELETE FROM bounded WHERE d IN ('2026-01-05', '2026-01-07')");
    RangeResult result =
        db.check(
            4,
            between("public.bounded", List.of("2026-01-05", "9.0"), List.of("Jan 7 2026", "0.00")));
    assertThat(keys(result, "unresolved_missing"))
        .as(result.toString())
        .containsExactly("2026-01-05,9", "2026-01-07,0");
    assertThat(result.progress().rows()).isEqualTo(12);
    for (List<String> bad : List.of(List.of("2026-13-01", "0"), List.of("2026-01-01"))) {
      RangeResult refused = db.check(4, between("public.bounded", bad, null));
      assertThat(refused.reason()).contains("bound_refused");
      assertThat(refused.detail().orElseThrow()).contains("(d, \"N,1\")").doesNotContain("2026-");
    }
    assertThat(db.check(4, between("public.bounded", List.of("2026-01-01"), null)).detail())
        .as("how such a bound is written")
        .hasValueSatisfying(why -> assertThat(why).endsWith("[\"...\", \"...\"]"));
    List<String> early = List.of("2026-01-05", "9");
    List<String> late = List.of("2026-01-07", "0");
    RangeResult swapped = db.check(4, between("public.bounded", late, early));
    assertThat(swapped.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(swapped.reason()).contains("bound_refused");
    assertThat(swapped.detail().orElseThrow()).contains("first key lies behind its last");
    assertThat(db.check(4, between("public.bounded", early, early)).progress().rows()).isEqualTo(1);
  }

  /** Afterwards only the key checks of what differs are waited for. */
  @Test
  void aCheckSaysWhenAllIsRead(@TempDir Path ledgers) throws Exception {
    db.onBoth(
        "CREATE TABLE read_one (id int PRIMARY KEY)", "CREATE TABLE read_two (id int PRIMARY KEY)");
    List<String> seen = new ArrayList<>();
    AtomicReference<RangeCheck> running = new AtomicReference<>();
    AuditLog log =
        new AuditLog() {
          @Override
          public void append(List<AuditEntry> entries) {
            for (AuditEntry entry : entries) {
              if (entry instanceof AuditEntry.RangeStart || entry instanceof AuditEntry.RangeEnd) {
                RangeCheck.Status status = running.get().progress().orElseThrow();
                seen.add(status.number() + " " + status.allRead());
              }
            }
          }

          @Override
          public void close() {}
        };
    AssembledRangeCheck assembled =
        RangeFixture.start(
            limits(10),
            db.here(),
            db.there(PostgresServer.SUPERUSER),
            ConfirmationStrategy.NONE,
            ledgers,
            log);
    try {
      running.set(assembled.check());
      assembled
          .check()
          .run(
              List.of(whole("public.read_one"), whole("public.read_two")),
              Deadline.in(Time.system(), Duration.ofMinutes(1)),
              new Cancellation());
    } finally {
      assembled.stop(Duration.ofSeconds(10));
    }
    assertThat(seen).containsExactly("1 false", "2 false", "2 true", "2 true");
  }

  /** Point 5: cancelled soon, and no statement is left on either server. */
  @ParameterizedTest
  @CsvSource({"there, CLIENT", "there, SERVER", "here, CLIENT", "here, SERVER"})
  void aCancelledCheckLeavesNoStatement(String side, DigestPlace digest) throws Exception {
    db.onBoth(
        "DROP TABLE IF EXISTS locked",
        "CREATE TABLE locked (id int PRIMARY KEY)",
        "INSERT INTO locked SELECT i FROM generate_series(1, 100) AS i");
    Cancellation cancel = new Cancellation();
    try (Connection holder = db.server.connect(side);
        Statement statement = holder.createStatement()) {
      // A table that is being read by nobody can still be planned; its rows cannot be read.
      CompletableFuture<List<RangeResult>> check = new CompletableFuture<>();
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE locked IN ACCESS EXCLUSIVE MODE");
      Thread thread =
          new Thread(
              () -> {
                try {
                  check.complete(
                      db.check(limits(10, digest, 1.0), List.of(whole("public.locked")), cancel));
                } catch (Exception e) {
                  check.completeExceptionally(e);
                }
              });
      thread.start();
      await().atMost(Duration.ofMinutes(3)).until(() -> awaitingLocks() > 0);
      cancel.cancel();
      RangeResult result = check.get(60, TimeUnit.SECONDS).get(0);
      assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
      assertThat(active()).isZero();
    }
  }

  /** What was proved before an early end is not read again. */
  @Test
  void aLaterCheckContinues() throws Exception {
    db.onBoth(
        "CREATE TABLE long_one (id int PRIMARY KEY, v text)",
        "INSERT INTO long_one SELECT i, 'v' FROM generate_series(1, 5000) AS i");
    db.onTarget(
        "DELETE FROM long_one WHERE id = 10", "UPDATE long_one SET v = 'x' WHERE id = 4999");
    Cancellation cancel = new Cancellation();
    RangeLimits slow = limits(50, DigestPlace.CLIENT, 0.01);
    CompletableFuture<RangeResult> first = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                first.complete(db.check(slow, List.of(whole("public.long_one")), cancel).get(0));
              } catch (Exception e) {
                first.completeExceptionally(e);
              }
            });
    thread.start();
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                db.audit.stream()
                    .anyMatch(
                        entry ->
                            entry instanceof AuditEntry.Observation seen
                                && seen.table().name().equals("long_one")));
    // Point 5: between chunks no transaction is open on either side, and no snapshot held.
    await().atMost(Duration.ofMinutes(3)).until(() -> transactions() == 0);
    assertThat(first).as("it is resting").isNotDone();
    cancel.cancel();
    RangeResult stopped = first.get(60, TimeUnit.SECONDS);
    assertThat(stopped.progress().complete()).isFalse();
    assertThat(stopped.progress().rows()).isLessThan(5_000);
    int before = db.audit.size();
    RangeResult second = db.check(50, whole("public.long_one"));
    assertThat(second.resumed()).isTrue();
    assertThat(second.progress().rows()).isEqualTo(5_000);
    assertThat(keys(second, "unresolved_missing")).containsExactly("10");
    assertThat(keys(second, "unresolved_different")).containsExactly("4999");
    assertThat(db.audit.subList(before, db.audit.size()))
        .anyMatch(entry -> entry instanceof AuditEntry.RangeStart start && start.resumed());
    assertThat(db.check(50, whole("public.long_one")).resumed()).isFalse();
  }

  private static long awaitingLocks() throws Exception {
    return Long.parseLong(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof'"
                + " AND wait_event_type = 'Lock'"));
  }

  private static long transactions() throws Exception {
    return Long.parseLong(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof'"
                + " AND (xact_start IS NOT NULL OR backend_xmin IS NOT NULL)"));
  }

  private static long active() throws Exception {
    return Long.parseLong(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof'"
                + " AND state <> 'idle'"));
  }

  private static String count(String table) throws Exception {
    return text("SELECT count(*) FROM " + table);
  }

  private static String text(String sql) throws Exception {
    return text(RangeFixture.HERE, sql);
  }

  private static String text(String database, String sql) throws Exception {
    try (Connection connection = db.server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
