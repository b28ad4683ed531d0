package io.walproof.verifier.range;

import static io.walproof.verifier.range.RangeFixture.keys;
import static io.walproof.verifier.range.RangeFixture.limits;
import static io.walproof.verifier.range.RangeFixture.targetOnly;
import static io.walproof.verifier.range.RangeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.row.KeyRange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Point 8: no row in two chunks, none in no chunk, on either side. */
class RangeEdgesIT {

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

  /** By order, and by lookup where the collations differ. */
  @ParameterizedTest
  @CsvSource({"int, i, 7", "int, i, 10000", "text, 'k' || i, 7", "text, 'k' || i, 10000"})
  void aTargetRowWithoutAKeyIsCounted(String type, String key, int chunkRows) throws Exception {
    db.onBoth("DROP TABLE IF EXISTS nulls");
    db.onSource("CREATE TABLE nulls (id " + type + " PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE nulls (id " + type + " UNIQUE, v text)");
    db.onBoth("INSERT INTO nulls SELECT " + key + ", 'v' || i FROM generate_series(1, 50) AS i");
    db.onTarget("INSERT INTO nulls VALUES (NULL, 'a'), (NULL, 'b')");
    RangeResult result = db.check(chunkRows, whole("public.nulls"));
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.progress().rows()).isEqualTo(50);
    assertThat(result.targetOnly().count()).isEqualTo(2);
    assertThat(result.targetOnly().named()).isEmpty();
    assertThat(result.detail().orElseThrow()).contains("NULL", "id");
  }

  /** Each chunk that holds one is compared key by key; no heap here holds any of them. */
  @ParameterizedTest
  @CsvSource({"int, i, 50, 200", "text, 'k' || i, 10000, 17"})
  void rowsThatAreTooLongAreNamedAndTheRestIsCompared(
      String type, String key, int chunkRows, int longestMib) throws Exception {
    String id = type.equals("int") ? "%d" : "k%d";
    db.onBoth(
        "DROP TABLE IF EXISTS huge",
        "CREATE TABLE huge (id " + type + " PRIMARY KEY, v text)",
        "INSERT INTO huge SELECT " + key + ", 'v' || i FROM generate_series(1, 300) AS i",
        longRow(id.formatted(7), longestMib));
    db.onSource(longRow(id.formatted(120), 17));
    db.onTarget(
        longRow(id.formatted(220), 17),
        "UPDATE huge SET v = 'w' WHERE id = '" + id.formatted(8) + "'",
        "DELETE FROM huge WHERE id = '" + id.formatted(121) + "'",
        "INSERT INTO huge VALUES ('" + id.formatted(999) + "', 'x')",
        longRow(id.formatted(999), 17));
    db.audit.clear();
    RangeResult result = db.check(chunkRows, whole("public.huge"));
    assertThat(keys(result, "unresolved_different")).containsExactly(id.formatted(8));
    assertThat(keys(result, "unresolved_missing")).containsExactly(id.formatted(121));
    assertThat(keys(result, "incomplete"))
        .containsExactlyInAnyOrder(id.formatted(7), id.formatted(120), id.formatted(220));
    assertThat(result.progress().rows()).isEqualTo(300);
    assertThat(result.progress().complete()).isTrue();
    assertThat(targetOnly(result)).containsExactly(id.formatted(999));
    assertThat(db.audit)
        .filteredOn(AuditEntry.Decision.class::isInstance)
        .extracting(entry -> ((AuditEntry.Decision) entry).verdict().toString())
        .filteredOn(text -> text.contains("Incomplete"))
        .hasSize(6)
        .allMatch(text -> text.contains("ROW_TOO_LARGE"));
  }

  private static String longRow(String id, int mib) {
    return "UPDATE huge SET v = repeat('x', " + (mib << 20) + ") WHERE id = '" + id + "'";
  }

  /** Key checks and range checks tell them apart by schema, whatever the search path says. */
  @Test
  void oneNameInTwoSchemas() throws Exception {
    db.onBoth(
        "CREATE SCHEMA north",
        "CREATE SCHEMA south",
        "CREATE TABLE north.twin (id int PRIMARY KEY, v text)",
        "CREATE TABLE south.twin (id bigint PRIMARY KEY, w numeric, v text)",
        "CREATE TABLE public.twin (id text PRIMARY KEY)",
        "INSERT INTO north.twin SELECT i, 'n' || i FROM generate_series(1, 50) AS i",
        "INSERT INTO south.twin SELECT i, i, 's' || i FROM generate_series(1, 60) AS i");
    db.onTarget(
        "UPDATE north.twin SET v = 'x' WHERE id = 7",
        "DELETE FROM south.twin WHERE id = 8",
        "ALTER ROLE postgres SET search_path = south, north, public");
    try {
      List<RangeResult> both =
          db.check(
              limits(20),
              List.of(whole("north.twin"), whole("south.twin"), whole("public.twin")),
              new Cancellation());
      assertThat(keys(both.get(0), "unresolved_different")).containsExactly("7");
      assertThat(both.get(0).progress().rows()).isEqualTo(50);
      assertThat(both.get(0).keys().suspects()).isEqualTo(1);
      assertThat(keys(both.get(1), "unresolved_missing")).containsExactly("8");
      assertThat(both.get(1).progress().rows()).isEqualTo(60);
      assertThat(both.get(1).keys().suspects()).isEqualTo(1);
      assertThat(both.get(2).outcome()).isEqualTo(RangeOutcome.PROVED);
    } finally {
      db.onTarget("ALTER ROLE postgres RESET search_path");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 1000})
  void aTargetRowWithHalfAKeyIsCounted(int chunkRows) throws Exception {
    db.onBoth("DROP TABLE IF EXISTS halves");
    db.onSource("CREATE TABLE halves (a int, b int, PRIMARY KEY (a, b))");
    db.onTarget("CREATE TABLE halves (a int, b int)");
    db.onBoth("INSERT INTO halves SELECT i / 4, i % 4 FROM generate_series(0, 39) AS i");
    db.onTarget("INSERT INTO halves VALUES (3, NULL), (NULL, 3), (NULL, NULL), (3, 9)");
    RangeResult result = db.check(chunkRows, whole("public.halves"));
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.targetOnly().count()).isEqualTo(4);
    assertThat(targetOnly(result)).containsExactly("3,9");
  }

  /** The first page of the target ends behind the first of the two rows. */
  @ParameterizedTest
  @CsvSource({"v1002, v1002", "v1002, other", "other, v1002"})
  void aSecondRowBehindAPagesEndIsNotUnique(String first, String second) throws Exception {
    db.onBoth("DROP TABLE IF EXISTS edge");
    db.onSource(
        "CREATE TABLE edge (id int PRIMARY KEY, v text)",
        "INSERT INTO edge VALUES (1, 'v1'), (1002, 'v1002')");
    db.onTarget(
        "CREATE TABLE edge (id int, v text)",
        "INSERT INTO edge SELECT i, 'v' || i FROM generate_series(1, 1001) AS i",
        "INSERT INTO edge VALUES (1002, '" + first + "'), (1002, '" + second + "')");
    RangeResult result = db.check(10, whole("public.edge"));
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(keys(result, "incomplete")).containsExactly("1002");
    assertThat(result.keys().incomplete()).isEqualTo(1);
    assertThat(result.targetOnly().count()).isEqualTo(1_000);
    assertThat(
            db.audit.stream()
                .filter(AuditEntry.Decision.class::isInstance)
                .map(AuditEntry.Decision.class::cast)
                .filter(decision -> decision.table().name().equals("edge")))
        .isNotEmpty()
        .allMatch(decision -> decision.verdict().toString().contains("NOT_UNIQUE"));
  }

  /** Each row of a key that the source lacks counts, wherever the pages end. */
  @ParameterizedTest
  @CsvSource({"int, 1", "text, 10"})
  void rowsOfOneKeyThatOnlyTheTargetHasAreAllCounted(String type, int chunkRows) throws Exception {
    db.onBoth("DROP TABLE IF EXISTS twice");
    db.onSource(
        "CREATE TABLE twice (id " + type + " PRIMARY KEY)", "INSERT INTO twice VALUES ('1')");
    db.onTarget(
        "CREATE TABLE twice (id " + type + ")",
        "INSERT INTO twice SELECT i::text::"
            + type
            + " FROM generate_series(1, 400) AS i, generate_series(1, 5) WHERE i > 1",
        "INSERT INTO twice VALUES ('1')");
    RangeResult result =
        db.check(limits(chunkRows), List.of(whole("public.twice")), new Cancellation()).get(0);
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.targetOnly().count()).isEqualTo(1_995);
  }

  /** A crash between a target-only row's line and its chunk's: the chunk comes again. */
  @Test
  void targetOnlyRowsAreCountedOnceAfterAResume() throws Exception {
    db.onBoth(
        "CREATE TABLE once (id int PRIMARY KEY)",
        "INSERT INTO once SELECT i FROM generate_series(1, 100) AS i");
    db.onTarget("INSERT INTO once VALUES (1000)");
    Cancellation stop = new Cancellation();
    Thread canceller =
        new Thread(
            () -> {
              while (!isBegun()) {
                Thread.onSpinWait();
              }
              stop.cancel();
            });
    canceller.start();
    RangeResult stopped =
        db.check(limits(10, DigestPlace.CLIENT, 0.01), List.of(whole("public.once")), stop).get(0);
    canceller.join();
    assertThat(stopped.progress().complete()).isFalse();
    try (Stream<Path> files = Files.list(ledgers)) {
      for (Path file : files.filter(RangeEdgesIT::isOfOnce).toList()) {
        Files.write(
            file,
            "{\"extra\":[[\"1000\"]]}\n".getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.APPEND);
      }
    }
    RangeResult result =
        db.check(limits(10), List.of(whole("public.once")), new Cancellation()).get(0);
    assertThat(result.progress().rows()).isEqualTo(100);
    assertThat(result.targetOnly().count()).isEqualTo(1);
    assertThat(targetOnly(result)).containsExactly("1000");
  }

  private static boolean isBegun() {
    synchronized (db.audit) {
      return db.audit.stream()
          .anyMatch(
              entry ->
                  entry instanceof AuditEntry.RangeStart start
                      && start.table().name().equals("once"));
    }
  }

  private static boolean isOfOnce(Path file) {
    try {
      return Files.readString(file).contains("\"name\":\"once\"");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** One number has other texts on the two sides. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      value = {
        "int | numeric(10,2) | 5.50 | PRIMARY KEY",
        "int | numeric(10,2) | 5.50 | NOT NULL",
        "int | bigint | 3000000000 | PRIMARY KEY",
        "int | bigint | 3000000000 | NOT NULL",
        "int2 | numeric | 70000 | PRIMARY KEY",
        "int | numeric | NaN | PRIMARY KEY",
        "numeric(10,2) | int | 9999 | PRIMARY KEY",
        "numeric(10,2) | int | 9999 | NOT NULL",
        "numeric(10,2) | numeric(12,4) | 9999.9999 | NOT NULL",
        "bigint | int | 9999 | PRIMARY KEY",
        "varchar(9) | text | x | PRIMARY KEY",
        "char(9) | char(12) | x | PRIMARY KEY",
      })
  void keysOfTwoTypesAreOne(String source, String target, String extra, String how)
      throws Exception {
    db.onBoth("DROP TABLE IF EXISTS types");
    db.onSource("CREATE TABLE types (k " + source + " PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE types (k " + target + " " + how + ", v text)");
    db.onBoth("INSERT INTO types SELECT i, 'v' || i FROM generate_series(1, 60) AS i");
    RangeResult equal = db.check(7, whole("public.types"));
    assertThat(equal.outcome()).as(equal.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(equal.progress().chunksDiffering()).isZero();
    db.onTarget(
        "UPDATE types SET v = 'x' WHERE k = '15'",
        "DELETE FROM types WHERE k = '14'",
        "INSERT INTO types VALUES ('" + extra + "', 'v')");
    RangeResult result = db.check(7, whole("public.types"));
    assertThat(result.reason()).as(result.toString()).isEmpty();
    assertThat(keys(result, "unresolved_different")).hasSize(1).allMatch(k -> k.startsWith("15"));
    assertThat(keys(result, "unresolved_missing")).hasSize(1).allMatch(k -> k.startsWith("14"));
    assertThat(result.keys().failures()).isEqualTo(2);
    assertThat(result.targetOnly().count()).isEqualTo(1);
    assertThat(targetOnly(result)).hasSize(1).allMatch(k -> k.startsWith(extra));
    RangeResult part =
        db.check(7, RangeFixture.between("public.types", List.of("11"), List.of("16")));
    assertThat(part.keys().failures()).as(part.toString()).isEqualTo(2);
    assertThat(part.targetOnly().count()).isZero();
  }

  /** A table's rows are its own, as they are published; a partitioned table's are its leaves'. */
  @Test
  void inheritingTablesAreTablesOfTheirOwn() throws Exception {
    db.onBoth(
        "CREATE TABLE parent (id int PRIMARY KEY, v text)",
        "CREATE TABLE child (more int, PRIMARY KEY (id)) INHERITS (parent)",
        "INSERT INTO parent SELECT i, 'v' || i FROM generate_series(1, 20) AS i",
        "INSERT INTO child SELECT i, 'c' || i FROM generate_series(1, 40) AS i",
        "CREATE TABLE root (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
        "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (1000)",
        "INSERT INTO root SELECT i, 'v' FROM generate_series(1, 20) AS i");
    for (String table : List.of("parent", "child", "root", "leaf")) {
      RangeResult equal = db.check(10, whole("public." + table));
      assertThat(equal.outcome()).as(equal.toString()).isEqualTo(RangeOutcome.PROVED);
      assertThat(equal.progress().rows()).as(table).isEqualTo(table.equals("child") ? 40 : 20);
      assertThat(equal.targetOnly().count()).isZero();
    }
    // The child has such a row, and the parent lacks it: the key checks must not mistake it.
    db.onTarget(
        "DELETE FROM ONLY parent WHERE id = 10",
        "UPDATE ONLY parent SET v = 'x' WHERE id = 11",
        "DELETE FROM child WHERE id = 30",
        "DELETE FROM root WHERE id = 3");
    RangeResult parent = db.check(10, whole("public.parent"));
    assertThat(keys(parent, "unresolved_missing")).as(parent.toString()).containsExactly("10");
    assertThat(keys(parent, "unresolved_different")).containsExactly("11");
    assertThat(parent.keys().failures()).isEqualTo(2);
    RangeResult child = db.check(10, whole("public.child"));
    assertThat(keys(child, "unresolved_missing")).containsExactly("30");
    assertThat(child.keys().failures()).isEqualTo(1);
    assertThat(keys(db.check(10, whole("public.root")), "unresolved_missing")).containsExactly("3");
  }

  /** How a table is stored is its database's own matter. */
  @Test
  void theTargetMayStoreItsRowsInAnotherWay() throws Exception {
    db.onSource(
        "CREATE TABLE stored (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
        "CREATE TABLE stored_low (v text, id int NOT NULL)",
        "ALTER TABLE stored ATTACH PARTITION stored_low FOR VALUES FROM (0) TO (50)",
        "CREATE TABLE stored_high PARTITION OF stored FOR VALUES FROM (50) TO (1000)",
        "CREATE TABLE kept (id int PRIMARY KEY, v text)");
    db.onTarget(
        "CREATE TABLE stored (v text, id int PRIMARY KEY) PARTITION BY HASH (id)",
        "CREATE TABLE stored_0 PARTITION OF stored FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
        "CREATE UNLOGGED TABLE stored_1 PARTITION OF stored"
            + " FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
        "CREATE UNLOGGED TABLE kept (id int PRIMARY KEY, v text)");
    for (String table : List.of("stored", "kept")) {
      db.onBoth(
          "INSERT INTO " + table + " (id, v) SELECT i, 'v' || i FROM generate_series(1, 100) AS i");
      RangeResult equal = db.check(30, whole("public." + table));
      assertThat(equal.outcome()).as(equal.toString()).isEqualTo(RangeOutcome.PROVED);
      assertThat(equal.progress().rows()).isEqualTo(100);
      db.onTarget(
          "UPDATE " + table + " SET v = 'w' WHERE id = 49",
          "DELETE FROM " + table + " WHERE id = 50");
      RangeResult differing = db.check(30, whole("public." + table));
      assertThat(keys(differing, "unresolved_different")).containsExactly("49");
      assertThat(keys(differing, "unresolved_missing")).containsExactly("50");
      assertThat(differing.keys().failures()).isEqualTo(2);
    }
  }

  /** A cursor counts by the primary key, whatever other key the rows could be read by. */
  @Test
  void aCursorIsNotTakenForAnotherKeys() throws Exception {
    db.onBoth(
        "CREATE TABLE deferred (id int PRIMARY KEY DEFERRABLE, other int NOT NULL UNIQUE)",
        "CREATE TABLE plain (id int PRIMARY KEY, other int NOT NULL UNIQUE)",
        "INSERT INTO deferred SELECT i, 1000 - i FROM generate_series(1, 100) AS i",
        "INSERT INTO plain SELECT i, 1000 - i FROM generate_series(1, 100) AS i");
    RangeResult refused = db.check(10, cursor("deferred", "50"));
    assertThat(refused.outcome()).as(refused.toString()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(refused.reason()).contains("cursor_key");
    assertThat(refused.detail().orElseThrow()).contains("primary key", "other", "--table");
    assertThat(db.check(10, whole("public.deferred")).progress().rows()).isEqualTo(100);
    assertThat(db.check(10, cursor("plain", "50")).progress().rows()).isEqualTo(50);
  }

  private static Claim cursor(String table, String key) {
    return new Claim(
        TableId.parse("public." + table),
        new KeyRange(Optional.empty(), Optional.of(new KeyRange.Bound(List.of(key), true))),
        Claim.Origin.SNAPSHOT_CURSOR);
  }
}
