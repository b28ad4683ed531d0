package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.connector.emit.Skip;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Operation;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Grade;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CaptureIT {

  @ParameterizedTest
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void changesArriveWithKeyTextAndShape(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1, 'a')",
          "UPDATE t SET v = 'b'",
          "UPDATE t SET id = 2",
          "DELETE FROM t");
      fixture.settle();
      assertThat(captured.keys())
          .extracting(ChangedKey::operation, key -> key.key().asMap().get("id"))
          .containsExactly(
              tuple(Operation.INSERT, "1"),
              tuple(Operation.UPDATE, "1"),
              tuple(Operation.DELETE, "1"),
              tuple(Operation.INSERT, "2"),
              tuple(Operation.DELETE, "2"));
      assertThat(captured.drift()).extracting(DriftEvent::kind).containsExactly(INITIAL);
      assertThat(captured.keys()).allMatch(key -> key.transactionId() > 0);
      assertThat(captured.keys()).extracting(ChangedKey::shape).doesNotContainNull();
    }
  }

  /**
   * The hash is over names and, for types that are not built in, names again: neither the column
   * order nor the OIDs of a database or the server's major enter.
   */
  @Test
  void theShapesHashIsTheSameOnEachMajorInAnyColumnOrder() throws Exception {
    List<String> columns =
        Arrays.asList(
            "\"II\" int",
            "i varchar(10)",
            "\"İ\" numeric(8,2)",
            "a bigint[]",
            "c char(3)",
            "m mood",
            "p positive");
    Set<ShapeHash> hashes = new HashSet<>();
    Set<String> typeOids = new HashSet<>();
    for (int major : List.of(16, 17, 18)) {
      // Another order on each.
      Collections.rotate(columns, 2);
      try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
        for (int i = 16; i < major; i++) {
          fixture.sql("CREATE TYPE other" + i + " AS ENUM ('x')");
        }
        fixture.sql(
            "CREATE TYPE mood AS ENUM ('sad', 'happy')",
            "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
            "CREATE TABLE t (" + String.join(", ", columns) + ", id int PRIMARY KEY)");
        typeOids.add(fixture.query("SELECT 'mood'::regtype::oid"));
        Captured captured = fixture.start();
        fixture.sql("INSERT INTO t (id) VALUES (1)");
        fixture.settle();
        hashes.add(captured.keys().get(0).shape());
        fixture.sql("ALTER TABLE t ALTER i TYPE varchar(11)", "INSERT INTO t (id) VALUES (2)");
        fixture.settle();
        assertThat(hashes).doesNotContain(captured.keys().get(1).shape());
      }
    }
    assertThat(typeOids).as("OIDs that differ").hasSizeGreaterThan(1);
    assertThat(hashes).hasSize(1);
  }

  private static final DriftEvent.Kind INITIAL = DriftEvent.Kind.INITIAL;

  @Test
  void keyTextDoesNotDependOnTheDatabasesSettings() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "ALTER DATABASE " + fixture.database + " SET intervalstyle = 'iso_8601'",
          "ALTER DATABASE " + fixture.database + " SET datestyle = 'German'",
          "ALTER DATABASE " + fixture.database + " SET bytea_output = 'escape'",
          "ALTER DATABASE " + fixture.database + " SET timezone = 'Asia/Tokyo'",
          "ALTER DATABASE " + fixture.database + " SET extra_float_digits = -5",
          "CREATE TABLE t (i interval, d date, z timestamptz, b bytea, f float8, n numeric,"
              + " c char(5), PRIMARY KEY (i, d, z, b, f, n, c))");
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES ('1 mon 2 days', '2020-02-03', '2020-02-03 04:05:06+00',"
              + " '\\x00ff', 0.1::float8 + 0.2, 1.50, 'ab')");
      fixture.settle();
      assertThat(captured.keys().get(0).key().asMap())
          .isEqualTo(
              Map.of(
                  "i", "1 mon 2 days",
                  "d", "2020-02-03",
                  "z", "2020-02-03 04:05:06+00",
                  "b", "\\x00ff",
                  "f", "0.30000000000000004",
                  "n", "1.50",
                  "c", "ab   "));
    }
  }

  @Test
  void everyReplicaIdentityGivesTheKeyOrSaysWhyNot() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE f (v text, a int, id int PRIMARY KEY)",
          "ALTER TABLE f REPLICA IDENTITY FULL",
          "CREATE TABLE i (id int PRIMARY KEY, code text NOT NULL UNIQUE, v text)",
          "ALTER TABLE i REPLICA IDENTITY USING INDEX i_code_key",
          "CREATE TABLE n (id int PRIMARY KEY, v text)",
          "ALTER TABLE n REPLICA IDENTITY NOTHING",
          "CREATE TABLE u (id int NOT NULL UNIQUE, v text)",
          "CREATE TABLE k (v text)",
          "CREATE PUBLICATION walproof FOR TABLE f, i, n, u, k");
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO f VALUES ('x', 0, 1)",
          "UPDATE f SET id = 2",
          "DELETE FROM f",
          "INSERT INTO i VALUES (1, 'one', 'x')",
          "UPDATE i SET code = 'uno'",
          "UPDATE i SET id = 5",
          "DELETE FROM i",
          "INSERT INTO n VALUES (1)",
          "INSERT INTO u VALUES (7)",
          "INSERT INTO k VALUES ('x')");
      fixture.settle();
      assertThat(captured.keys())
          .extracting(key -> key.table().name(), ChangedKey::operation, key -> key.key().asMap())
          .containsExactly(
              tuple("f", Operation.INSERT, Map.of("id", "1")),
              tuple("f", Operation.DELETE, Map.of("id", "1")),
              tuple("f", Operation.INSERT, Map.of("id", "2")),
              tuple("f", Operation.DELETE, Map.of("id", "2")),
              tuple("i", Operation.INSERT, Map.of("code", "one")),
              tuple("i", Operation.DELETE, Map.of("code", "one")),
              tuple("i", Operation.INSERT, Map.of("code", "uno")),
              tuple("i", Operation.UPDATE, Map.of("code", "uno")),
              tuple("i", Operation.DELETE, Map.of("code", "uno")),
              tuple("n", Operation.INSERT, Map.of("id", "1")),
              tuple("u", Operation.INSERT, Map.of("id", "7")));
      assertThat(captured.skips(Skip.Reason.NO_USABLE_KEY)).isEqualTo(1);
    }
  }

  @Test
  void anUnchangedOutOfLineKeyIsTakenFromTheOldTupleOrCounted() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (id text PRIMARY KEY, v int)",
          "ALTER TABLE t ALTER id SET STORAGE EXTERNAL");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t SELECT pg_catalog.repeat('x', 2500), 1", "UPDATE t SET v = 2");
      fixture.settle();
      // PostgreSQL sends the old key along when it is out of line.
      assertThat(captured.keys())
          .extracting(ChangedKey::operation, key -> key.key().texts().get(0).length())
          .containsExactly(tuple(Operation.INSERT, 2500), tuple(Operation.UPDATE, 2500));
    }
  }

  @Test
  void truncateAndMessagesAndMetadataAndHeartbeatsAreCounted() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture
          .with("provide.transaction.metadata", "true")
          .with("heartbeat.interval.ms", "200")
          .sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
      Captured captured = fixture.start();
      fixture.sql(
          "SELECT pg_logical_emit_message(false, 'a', 'non-transactional')",
          "INSERT INTO t VALUES (1)",
          "TRUNCATE t, s",
          "INSERT INTO t VALUES (1)");
      fixture.settle();
      fixture.until(() -> captured.skips(Skip.Reason.HEARTBEAT) > 0);
      assertThat(captured.texts("public.t")).containsExactly("1", "1");
      assertThat(captured.skips(Skip.Reason.TRUNCATE)).isEqualTo(2);
      assertThat(captured.skips(Skip.Reason.MESSAGE)).isGreaterThanOrEqualTo(2);
      assertThat(captured.skips(Skip.Reason.TRANSACTION_METADATA)).isGreaterThanOrEqualTo(6);
      assertThat(captured.all())
          .filteredOn(d -> d.skip().isPresent() && d.skip().get().reason() == Skip.Reason.TRUNCATE)
          .extracting(d -> d.skip().get().table().orElseThrow().name())
          .containsExactlyInAnyOrder("t", "s");
    }
  }

  @Test
  void unusualNamesStayApart() throws Exception {
    List<String> names =
        List.of(
            "Foo",
            "foo",
            "a.b",
            "x#y/z",
            "1st",
            "select",
            "foo\"bar",
            "größe 表",
            "a'b",
            "a b",
            "-- x",
            "$1");
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      for (String name : names) {
        TableId table = new TableId("public", name);
        fixture.sql("CREATE TABLE " + table.sql() + " (\"Key \"\"1\"\"\" int PRIMARY KEY)");
      }
      Captured captured = fixture.start();
      for (int i = 0; i < names.size(); i++) {
        fixture.sql(
            "INSERT INTO " + new TableId("public", names.get(i)).sql() + " VALUES (" + i + ")");
      }
      fixture.settle();
      assertThat(captured.keys())
          .extracting(key -> key.table().name())
          .containsExactlyElementsOf(names);
      assertThat(captured.keys()).allMatch(key -> key.key().names().equals(List.of("Key \"1\"")));
      assertThat(captured.lastPosition().history().tables().keySet())
          .containsExactlyInAnyOrderElementsOf(
              names.stream().map(name -> new TableId("public", name).display()).toList());
      fixture.stop();
      fixture.start();
      for (int i = 0; i < names.size(); i++) {
        fixture.sql(
            "UPDATE " + new TableId("public", names.get(i)).sql() + " SET \"Key \"\"1\"\"\" = 99");
      }
      fixture.settle();
      assertThat(fixture.captured.realDrift()).isEmpty();
      assertThat(fixture.captured.keys())
          .filteredOn(key -> key.key().texts().get(0).equals("99"))
          .extracting(key -> key.table().name())
          .containsExactlyElementsOf(names);
    }
  }

  @Test
  void aNameThatDebeziumManglesIsAFailureAndNotSilence() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)");
      fixture.start();
      fixture.sql(
          "CREATE TABLE \"a''b\" (id int PRIMARY KEY)",
          "ALTER PUBLICATION walproof ADD TABLE \"a''b\"",
          "INSERT INTO \"a''b\" VALUES (1)",
          "INSERT INTO t VALUES (2)");
      Awaitility.await()
          .atMost(CaptureFixture.PATIENCE)
          .until(() -> fixture.engine().failure().isPresent());
      assertThat(fixture.engine().failure().orElseThrow())
          .isInstanceOfSatisfying(
              CaptureException.class,
              e -> assertThat(e.reason()).isEqualTo(CaptureException.Reason.STREAM))
          .hasMessageContaining("a''b")
          .hasMessageContaining("table.exclude.list");
      assertThat(fixture.engine().running()).isFalse();
    }
  }

  @Test
  void aHostileSearchPathChangesNothing() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE SCHEMA shadow",
          "CREATE TABLE shadow.t (id int PRIMARY KEY)",
          "CREATE TABLE public.t (id int PRIMARY KEY)",
          "CREATE FUNCTION shadow.pg_is_in_recovery() RETURNS boolean LANGUAGE sql"
              + " AS 'SELECT true'",
          "CREATE VIEW shadow.pg_replication_slots AS SELECT 1 AS x",
          "ALTER DATABASE " + fixture.database + " SET search_path = shadow, pg_catalog");
      fixture.with("table.include.list", "public.t");
      Captured captured = fixture.start();
      try (Connection connection = fixture.server.connect(fixture.database)) {
        connection.createStatement().execute("INSERT INTO shadow.t VALUES (1)");
        connection.createStatement().execute("INSERT INTO public.t VALUES (2)");
      }
      fixture.settle();
      assertThat(captured.keys())
          .extracting(key -> key.table().display(), key -> key.key().texts())
          .containsExactly(tuple("public.t", List.of("2")));
    }
  }

  /** The publication, the slot and heartbeats are written by sessions that say they will write. */
  @Test
  void aRoleThatIsReadOnlyByDefaultWillDo() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      String role = "careful_" + fixture.database;
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "CREATE ROLE " + role + " SUPERUSER LOGIN",
          "ALTER ROLE " + role + " SET default_transaction_read_only = on");
      try {
        fixture.with("database.user", role).with("heartbeat.interval.ms", "100");
        Captured captured = fixture.start();
        fixture.sql("INSERT INTO t VALUES (1)");
        fixture.settle();
        assertThat(captured.keys()).hasSize(1);
        fixture.until(() -> captured.skips(Skip.Reason.HEARTBEAT) > 0);
      } finally {
        fixture.stop();
        fixture.sql("DROP OWNED BY " + role, "DROP ROLE " + role);
      }
    }
  }

  /**
   * Bytes of unknown meaning that are no UTF-8 cannot be sent: the server ends the stream there.
   */
  @Test
  void aRowOfASqlAsciiDatabaseThatIsNoUtf8EndsTheStreamByName() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.server.execute(
          "postgres",
          "DROP DATABASE " + fixture.database,
          "CREATE DATABASE "
              + fixture.database
              + " ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      assertThat(
              SourceInspection.of(CaptureSettings.of(fixture.settings), Optional.empty()).results())
          .extracting(SourceInspection.Result::finding)
          .anyMatch(
              finding -> finding.check() == Check.ENCODING && finding.grade() == Grade.WARNING);
      fixture.with("errors.max.retries", "1");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1, 'a')");
      fixture.settle();
      assertThat(captured.keys()).hasSize(1);
      fixture.sql("INSERT INTO t VALUES (2, E'\\377')");
      CaptureException failure = fixture.awaitFailure();
      assertThat(failure.reason()).isEqualTo(CaptureException.Reason.STREAM);
      assertThat(failure).hasMessageContaining("SQL_ASCII");
    }
  }
}
