package io.walproof.standalone;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong with settings, servers, roles and files is told in a message that names the thing,
 * the setting and the way out, and no secret gets anywhere, at no log level.
 */
class WrongInputIT {

  private static final String TABLES = "public\\.wrong";

  @TempDir Path directory;

  private Operated operated;
  private CapturedLog log;

  @BeforeAll
  static void createTablesAndRoles() throws Exception {
    SharedPair.healthy("wrong");
    ReplicatedPair pair = SharedPair.get();
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
    ReplicatedPair pair = SharedPair.get();
    pair.onBoth("DROP ROLE op_locked", "DROP ROLE op_plain", "DROP ROLE op_blind");
  }

  @BeforeEach
  void open() throws Exception {
    operated = new Operated(SharedPair.get(), directory, "wrong", TABLES);
    log = new CapturedLog();
  }

  @AfterEach
  void close() throws Exception {
    log.close();
    operated.assertNoSecret(log.text());
    operated.forget();
  }

  private record Case(String name, Wrong wrong, List<String> told) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Wrong {
    void make(Operated operated) throws Exception;
  }

  private static Case of(String name, Wrong wrong, String... told) {
    return new Case(name, wrong, List.of(told));
  }

  private static Wrong setting(String key, String value) {
    return operated -> operated.with(key, value);
  }

  static Stream<Case> settings() {
    return Stream.of(
        of(
            "misspelt setting",
            setting("verify.setle.ms", "5"),
            "'verify.setle.ms'",
            "did you mean 'verify.settle.ms'?"),
        of(
            "unknown setting",
            setting("nothing.of.the.kind", Operated.SECRET),
            "'nothing.of.the.kind'",
            "remove the line"),
        of(
            "misspelt secret of the target",
            setting("verify.target.pasword", Operated.SECRET),
            "did you mean 'verify.target.password'?"),
        of(
            "misspelt secret of the source",
            setting("database.pasword", Operated.SECRET),
            "did you mean 'database.password'?"),
        of(
            "secret as a number",
            setting("verify.batch.rows", Operated.SECRET),
            "'verify.batch.rows' must be a whole number"),
        of(
            "secret as a choice",
            setting("snapshot.mode", Operated.SECRET),
            "'snapshot.mode' must be one of"),
        of(
            "secret in a URL of another kind",
            setting("verify.target.jdbc.url", "jdbc:mysql://h/d?password=" + Operated.SECRET),
            "'verify.target.jdbc.url' must be a URL such as jdbc:postgresql:"),
        of(
            "secret in a URL that the driver refuses",
            setting(
                "verify.target.jdbc.url", "jdbc:postgresql://h:port/d?password=" + Operated.SECRET),
            "verify.target.jdbc.url"),
        of(
            "no target",
            operated -> operated.without("verify.target.jdbc.url"),
            "'verify.target.jdbc.url' is missing"),
        of("no source", operated -> operated.without("database.hostname"), "'database.hostname'"),
        of("no user", operated -> operated.without("database.user"), "'database.user'"));
  }

  static Stream<Case> servers() {
    return Stream.of(
        of(
            "missing table",
            setting("table.include.list", "public\\.wrong,public\\.nothing"),
            "table.include.list",
            "nothing"),
        of(
            "table not in the publication",
            operated -> {
              operated.with("publication.autocreate.mode", "disabled");
              operated.pair.onSource("CREATE PUBLICATION wrong");
            },
            "publication.name 'wrong' lacks public.wrong",
            "ALTER PUBLICATION \"wrong\" ADD TABLE \"public\".\"wrong\""),
        of(
            "no publication",
            setting("publication.autocreate.mode", "disabled"),
            "CREATE PUBLICATION \"wrong\" FOR TABLE \"public\".\"wrong\""),
        of(
            "role without REPLICATION",
            setting("database.user", "op_plain"),
            "database.user",
            "ALTER ROLE \"op_plain\" REPLICATION"),
        of(
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
        of(
            "source refuses connections",
            operated -> operated.with("database.port", Integer.toString(closedPort())),
            "source database at",
            "database.port"),
        of(
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
        of(
            "source host unknown",
            setting("database.hostname", "nowhere.invalid"),
            "nowhere.invalid",
            "database.hostname"),
        of(
            "target host unknown",
            setting("verify.target.jdbc.url", "jdbc:postgresql://nowhere.invalid/app"),
            "nowhere.invalid",
            "verify.target.jdbc.url"),
        of(
            "source database unknown",
            setting("database.dbname", "nowhere"),
            "nowhere",
            "does not exist",
            "database.dbname"),
        of(
            "wrong password for the source",
            setting("database.user", "op_locked"),
            "\"op_locked\"",
            "database.password",
            "pg_hba.conf"),
        of(
            "wrong password for the target",
            setting("verify.target.user", "op_locked"),
            "\"op_locked\"",
            "verify.target.password",
            "pg_hba.conf"),
        of(
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
        of(
            "wrong password for the stream alone",
            operated ->
                operated
                    .with("database.user", "op_locked")
                    .with("verify.source.user", PostgresServer.SUPERUSER),
            "op_locked",
            "database.password"),
        of(
            "no subscription",
            setting("verify.replay.subscription", "nothing"),
            "nothing",
            "verify.replay.confirmation"),
        of(
            "state.dir is a file",
            operated ->
                operated.with(
                    "state.dir", Files.createFile(operated.directory.resolve("file")).toString()),
            "state.dir must name a directory that this user may write"),
        of(
            "the audit's folder is a file",
            operated -> {
              Files.createDirectory(operated.state);
              Files.createFile(operated.state.resolve("log"));
            },
            "log",
            "audit"),
        of(
            "damaged offsets",
            operated -> {
              Files.createDirectory(operated.state);
              Files.writeString(
                  operated.state.resolve("offsets.json"), "walproof-position 1 0\n{}\n");
            },
            "offsets.json is damaged",
            "move it away"));
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @MethodSource({"settings", "servers"})
  void isRefusedWithAMessage(Case wrong) throws Exception {
    operated.with("verify.connect.timeout.ms", "1000");
    wrong.wrong().make(operated);
    Operated.Outcome end = operated.run("--log-level", "trace", "--until-idle", "1s");
    assertThat(end.status()).isEqualTo(ExitStatus.ERROR.code());
    assertThat(end.out()).isEmpty();
    assertThat(end.err())
        .contains(wrong.told())
        .doesNotContain("nobody expected")
        .doesNotContain("\tat ");
    operated.assertNoSecret(end.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1,", ",1", "1,,2", "foo", "1.5", "9223372036854775808"})
  void ignoredAppsThatAreNone(String apps) throws Exception {
    Operated.Outcome end = operated.with("verify.ignore.apps", apps).run();
    assertThat(end.status()).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).contains("'verify.ignore.apps' entry ");
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

    Operated.Outcome accepted = operated.run("--until-idle", "100ms", "--accept-gap");
    assertThat(accepted.status()).isEqualTo(ExitStatus.INCOMPLETE.code());
    assertThat(accepted.out()).contains("gap 1");
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
  }
}
