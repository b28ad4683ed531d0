package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.ShapeHash;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The user cases D1 to D14 of the source side, on each server major. */
class DriftIT {

  @ParameterizedTest(name = "D1 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void restartsWithoutChangeAreQuiet(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text")) {
      fixture.start();
      fixture.sql("INSERT INTO t VALUES (0)");
      fixture.settle();
      String history = fixture.captured.lastPosition().history().json();
      for (int i = 1; i <= 3; i++) {
        fixture.stop();
        Captured captured = fixture.start();
        fixture.sql("INSERT INTO t VALUES (" + i + ")");
        fixture.settle();
        assertThat(captured.drift()).isEmpty();
        assertThat(captured.texts("public.t")).contains(Integer.toString(i));
        assertThat(captured.lastPosition().history().json()).isEqualTo(history);
      }
    }
  }

  @ParameterizedTest(name = "D2 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void repeatedRelationMessagesAreNoDrift(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id serial PRIMARY KEY, v text")) {
      Captured captured = fixture.start();
      for (int i = 0; i < 5; i++) {
        fixture.sql(
            "INSERT INTO t (v) VALUES ('a')",
            "ANALYZE t",
            "INSERT INTO t (v) VALUES ('b')",
            "CREATE INDEX i" + i + " ON t (v)",
            "INSERT INTO t (v) VALUES ('c')",
            "GRANT SELECT ON t TO PUBLIC",
            "INSERT INTO t (v) VALUES ('d')",
            "VACUUM t",
            "INSERT INTO t (v) VALUES ('e')");
      }
      fixture.settle();
      assertThat(captured.drift()).extracting(DriftEvent::kind).containsExactly(Kind.INITIAL);
      assertThat(captured.texts("public.t")).hasSize(25);
    }
  }

  @ParameterizedTest(name = "D3 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aModifierChangedWhileStoppedIsNamed(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v varchar(10)")) {
      fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      ShapeHash before = fixture.captured.keys().get(0).shape();
      fixture.stop();
      fixture.sql("ALTER TABLE t ALTER v TYPE varchar(20)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      DriftEvent event = only(captured);
      assertThat(event.kind()).isEqualTo(Kind.SHAPE_CHANGED);
      assertThat(event.occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
      assertThat(event.table().orElseThrow().display()).isEqualTo("public.t");
      assertThat(event.previous()).contains(before);
      assertThat(event.current()).contains(last(captured));
      assertThat(event.narrowing()).contains(false);
      assertThat(event.changes())
          .containsExactly(
              new ColumnChange(
                  "v",
                  What.TYPE_MODIFIER,
                  "character varying(10)",
                  "character varying(20)",
                  false));
    }
  }

  @ParameterizedTest(name = "D4 on PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void anotherColumnOrderIsReported(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, a text, b text")) {
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1, 'a', 'b')",
          "ALTER TABLE t DROP a",
          "ALTER TABLE t ADD a text",
          "INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(only(captured).kind()).isEqualTo(Kind.COLUMN_ORDER_CHANGED);
      assertThat(only(captured).occurrence()).isEqualTo(Occurrence.IN_PROCESS);
      fixture.stop();
      fixture.sql(
          "ALTER TABLE t RENAME a TO x",
          "ALTER TABLE t RENAME b TO a",
          "ALTER TABLE t RENAME x TO b");
      captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(only(captured).kind()).isEqualTo(Kind.COLUMN_ORDER_CHANGED);
      assertThat(only(captured).occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
      assertThat(only(captured).changes())
          .extracting(ColumnChange::column, ColumnChange::what)
          .containsExactlyInAnyOrder(tuple("a", What.ORDER), tuple("b", What.ORDER));
    }
  }

  @ParameterizedTest(name = "D5 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aTableCreatedAgainIsNeitherFreshNorSilent(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text")) {
      fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      fixture.stop();
      fixture.sql(
          "DROP TABLE t",
          "CREATE TABLE t (id int PRIMARY KEY, v text)",
          "ALTER PUBLICATION walproof ADD TABLE t");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(only(captured).kind()).isEqualTo(Kind.TABLE_RECREATED);
      assertThat(only(captured).previous()).isEqualTo(only(captured).current());
      assertThat(captured.lastPosition().history().tables().get("public.t").versions()).hasSize(1);
      fixture.sql(
          "DROP TABLE t",
          "CREATE TABLE t (id int PRIMARY KEY, v text)",
          "ALTER PUBLICATION walproof ADD TABLE t",
          "INSERT INTO t VALUES (3)");
      fixture.settle();
      assertThat(captured.realDrift())
          .extracting(DriftEvent::kind, DriftEvent::occurrence)
          .containsExactly(
              tuple(Kind.TABLE_RECREATED, Occurrence.ACROSS_RESTART),
              tuple(Kind.TABLE_RECREATED, Occurrence.IN_PROCESS));
    }
  }

  @ParameterizedTest(name = "D6 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void nullabilityAndDefaultsAreNoDrift(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text DEFAULT 'x'")) {
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1)",
          "ALTER TABLE t ALTER v SET NOT NULL",
          "INSERT INTO t VALUES (2)",
          "ALTER TABLE t ALTER v DROP NOT NULL",
          "INSERT INTO t VALUES (3)",
          "ALTER TABLE t ALTER v SET DEFAULT 'y'",
          "INSERT INTO t VALUES (4)");
      fixture.settle();
      assertThat(captured.realDrift()).isEmpty();
      assertThat(captured.texts("public.t")).containsExactly("1", "2", "3", "4");
    }
  }

  @ParameterizedTest(name = "D7 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aGeneratedColumnIsNoDrift(int major) throws Exception {
    try (CaptureFixture fixture =
        table(major, "id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, v text")) {
      fixture.start();
      fixture.sql("INSERT INTO t (id) VALUES (1)", "UPDATE t SET v = 'x'");
      fixture.settle();
      assertThat(fixture.captured.texts("public.t")).containsExactly("1", "1");
      fixture.stop();
      fixture.start();
      fixture.sql("INSERT INTO t (id) VALUES (2)");
      fixture.settle();
      assertThat(fixture.captured.realDrift()).isEmpty();
    }
  }

  @ParameterizedTest(name = "D8 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aLeafsShapeNeverReplacesTheRoots(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY, a text, b int) PARTITION BY RANGE (id)",
          "CREATE TABLE p1 PARTITION OF t FOR VALUES FROM (0) TO (100)",
          "CREATE TABLE p2 (b int, dropped int, a text, id int NOT NULL PRIMARY KEY)",
          "ALTER TABLE p2 DROP dropped",
          "ALTER TABLE t ATTACH PARTITION p2 FOR VALUES FROM (100) TO (200)");
      Captured captured = fixture.with("table.include.list", "public.t").start();
      fixture.sql(
          "INSERT INTO t VALUES (1, 'x', 1)",
          "INSERT INTO t VALUES (101, 'y', 2)",
          "UPDATE t SET b = 3",
          "UPDATE t SET id = 102 WHERE id = 1",
          "DELETE FROM t");
      fixture.settle();
      assertThat(captured.realDrift()).isEmpty();
      assertThat(captured.lastPosition().history().tables()).containsOnlyKeys("public.t");
      assertThat(captured.texts("public.t"))
          .containsExactlyInAnyOrder("1", "101", "1", "101", "1", "102", "101", "102");
    }
  }

  @ParameterizedTest(name = "D12 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void anAlterInTheMiddleOfATransactionGivesOneEventAlsoWhenStoppedThere(int major)
      throws Exception {
    for (int stopAfter : new int[] {3, 5, 6, 7, 9}) {
      try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text")) {
        fixture.with("max.batch.size", "1").with("heartbeat.interval.ms", "60000");
        fixture.start();
        fixture.sql("INSERT INTO t VALUES (0)");
        fixture.settle();
        fixture.stop();
        long before = fixture.captured.keys().size();
        assertThat(before).isEqualTo(1);
        fixture.transaction(
            "INSERT INTO t SELECT i, 'old' FROM generate_series(1, 5) i",
            "ALTER TABLE t ADD w int",
            "INSERT INTO t SELECT i, 'new' FROM generate_series(6, 10) i");
        Captured one = fixture.start(true, stopAfter);
        fixture.until(() -> one.all().size() == stopAfter);
        fixture.stop();
        Captured two = fixture.start();
        fixture.settle();
        assertThat(one.realDrift().size() + two.realDrift().size()).isEqualTo(1);
        assertThat(two.texts("public.t")).contains("1", "2", "3", "4", "5", "6", "10");
        fixture.stop();
        Captured three = fixture.start();
        fixture.sql("INSERT INTO t VALUES (11)");
        fixture.settle();
        assertThat(three.drift()).isEmpty();
      }
    }
  }

  @ParameterizedTest(name = "D13 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void aRevertedChangeThatNothingUsedIsNoDrift(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text")) {
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1)",
          "ALTER TABLE t ADD w int",
          "ALTER TABLE t DROP w",
          "INSERT INTO t VALUES (2)");
      fixture.settle();
      assertThat(captured.realDrift()).isEmpty();
    }
  }

  @ParameterizedTest(name = "D14 on PostgreSQL {0}")
  @MethodSource("io.walproof.embedded.Majors#underTest")
  void tablesDriftIndependently(int major) throws Exception {
    try (CaptureFixture fixture = table(major, "id int PRIMARY KEY, v text")) {
      fixture.sql("CREATE TABLE s (id int PRIMARY KEY, v text)");
      Captured captured = fixture.start();
      fixture.transaction(
          "INSERT INTO t VALUES (1)",
          "INSERT INTO s VALUES (1)",
          "ALTER TABLE t ADD w int",
          "INSERT INTO t VALUES (2)",
          "INSERT INTO s VALUES (2)");
      fixture.settle();
      assertThat(only(captured).table().orElseThrow().name()).isEqualTo("t");
      assertThat(only(captured).changes())
          .extracting(ColumnChange::column, ColumnChange::what)
          .containsExactly(tuple("w", What.ADDED));
    }
  }

  @ParameterizedTest(name = "key and replica identity on PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void keyAndReplicaIdentityChangesAreReported(int major) throws Exception {
    try (CaptureFixture fixture =
        table(major, "id int PRIMARY KEY, code int NOT NULL UNIQUE, v text")) {
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1, 1)",
          "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (code)",
          "INSERT INTO t VALUES (2, 2)",
          "ALTER TABLE t REPLICA IDENTITY FULL",
          "INSERT INTO t VALUES (3, 3)");
      fixture.settle();
      assertThat(captured.realDrift())
          .extracting(DriftEvent::kind)
          .containsExactly(Kind.KEY_CHANGED, Kind.REPLICA_IDENTITY_CHANGED);
      assertThat(captured.realDrift().get(0).changes())
          .extracting(ColumnChange::column, ColumnChange::after)
          .containsExactly(tuple("id", "not key"), tuple("code", "key"));
      assertThat(captured.keys().get(1).key().asMap()).containsOnlyKeys("code");
    }
  }

  @ParameterizedTest(name = "user types on PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void userTypesAreKnownByName(int major) throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.of(major))) {
      fixture.sql(
          "CREATE TYPE mood AS ENUM ('a', 'b')",
          "CREATE DOMAIN positive AS int CHECK (VALUE > 0)",
          "CREATE EXTENSION citext",
          "CREATE TABLE t (id citext PRIMARY KEY, m mood, p positive)");
      fixture.start();
      fixture.sql("INSERT INTO t VALUES ('K', 'a', 1)");
      fixture.settle();
      assertThat(fixture.captured.lastPosition().history().json())
          .contains("[\"id\",\"public.citext\",-1,true]", "[\"m\",\"public.mood\",-1,false]");
      fixture.stop();
      fixture.sql("ALTER TYPE mood ADD VALUE 'c'");
      fixture.start();
      fixture.sql("INSERT INTO t VALUES ('L', 'c', 1)");
      fixture.settle();
      assertThat(fixture.captured.realDrift()).isEmpty();
      // PostgreSQL announces a type's new name in the next session only.
      fixture.stop();
      fixture.sql("ALTER TYPE mood RENAME TO humour");
      fixture.start();
      fixture.sql("INSERT INTO t VALUES ('M', 'c', 1)");
      fixture.settle();
      assertThat(only(fixture.captured).changes())
          .extracting(ColumnChange::column, ColumnChange::before, ColumnChange::after)
          .containsExactly(tuple("m", "public.mood", "public.humour"));
    }
  }

  private static CaptureFixture table(int major, String columns) throws Exception {
    return new CaptureFixture(Servers.of(major)).sql("CREATE TABLE t (" + columns + ")");
  }

  private static DriftEvent only(Captured captured) {
    assertThat(captured.realDrift()).hasSize(1);
    return captured.realDrift().get(0);
  }

  private static ShapeHash last(Captured captured) {
    return captured.keys().get(captured.keys().size() - 1).shape();
  }
}
