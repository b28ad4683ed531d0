package io.walproof.standalone;

import static io.walproof.standalone.WrongInput.refused;
import static io.walproof.standalone.WrongInput.setting;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is wrong with servers, databases, roles and slots is told in a message that names the thing,
 * the setting and the way out, and no secret gets anywhere, at no log level.
 */
class WrongServersIT extends WrongInputCase {

  @BeforeAll
  static void createTablesAndRoles() throws Exception {
    JoinedPair.healthy("wrong");
    ReplicatedPair pair = JoinedPair.get();
    for (PostgresServer server : List.of(pair.source(), pair.target())) {
      server.execute(
          ReplicatedPair.DATABASE,
          "CREATE ROLE op_locked LOGIN REPLICATION PASSWORD 'another'",
          "CREATE ROLE op_plain LOGIN",
          "CREATE ROLE op_blind LOGIN REPLICATION");
      Path hba = server.dataDirectory().resolve("pg_hba.conf");
      Files.writeString(
          hba, "host all op_locked 127.0.0.1/32 scram-sha-256\n" + Files.readString(hba));
      server.execute("postgres", "SELECT pg_reload_conf()");
      Operated.until("the new pg_hba.conf", () -> refusesLocked(server));
    }
  }

  private static boolean refusesLocked(PostgresServer server) {
    try {
      server.connect(ReplicatedPair.DATABASE, "op_locked", "x").close();
      return false;
    } catch (SQLException e) {
      return "28P01".equals(e.getSQLState());
    }
  }

