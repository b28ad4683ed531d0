package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.ShapeHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of shape change, each once while the capture runs and once while it does not, on each
 * server major. All tables share two captures.
 */
class DriftKindsIT {

  /**
   * One table's two changes.
   *
   * @param table its name
   * @param columns beside the key, a serial
   * @param first made while the capture runs; several statements are one transaction
   * @param seen what is to be told of it: kinds with what changed, and whether that narrows
   * @param second made while it does not
   * @param seenLater what is to be told of that
   */
  private record Kind(
      String table, String columns, String first, String seen, String second, String seenLater) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "added",
              "a int",
              "ALTER TABLE added ADD b int",
              "SHAPE_CHANGED(added) safe",
              "ALTER TABLE added ADD c text, ADD d int",
              "SHAPE_CHANGED(added,added) safe"),
          new Kind(
              "removed",
              "a int, b text",
              "ALTER TABLE removed DROP a",
              "SHAPE_CHANGED(removed) narrows",
              "ALTER TABLE removed DROP b",
              "SHAPE_CHANGED(removed) narrows"),
          kind("longer", "varchar(10)", "varchar(20)", "type_modifier", "varchar", "type_modifier"),
          kind(
              "shorter",
              "varchar(30)",
              "varchar(20)",
              "!type_modifier",
              "varchar(10)",
              "!type_modifier"),
          kind("chars", "char(5)", "char(9)", "type_modifier", "char(7)", "!type_modifier"),
          kind("ints", "smallint", "integer", "type", "bigint", "type"),
          kind("smaller", "bigint", "integer", "!type", "smallint", "!type"),
          kind(
              "digits",
              "numeric(6,2)",
              "numeric(8,2)",
              "type_modifier",
              "numeric",
              "type_modifier"),
          kind(
              "scales",
              "numeric(6,2)",
              "numeric(6,3)",
              "!type_modifier",
              "numeric(9,1)",
              "!type_modifier"),
          kind("exact", "integer", "numeric", "type", "integer", "!type"),
          kind("bits", "bit(4)", "bit(5)", "!type_modifier", "varbit(5)", "type"),
          kind(
              "moments",
              "timestamp(3)",
              "timestamp(6)",
              "type_modifier",
              "timestamp(0)",
              "!type_modifier"),
          kind("floats", "real", "double precision", "type", "real", "!type"),
          kind("texts", "integer", "text", "type", "integer", "!type"),
          kind("arrays", "integer[]", "bigint[]", "type", "smallint[]", "!type"),
          kind("enums", "mood", "text", "type", "mood", "!type"),
          kind("domains", "integer", "positive", "!type", "integer", "type"),
          kind("citexts", "text", "citext", "!type", "text", "type"),
          kind("hstores", "text", "hstore", "!type", "text", "type"),
          kind("names", "information_schema.sql_identifier", "name", "type", "text", "type"),
          new Kind(
              "renamed",
              "a int",
              "ALTER TABLE renamed RENAME a TO b",
              "SHAPE_CHANGED(removed,added,possible_rename) narrows",
              "ALTER TABLE renamed RENAME b TO c",
              "SHAPE_CHANGED(removed,added,possible_rename) narrows"),
          new Kind(
              "moved",
              "a int, b int",
              "ALTER TABLE moved DROP a; ALTER TABLE moved ADD a int",
              "COLUMN_ORDER_CHANGED(order,order)",
              "ALTER TABLE moved RENAME a TO x; ALTER TABLE moved RENAME b TO a; ALTER TABLE moved"
                  + " RENAME x TO b",
              "COLUMN_ORDER_CHANGED(order,order)"),
          new Kind(
              "keyed",
              "a serial NOT NULL",
              "ALTER TABLE keyed DROP CONSTRAINT keyed_pkey, ADD PRIMARY KEY (id, a)",
              "KEY_CHANGED(key)",
              "ALTER TABLE keyed DROP CONSTRAINT keyed_pkey, ADD PRIMARY KEY (a)",
              "KEY_CHANGED(key)"),
          new Kind(
              "identified",
              "a int",
              "ALTER TABLE identified REPLICA IDENTITY FULL",
              "REPLICA_IDENTITY_CHANGED(key)",
              "ALTER TABLE identified REPLICA IDENTITY DEFAULT",
              "REPLICA_IDENTITY_CHANGED(key)"),
          new Kind(
              "created",
              "a int",
              "DROP TABLE created; CREATE TABLE created (id serial PRIMARY KEY, a int); ALTER"
                  + " PUBLICATION walproof ADD TABLE created",
              "TABLE_RECREATED()",
              "DROP TABLE created; CREATE TABLE created (id serial PRIMARY KEY, a text); ALTER"
                  + " PUBLICATION walproof ADD TABLE created",
              "TABLE_RECREATED() SHAPE_CHANGED(type) safe"),
          new Kind(
              "listed",
              "a int, b int",
              "ALTER PUBLICATION walproof DROP TABLE listed; ALTER PUBLICATION walproof ADD TABLE"
                  + " listed (id, a)",
              "SHAPE_CHANGED(removed) narrows",
              "ALTER PUBLICATION walproof DROP TABLE listed; ALTER PUBLICATION walproof ADD TABLE"
                  + " listed",
              "SHAPE_CHANGED(added) safe"),
          new Kind(
              "generated",
              "g int GENERATED ALWAYS AS (7) STORED",
              "ALTER TABLE generated ALTER g DROP EXPRESSION",
              "SHAPE_CHANGED(added) safe",
              "ALTER TABLE generated DROP g",
              "SHAPE_CHANGED(removed) narrows"),
          new Kind(
              "stacked",
              "a int",
              "ALTER TABLE stacked ADD b int; INSERT INTO stacked DEFAULT VALUES; ALTER TABLE"
                  + " stacked DROP a; INSERT INTO stacked DEFAULT VALUES",
              "SHAPE_CHANGED(added) safe SHAPE_CHANGED(removed) narrows",
              "ALTER TABLE stacked ADD c int; ALTER TABLE stacked ADD d int",
              "SHAPE_CHANGED(added,added) safe"),
          new Kind(
              "undone",
              "a int",
              "SAVEPOINT s; ALTER TABLE undone ADD b int; INSERT INTO undone DEFAULT VALUES;"
                  + " ROLLBACK TO s",
              "",
              "ALTER TABLE undone ADD b int; ALTER TABLE undone DROP b",
              ""),
          new Kind(
              "quiet",
              "a int",
              "ALTER TABLE quiet ALTER a SET DEFAULT 1; CREATE INDEX ON quiet (a); GRANT SELECT ON"
                  + " quiet TO PUBLIC; ANALYZE quiet",
              "",
              "ALTER TABLE quiet ALTER a SET DEFAULT 2; CREATE INDEX ON quiet (a)",
              ""));

  /** The hashes of the majors so far, by change; OIDs of user types differ between databases. */
  private static final Map<String, ShapeHash> HASHES = new TreeMap<>();

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 17, 18})
  void eachKindIsToldOnceWhileRunningAndOnceAcrossARestart(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql(
          "CREATE TYPE mood AS ENUM ('sad', 'happy')",
          "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
          "CREATE EXTENSION citext",
          "CREATE EXTENSION hstore");
      for (Kind kind : KINDS) {
        fixture.sql(
            "CREATE TABLE " + kind.table + " (id serial PRIMARY KEY, " + kind.columns + ")");
      }
      Captured running = fixture.start();
      insertIntoEach(fixture);
      fixture.settle();
      assertThat(running.realDrift()).isEmpty();
      for (Kind kind : KINDS) {
        fixture.transaction(kind.first.split("; ", -1));
      }
      insertIntoEach(fixture);
      fixture.settle();
      assertTold(running, Occurrence.IN_PROCESS, true);
      fixture.stop();

      for (Kind kind : KINDS) {
        fixture.transaction(kind.second.split("; ", -1));
      }
      insertIntoEach(fixture);
      Captured restarted = fixture.start();
      fixture.settle();
      assertTold(restarted, Occurrence.ACROSS_RESTART, false);
      fixture.stop();

      // And nothing more of it.
      Captured again = fixture.start();
      insertIntoEach(fixture);
      fixture.settle();
      assertThat(again.drift()).isEmpty();
    }
  }

  private static Kind kind(
      String table, String type, String next, String what, String last, String later) {
    String alter = "ALTER TABLE " + table + " ALTER v TYPE ";
    return new Kind(
        table,
        "v " + type,
        alter + next + " USING v::text::" + next,
        shape(what),
        alter + last + " USING v::text::" + last,
        shape(later));
  }

  private static String shape(String what) {
    return what.startsWith("!")
        ? "SHAPE_CHANGED(" + what.substring(1) + ") narrows"
        : "SHAPE_CHANGED(" + what + ") safe";
  }

  private static void insertIntoEach(CaptureFixture fixture) throws Exception {
    for (Kind kind : KINDS) {
      fixture.sql("INSERT INTO " + kind.table + " DEFAULT VALUES");
    }
  }

  private static void assertTold(Captured captured, Occurrence occurrence, boolean first) {
    Map<String, List<String>> told = new TreeMap<>();
    for (DriftEvent event : captured.realDrift()) {
      told.computeIfAbsent(event.table().orElseThrow().name(), t -> new ArrayList<>())
          .add(describe(event));
      assertThat(event.occurrence()).as(event.toString()).isEqualTo(occurrence);
      assertThat(event.current()).isPresent();
      String change = event.table().orElseThrow() + " " + occurrence + " " + describe(event);
      assertThat(HASHES.computeIfAbsent(change, c -> event.current().orElseThrow()))
          .as("the hash is the same on every major: " + change)
          .isEqualTo(event.current().orElseThrow());
      assertThat(event.previous()).isPresent();
    }
    Map<String, String> expected = new TreeMap<>();
    for (Kind kind : KINDS) {
      String seen = first ? kind.seen : kind.seenLater;
      if (!seen.isEmpty()) {
        expected.put(kind.table, seen);
      }
    }
    Map<String, String> joined = new TreeMap<>();
    told.forEach((table, events) -> joined.put(table, String.join(" ", events)));
    assertThat(joined).isEqualTo(expected);
  }

  private static String describe(DriftEvent event) {
    String changes =
        event.changes().stream()
            .map(ColumnChange::what)
            .map(what -> what.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    Optional<Boolean> narrowing = event.narrowing();
    return event.kind()
        + "("
        + changes
        + ")"
        + narrowing.map(narrows -> narrows ? " narrows" : " safe").orElse("");
  }
}
