package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.contract.finding.Grade;
import io.walproof.embedded.PgBouncer;
import io.walproof.embedded.PostgresServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Each mistake gives a message that names the thing, the setting and the way out. */
class BadInputIT {

  private static final String SECRET = "s3cr3t-Hunter2";

  @Test
  void aMissingTable() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.with("table.include.list", "public.t,public.typo");
      assertRefused(fixture, Reason.TABLE, "table.include.list", "public.typo");
      fixture.with("table.include.list", "public.nothing_.*");
      assertRefused(fixture, Reason.TABLE, "table.include.list");
    }
  }

  @Test
  void aTableThatIsNotInThePublication() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE TABLE s (id int PRIMARY KEY)");
      fixture.with("publication.autocreate.mode", "disabled");
      assertRefused(
          fixture,
          Reason.PUBLICATION,
          "publication.autocreate.mode",
          "CREATE PUBLICATION \"walproof\" FOR TABLE \"public\".\"s\", \"public\".\"t\"");
      fixture.sql("CREATE PUBLICATION walproof FOR TABLE t");
      assertRefused(
          fixture,
          Reason.PUBLICATION,
          "public.s",
          "ALTER PUBLICATION \"walproof\" ADD TABLE \"public\".\"s\"");
      fixture.with("publication.autocreate.mode", "filtered");
      fixture.start();
      assertThat(fixture.query("SELECT count(*) FROM pg_publication_tables")).isEqualTo("2");
    }
  }

  @Test
  void aRowFilterIsNoObstacle() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE PUBLICATION walproof FOR TABLE t WHERE (id > 5)");
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (6)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("6");
    }
  }

  @Test
  void aPublicationWithoutDeletes() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE PUBLICATION walproof FOR TABLE t WITH (publish = 'insert, update')");
      assertRefused(fixture, Reason.PUBLICATION, "ALTER PUBLICATION \"walproof\" SET (publish");
    }
  }

  @Test
  void aTableWithoutKeyIsNotPublishedBecauseItsUpdatesWouldFail() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE TABLE nokey (id int)", "INSERT INTO nokey VALUES (1)");
      assertRefused(fixture, Reason.TABLE, "public.nokey", "table.exclude.list");
      fixture.sql("UPDATE nokey SET id = 2");
    }
  }

  @Test
  void aPublishedTableWithoutIdentityIsWarnedOfWithTheStatementThatHelps() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql(
          "CREATE TABLE \"No thing\" (id int PRIMARY KEY)",
          "ALTER TABLE \"No thing\" REPLICA IDENTITY NOTHING",
          "CREATE TABLE late (id int PRIMARY KEY DEFERRABLE)",
          "CREATE TABLE nokey (id int)",
          "CREATE TABLE whole (id int)",
          "ALTER TABLE whole REPLICA IDENTITY FULL",
          "INSERT INTO \"No thing\" VALUES (1)",
          "INSERT INTO late VALUES (1)",
          "INSERT INTO nokey VALUES (1)",
          "CREATE PUBLICATION walproof FOR ALL TABLES");
      String[] updates = {
        "UPDATE \"No thing\" SET id = 2", "UPDATE late SET id = 2", "UPDATE nokey SET id = 2"
      };
      for (String update : updates) {
        assertThatThrownBy(() -> fixture.sql(update))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"));
      }
      List<String> warnings = publicationWarnings(fixture);
      assertThat(warnings)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("publication.name 'walproof' has tables without a replica identity")
          .endsWith(
              "; run: ALTER TABLE \"public\".\"No thing\" REPLICA IDENTITY DEFAULT; ALTER TABLE"
                  + " \"public\".\"late\" REPLICA IDENTITY FULL; ALTER TABLE"
                  + " \"public\".\"nokey\" REPLICA IDENTITY FULL");
      fixture.sql(warnings.get(0).replaceFirst(".*; run: ", "").split("; "));
      fixture.sql(updates);
      assertThat(publicationWarnings(fixture)).isEmpty();
    }
  }

  private static List<String> publicationWarnings(CaptureFixture fixture) {
    return SourceInspection.of(CaptureSettings.of(fixture.settings), Optional.empty())
        .results()
        .stream()
        .map(SourceInspection.Result::finding)
        .filter(finding -> finding.check() == Check.PUBLICATION)
        .filter(finding -> finding.grade() == Grade.WARNING)
        .map(Finding::text)
        .toList();
  }

  @Test
  void whatDebeziumCannotCaptureIsRefusedBeforeItStarts() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE TABLE \"a''b\" (id int PRIMARY KEY)");
      assertRefused(fixture, Reason.TABLE, "\"a''b\"", "table.exclude.list");
      fixture.sql("DROP TABLE \"a''b\"", "CREATE TABLE c (id int PRIMARY KEY, \"ID\" int)");
      assertRefused(fixture, Reason.TABLE, "public.c", "differ only by case");
      fixture.with("table.exclude.list", "public.c").start();
    }
  }

  @Test
  void aPartitionedTableWhosePartitionsAreNotIncluded() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
          "CREATE TABLE p PARTITION OF t FOR VALUES FROM (0) TO (100)",
          "CREATE PUBLICATION walproof FOR TABLE t");
      fixture.with("table.include.list", "public.t");
      assertRefused(fixture, Reason.PUBLICATION, "publish_via_partition_root = true");
    }
  }

  @Test
  void aPartitionWhoseChangesArePublishedUnderItsRoot() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(Servers.newest())) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
          "CREATE TABLE p PARTITION OF t FOR VALUES FROM (0) TO (100)",
          "CREATE PUBLICATION walproof FOR TABLE t WITH (publish_via_partition_root = true)");
      fixture.with("table.include.list", "public.p");
      assertRefused(fixture, Reason.PUBLICATION, "public.p", "under the name of public.t");
      fixture.sql(
          "DROP PUBLICATION walproof",
          "CREATE PUBLICATION walproof FOR ALL TABLES WITH (publish_via_partition_root = true)");
      assertRefused(fixture, Reason.PUBLICATION, "under the name of public.t");
      fixture.with("table.include.list", "public.p,public.t").start();
    }
  }

  @Test
  void walLevelIsNotLogical() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder().major(Servers.NEWEST).setting("wal_level", "replica").start();
        CaptureFixture fixture = new CaptureFixture(server)) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY)");
      assertRefused(fixture, Reason.SERVER, "wal_level", "ALTER SYSTEM SET wal_level = 'logical'");
    }
  }

  @Test
  void aRoleThatMayNotReplicate() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.sql("CREATE ROLE \"No Repl " + fixture.database + "\" LOGIN");
      fixture.with("database.user", "No Repl " + fixture.database);
      assertRefused(
          fixture,
          Reason.ROLE,
          "database.user",
          "ALTER ROLE \"No Repl " + fixture.database + "\" REPLICATION");
    }
  }

  @Test
  void aRoleThatMayReplicateButNotPublish() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      String role = "repl_" + fixture.database;
      fixture.sql("CREATE ROLE " + role + " LOGIN REPLICATION");
      fixture.with("database.user", role);
      assertRefused(
          fixture,
          Reason.PUBLICATION,
          role,
          "CREATE PUBLICATION \"walproof\" FOR TABLE \"public\".\"t\"");
      fixture.sql("CREATE PUBLICATION \"walproof\" FOR TABLE \"public\".\"t\"");
      // Nothing else is needed: neither ownership nor SELECT.
      Captured captured = fixture.start();
      fixture.sql("INSERT INTO t VALUES (1)");
      fixture.settle();
      assertThat(captured.texts("public.t")).containsExactly("1");
    }
  }

  @Test
  void anUnreachableHost() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    try (CaptureFixture fixture = fixture()) {
      fixture.with("database.port", Integer.toString(port));
      assertRefused(fixture, Reason.UNREACHABLE, "127.0.0.1:" + port, "database.hostname");
      fixture.with("database.hostname", "no-such-host.invalid");
      assertRefused(fixture, Reason.UNREACHABLE, "no-such-host.invalid");
    }
  }

  @Test
  void aMissingDatabase() throws Exception {
    try (CaptureFixture fixture = fixture()) {
      fixture.with("database.dbname", "nowhere");
      assertRefused(fixture, Reason.UNREACHABLE, "database.dbname", "nowhere");
    }
  }

  @Test
  void aWrongPassword() throws Exception {
    try (PostgresServer server = PostgresServer.start(Servers.NEWEST);
        CaptureFixture fixture = new CaptureFixture(server)) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "CREATE ROLE locked LOGIN REPLICATION PASSWORD 'another'");
      Path hba = server.dataDirectory().resolve("pg_hba.conf");
      Files.writeString(
          hba, "host all locked 127.0.0.1/32 scram-sha-256\n" + Files.readString(hba));
      fixture.sql("SELECT pg_reload_conf()");
      fixture.with("database.user", "locked");
      fixture.until(
          () -> {
            try {
              server.connect(fixture.database, "locked", "x").close();
              return false;
            } catch (java.sql.SQLException e) {
              return "28P01".equals(e.getSQLState());
            }
          });
      assertRefused(fixture, Reason.AUTHENTICATION, "locked", "database.password", "28P01");
    }
  }

  @Test
  void noSlotIsLeft() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder()
                .major(Servers.NEWEST)
                .setting("max_replication_slots", "1")
                .start();
        CaptureFixture fixture = new CaptureFixture(server)) {
      fixture.sql(
          "CREATE TABLE t (id int PRIMARY KEY)",
          "SELECT pg_create_physical_replication_slot('taken')");
      assertRefused(fixture, Reason.SLOT, "max_replication_slots");
    }
  }

  /** Before a slot or a publication is made, and not as an outage that may pass. */
  @Test
  void aPoolerThatPassesNoReplication() throws Exception {
    assumeTrue(
        PgBouncer.program().isPresent(), "no pgbouncer is installed: no pooler is tried for real");
    PostgresServer server = Servers.newest();
    try (CaptureFixture fixture = fixture();
        PgBouncer pooler =
            PgBouncer.start(server, PgBouncer.Mode.SESSION, 5, List.of(PostgresServer.SUPERUSER))) {
      fixture.with("database.port", Integer.toString(pooler.port()));
      assertRefused(
          fixture, Reason.SERVER, "database.hostname", "connection pooler", "the server itself");
      assertThat(fixture.query("SELECT count(*) FROM pg_publication")).isEqualTo("0");
      fixture.with("database.port", Integer.toString(server.port())).start();
    }
  }

  private static CaptureFixture fixture() throws Exception {
    return new CaptureFixture(Servers.newest()).sql("CREATE TABLE t (id int PRIMARY KEY)");
  }

  private static void assertRefused(CaptureFixture fixture, Reason reason, String... parts) {
    fixture.with("database.password", SECRET);
    assertThatThrownBy(fixture::start)
        .isInstanceOfSatisfying(
            CaptureException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              assertThat(trace.toString()).doesNotContain(SECRET);
            })
        .message()
        .contains(parts);
    assertThat(CaptureSettings.of(fixture.settings).toString()).doesNotContain(SECRET);
  }
}
