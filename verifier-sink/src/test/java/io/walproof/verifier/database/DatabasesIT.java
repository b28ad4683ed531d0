package io.walproof.verifier.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabasesIT {

  private static final Time TIME = Time.system();

  /** Far above every bound that is set here, and far below not ending at all. */
  private static final Duration ENDS = Duration.ofMinutes(3);

  private static PostgresServer server;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.start(18);
    server.execute(
        "postgres",
        "SET password_encryption = 'scram-sha-256'; CREATE ROLE locked LOGIN PASSWORD 's3cret'",
        "CREATE DATABASE other",
        "CREATE FUNCTION raise_as(state text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
            + " RAISE EXCEPTION 'Die Abfrage war nicht möglich: geheim' USING ERRCODE = state;"
            + " END $$");
    Path hba = server.dataDirectory().resolve("pg_hba.conf");
    Files.writeString(hba, "host all locked 127.0.0.1/32 scram-sha-256\n" + Files.readString(hba));
    server.execute("postgres", "SELECT pg_reload_conf()");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private static DatabaseIdentity check(String url, String user, String password) {
    DatabaseSettings settings =
        new DatabaseSettings(
            Side.TARGET, url, user, password, Duration.ofSeconds(2), Duration.ofSeconds(5), 2, 2);
    try (Database database = Databases.open(settings, TIME)) {
      return Databases.check(database, TIME, new Cancellation());
    }
  }

  @Test
  void aRightPasswordIsLetIn() {
    DatabaseIdentity identity = check(server.jdbcUrl("postgres"), "locked", "s3cret");
    assertThat(identity.name()).isEqualTo("postgres");
    assertThat(identity.inRecovery()).isFalse();
    assertThat(identity.version()).isBetween(180000, 189999);
    assertThat(check(server.jdbcUrl("postgres") + "?user=locked&password=s3cret", "", "").name())
        .isEqualTo("postgres");
  }

  @Test
  void aWrongPasswordAnUnknownRoleAndAMissingDatabaseAreNamed() {
    long began = TIME.nanoTime();
    assertThatThrownBy(() -> check(server.jdbcUrl("postgres"), "locked", "wr0ng"))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("does not let \"locked\" in")
        .hasMessageContaining("verify.target.password")
        .hasMessageContaining("28P01")
        .hasMessageNotContaining("wr0ng");
    assertThatThrownBy(() -> check(server.jdbcUrl("postgres"), "nobody", ""))
        .hasMessageContaining("does not let \"nobody\" in");
    assertThatThrownBy(() -> check(server.jdbcUrl("gone") + "?password=x", "postgres", ""))
        .hasMessageContaining("/gone does not exist")
        .hasMessageContaining("verify.target.jdbc.url");
    assertThat(Duration.ofNanos(TIME.nanoTime() - began)).isLessThan(ENDS);
  }

  @Test
  void anUnreachableServerIsNamedInBoundedTime() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    long began = TIME.nanoTime();
    assertThatThrownBy(
            () -> check("jdbc:postgresql://127.0.0.1:" + closed + "/db?password=s3cret", "me", ""))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("refuses connections")
        .hasMessageContaining("127.0.0.1:" + closed)
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> check("jdbc:postgresql://host.invalid/db", "me", ""))
        .hasMessageContaining("host");
    assertThat(Duration.ofNanos(TIME.nanoTime() - began)).isLessThan(ENDS);
  }

  @Test
  void aServerThatNeverAnswersIsGivenUpOn() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      long began = TIME.nanoTime();
      assertThatThrownBy(
              () -> check("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/db", "me", ""))
          .isInstanceOf(DatabaseException.class);
      assertThat(Duration.ofNanos(TIME.nanoTime() - began)).isLessThan(ENDS);
    }
  }

  @Test
  void oneDatabaseUnderTwoNamesIsRefused() {
    DatabaseIdentity one = check(server.jdbcUrl("postgres"), "postgres", "");
    DatabaseIdentity same =
        check("jdbc:postgresql://localhost:" + server.port() + "/postgres", "locked", "s3cret");
    assertThatThrownBy(() -> Databases.requireDistinct(one, same))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("same database \"postgres\"");
    Databases.requireDistinct(one, check(server.jdbcUrl("other"), "postgres", ""));
  }

  /** Servers speak other languages; what an error means is told by its SQLState alone. */
  @ParameterizedTest
  @CsvSource({
    "40001, UNREACHABLE, in conflict with recovery",
    "40P01, UNREACHABLE, in a deadlock",
    "57P03, UNREACHABLE, starting up",
    "53300, UNREACHABLE, out of connection slots",
    "57P01, UNREACHABLE, no connection",
    "57014, OTHER, cancelled by somebody else",
    "42501, PERMISSION, lacks a privilege",
    "42P01, CATALOG, does not fit the catalog",
    "0A000, CATALOG, does not fit the catalog",
    "22P02, DATA, cannot be read or converted",
    "54000, DATA, cannot be read or converted",
    "XX000, INTERNAL, failed",
    "P9999, OTHER, failed"
  })
  void anErrorIsKnownByItsStateAndNotByItsText(String state, Outcome.Cause cause, String said) {
    DatabaseSettings settings =
        new DatabaseSettings(
            Side.TARGET,
            server.jdbcUrl("postgres"),
            PostgresServer.SUPERUSER,
            "",
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            2,
            2);
    try (Database database = Databases.open(settings, TIME)) {
      AtomicInteger tries = new AtomicInteger();
      Outcome<String> outcome =
          new Transactions(database, TIME)
              .run(
                  TransactionKind.ROWS,
                  Deadline.in(TIME, Duration.ofSeconds(10)),
                  new Cancellation(),
                  session -> {
                    tries.incrementAndGet();
                    return session.text(
                        "SELECT public.raise_as(CAST(? AS text))", Session.Parameters.texts(state));
                  });
      Outcome.Failed<String> failed = (Outcome.Failed<String>) outcome;
      assertThat(failed.cause()).isEqualTo(cause);
      assertThat(failed.detail()).contains(said, state).doesNotContain("geheim");
      boolean mayPass = cause == Outcome.Cause.UNREACHABLE || state.equals("57014");
      assertThat(tries).hasValue(mayPass ? 2 : 1);
    }
  }

  /** What roles, databases and poolers set does not reach a transaction, and ours does not leak. */
  @Test
  void settingsArePinnedForTheTransactionOnly() throws Exception {
    server.execute(
        "postgres",
        "ALTER ROLE locked SET TimeZone = 'Asia/Shanghai'",
        "ALTER ROLE locked SET DateStyle = 'German'",
        "ALTER ROLE locked SET IntervalStyle = 'iso_8601'",
        "ALTER ROLE locked SET extra_float_digits = -5",
        "ALTER ROLE locked SET bytea_output = 'escape'",
        "ALTER ROLE locked SET default_transaction_isolation = 'serializable'");
    DatabaseSettings settings =
        DatabaseSettings.of(Side.SOURCE, server.jdbcUrl("postgres"), "locked", "s3cret");
    try (Database database = Databases.open(settings, TIME)) {
      Transactions transactions = new Transactions(database, TIME);
      Map<String, String> expected =
          Map.of(
              "TimeZone", "UTC",
              "DateStyle", "ISO, YMD",
              "IntervalStyle", "postgres",
              "extra_float_digits", "1",
              "bytea_output", "hex",
              "row_security", "off",
              "search_path", "pg_catalog, pg_temp",
              "transaction_isolation", "read committed",
              "transaction_read_only", "on");
      for (Map.Entry<String, String> setting : expected.entrySet()) {
        Outcome<String> shown =
            transactions.run(
                TransactionKind.ROWS,
                Deadline.in(TIME, Duration.ofSeconds(10)),
                new Cancellation(),
                session -> session.text("SHOW " + setting.getKey(), Session.Parameters.NONE));
        assertThat(shown).isEqualTo(new Outcome.Done<>(setting.getValue()));
      }
      Deadline deadline = Deadline.in(TIME, Duration.ofSeconds(10));
      try (var connection = database.borrow(deadline, new Cancellation());
          var statement = connection.createStatement();
          var rows = statement.executeQuery("SHOW search_path")) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("\"$user\", public");
      }
      Outcome<Integer> write =
          transactions.run(
              TransactionKind.ROWS,
              deadline,
              new Cancellation(),
              session -> session.update("CREATE TABLE x (a int)", Session.Parameters.NONE));
      assertThat(write).isInstanceOf(Outcome.Failed.class);
      assertThat(List.of(write.toString())).noneMatch(text -> text.contains("s3cret"));
    } finally {
      server.execute("postgres", "ALTER ROLE locked RESET ALL");
    }
  }
}