  @AfterAll
  static void dropRoles() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    pair.onBoth("DROP ROLE op_locked", "DROP ROLE op_plain", "DROP ROLE op_blind");
  }

  static Stream<WrongInput> servers() {
    return Stream.of(
        refused(
            "missing table",
            setting("table.include.list", "public\\.wrong,public\\.nothing"),
            "table.include.list",
            "nothing"),
        refused(
            "table not in the publication",
            operated -> {
              operated.with("publication.autocreate.mode", "disabled");
              operated.pair.onSource("CREATE PUBLICATION wrong");
            },
            "publication.name 'wrong' lacks public.wrong",
            "ALTER PUBLICATION \"wrong\" ADD TABLE \"public\".\"wrong\""),
        refused(
            "no publication",
            setting("publication.autocreate.mode", "disabled"),
            "CREATE PUBLICATION \"wrong\" FOR TABLE \"public\".\"wrong\""),
        refused(
            "role without REPLICATION",
            setting("database.user", "op_plain"),
            "database.user",
            "ALTER ROLE \"op_plain\" REPLICATION"),
        refused(
            "source and target are one",
            operated ->
                operated.with(
                    "verify.target.jdbc.url",
                    operated
                        .pair
                        .source()
                        .jdbcUrl(ReplicatedPair.DATABASE)
                        .replace("127.0.0.1", "localhost")),
            "source and target are the same database",
            "verify.target.jdbc.url"),
        refused(
            "source refuses connections",
            operated -> operated.with("database.port", Integer.toString(closedPort())),
            "source database at",
            "database.port"),
        refused(
            "target refuses connections",
            operated ->
                operated.with(
                    "verify.target.jdbc.url",
                    "jdbc:postgresql://127.0.0.1:"
                        + closedPort()
                        + "/app?password="
                        + Operated.SECRET
                        + "&sslpassword="
                        + Operated.SECRET),
            "target database at jdbc:postgresql://127.0.0.1:",
            "verify.target.jdbc.url"),
        refused(
            "source host unknown",
            setting("database.hostname", "nowhere.invalid"),
            "nowhere.invalid",
            "database.hostname"),
        refused(
            "target host unknown",
            setting("verify.target.jdbc.url", "jdbc:postgresql://nowhere.invalid/app"),
            "nowhere.invalid",
            "verify.target.jdbc.url"),
        refused(
            "source database unknown",
            setting("database.dbname", "nowhere"),
            "nowhere",
            "does not exist",
            "database.dbname"),
        refused(
            "wrong password for the source",
            setting("database.user", "op_locked"),
            "\"op_locked\"",
            "database.password",
            "pg_hba.conf"),
        refused(
            "wrong password for the target",
            setting("verify.target.user", "op_locked"),
            "\"op_locked\"",
            "verify.target.password",
            "pg_hba.conf"),
        refused(
            "wrong password in the target's URL",
            operated ->
                operated
                    .without("verify.target.user")
                    .without("verify.target.password")
                    .with(
                        "verify.target.jdbc.url",
                        operated.settings.get("verify.target.jdbc.url")
                            + "?user=op_locked&password="
                            + Operated.SECRET),
            "verify.target.jdbc.url",
            "pg_hba.conf"),
        refused(
            "wrong password for the stream alone",
            operated ->
                operated
                    .with("database.user", "op_locked")
                    .with("verify.source.user", PostgresServer.SUPERUSER),
            "op_locked",
            "database.password"),
        refused(
            "no subscription",
            setting("verify.replay.subscription", "nothing"),
            "nothing",
            "verify.replay.confirmation"));
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @MethodSource({"servers"})
  void isRefusedWithAMessage(WrongInput wrong) throws Exception {
    wrong.assertRefused(operated);
  }

  @Test
  void aServerWithoutLogicalDecoding() throws Exception {
    try (PostgresServer server = PostgresServer.builder().setting("wal_level", "replica").start()) {
      server.execute("postgres", "CREATE TABLE public.wrong (id bigint PRIMARY KEY, v text)");
      Operated.Outcome end =
          operated
              .with("database.port", Integer.toString(server.port()))
              .with("database.dbname", "postgres")
              .with("verify.replay.confirmation", "none")
              .run();
      assertThat(end.status()).isEqualTo(1);
      assertThat(end.err()).contains("ALTER SYSTEM SET wal_level = 'logical'");
      operated.assertNoSecret(end.err());
    }
  }

  @Test
  void aSourceThatTakesConnectionsAndNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      operated
          .with("verify.source.jdbc.url", operated.pair.source().jdbcUrl(ReplicatedPair.DATABASE))
          .with("driver.loginTimeout", "1")
          .with("database.port", Integer.toString(silent.getLocalPort()));
      Operated.Outcome end = operated.run();
      assertThat(end.status()).isEqualTo(1);
      assertThat(end.err()).contains("cannot be reached").contains("database.port");
      // Recorded as begun, so its end is recorded too.
      AuditRecord last = operated.audit().get(operated.audit().size() - 1);
      assertThat(last.type()).isEqualTo(AuditType.RUN_END);
      assertThat(last.reason()).contains("failed to start");
      assertThat(last.json().path("exit_status").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aSlotThatIsGoneOrAheadIsRefusedAndAnAcceptedGapIsRecorded() throws Exception {
    operated.pair.onSource("INSERT INTO public.wrong VALUES (1, 'before')");
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
    operated.forget();
    operated.pair.onSource("INSERT INTO public.wrong VALUES (2, 'in the gap')");
    Operated.Outcome gone = operated.run("--until-idle", "100ms");
    assertThat(gone.status()).isEqualTo(1);
    assertThat(gone.err()).contains("slot.name 'wrong' does not exist").contains("--accept-gap");

    operated.pair.onSource("SELECT pg_create_logical_replication_slot('wrong', 'pgoutput')");
    Operated.Outcome ahead = operated.run("--until-idle", "100ms");
    assertThat(ahead.status()).isEqualTo(1);
    assertThat(ahead.err()).contains("ahead of the stored position").contains("--accept-gap");

    operated.pair.onSource("INSERT INTO public.wrong VALUES (3, 'after')");
    Operated.Outcome accepted = operated.run("--until-idle", "100ms", "--accept-gap");
    assertThat(accepted.status()).isEqualTo(ExitStatus.INCOMPLETE.code());
    assertThat(accepted.out()).contains("gap 1");
    LastRun run = LastRun.of(operated);
    String to = run.all(AuditType.DRIFT).get(0).json().path("lsn").asText();
    List<AuditRecord> summaries = run.all(AuditType.SUMMARY);
    assertThat(summaries.get(summaries.size() - 1).json().at("/tables/0/verdicts_after").asText())
        .isEqualTo(to);
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
  }
}
