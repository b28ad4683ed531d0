package io.walproof.verifier.range;

import static io.walproof.verifier.range.RangeFixture.keys;
import static io.walproof.verifier.range.RangeFixture.limits;
import static io.walproof.verifier.range.RangeFixture.targetOnly;
import static io.walproof.verifier.range.RangeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.Standby;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ConfirmationStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Range checks while servers, catalogs and roles get in the way. */
class RangeFaultIT {

  @TempDir private static Path ledgers;
  private static RangeFixture db;

  @BeforeAll
  static void start() throws Exception {
    db = new RangeFixture(ledgers);
    db.server.execute("postgres", "CREATE ROLE limited LOGIN");
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  /** A check of a table that is read slowly; it is under way when this returns. */
  private static CompletableFuture<RangeResult> slowly(String table, DigestPlace place)
      throws Exception {
    CompletableFuture<RangeResult> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(
                    db.check(limits(50, place, 0.05), List.of(whole(table)), new Cancellation())
                        .get(0));
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                result.isDone()
                    || db.audit.stream()
                        .anyMatch(
                            entry ->
                                entry instanceof AuditEntry.RangeStart start
                                    && start.table().display().equals(table)));
    return result;
  }

  /** O8. */
  @ParameterizedTest
  @EnumSource(names = {"CLIENT", "SERVER"})
  void aTypeChangedMeanwhileIsPlannedAnew(DigestPlace place) throws Exception {
    String table = "altered_" + place.text();
    db.onBoth(
        "CREATE TABLE " + table + " (id int PRIMARY KEY, v varchar(10))",
        "INSERT INTO " + table + " SELECT i, 'v' || i FROM generate_series(1, 1500) AS i");
    CompletableFuture<RangeResult> check = slowly("public." + table, place);
    db.onBoth("ALTER TABLE " + table + " ALTER COLUMN v TYPE text, ADD COLUMN w int");
    RangeResult result = check.get(120, TimeUnit.SECONDS);
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.progress().rows()).isEqualTo(1_500);
    assertThat(result.keys().failures()).isZero();
  }

  /** What was proved before a column came is not proved of that column. */
  @Test
  void aColumnThatDiffersAndComesMeanwhileIsComparedInEveryRow() throws Exception {
    db.onBoth(
        "CREATE TABLE grown (id int PRIMARY KEY, v text)",
        "INSERT INTO grown SELECT i, 'v' || i FROM generate_series(1, 1500) AS i");
    CompletableFuture<RangeResult> check = slowly("public.grown", DigestPlace.CLIENT);
    db.onTarget("ALTER TABLE grown ADD COLUMN w int DEFAULT 2");
    db.onSource("ALTER TABLE grown ADD COLUMN w int DEFAULT 1");
    RangeResult result = check.get(120, TimeUnit.SECONDS);
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.FAILED);
    assertThat(result.keys().failures()).isEqualTo(1_500);
  }

  /** O11: what a restart of a backend cuts off is tried again. */
  @Test
  void aTerminatedBackendIsNoFinding() throws Exception {
    db.onBoth(
        "CREATE TABLE cut_off (id int PRIMARY KEY, v text)",
        "INSERT INTO cut_off SELECT i, 'v' || i FROM generate_series(1, 1500) AS i");
    CompletableFuture<RangeResult> check = slowly("public.cut_off", DigestPlace.CLIENT);
    db.onSource(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE application_name = 'walproof'");
    RangeResult result = check.get(120, TimeUnit.SECONDS);
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.progress().rows()).isEqualTo(1_500);
  }

  /** O12. */
  @Test
  void rowsThatAreHiddenAreNotMissing() throws Exception {
    db.onBoth("CREATE TABLE hidden (id int PRIMARY KEY)", "INSERT INTO hidden VALUES (1), (2)");
    db.onTarget(
        "ALTER TABLE hidden ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY visible ON hidden USING (id = 1)",
        "GRANT SELECT ON hidden TO limited");
    RangeResult result =
        db.check(
                limits(10),
                List.of(whole("public.hidden")),
                new Cancellation(),
                db.there("limited"))
            .get(0);
    assertThat(result.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(result.detail().orElseThrow()).contains("row-level security");
    db.onBoth("CREATE TABLE forbidden (id int PRIMARY KEY)");
    RangeResult forbidden =
        db.check(
                limits(10),
                List.of(whole("public.forbidden")),
                new Cancellation(),
                db.there("limited"))
            .get(0);
    assertThat(forbidden.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(forbidden.detail().orElseThrow()).contains("GRANT");
  }

  /** A value that cannot be converted leaves its own row unjudged, and no other. */
  @Test
  void aValueThatCannotBeReadConcernsItsRowOnly() throws Exception {
    db.onSource("CREATE TABLE documents (id int PRIMARY KEY, d json)");
    db.onTarget("CREATE TABLE documents (id int PRIMARY KEY, d jsonb)");
    db.onBoth("INSERT INTO documents SELECT i, '{\"a\": 1}' FROM generate_series(1, 1000) AS i");
    db.onSource("UPDATE documents SET d = '{\"a\": \"\\u0000\"}' WHERE id = 500");
    db.onTarget("DELETE FROM documents WHERE id = 501", "INSERT INTO documents VALUES (0, '1')");
    RangeResult result = db.check(50, whole("public.documents"));
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(keys(result, "incomplete")).containsExactly("500");
    assertThat(keys(result, "unresolved_missing")).containsExactly("501");
    assertThat(targetOnly(result)).containsExactly("0");
    assertThat(result.progress().rows()).isEqualTo(1_000);
  }

  /** Without an index on the target it is slower, and no less sure. */
  @Test
  void aTargetWithoutAKeyIsCheckedToo() throws Exception {
    db.onSource("CREATE TABLE unkeyed (id int PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE unkeyed (v text, id bigint)");
    db.onBoth("INSERT INTO unkeyed (id, v) SELECT i, 'v' || i FROM generate_series(1, 3000) AS i");
    assertThat(db.check(100, whole("public.unkeyed")).outcome()).isEqualTo(RangeOutcome.PROVED);
    db.onTarget(
        "UPDATE unkeyed SET v = 'x' WHERE id = 2999",
        "INSERT INTO unkeyed VALUES ('v', 3000000000)");
    RangeResult result = db.check(100, whole("public.unkeyed"));
    assertThat(keys(result, "unresolved_different")).containsExactly("2999");
    // No source row can have this key, which does not fit its type.
    assertThat(targetOnly(result)).containsExactly("3000000000");
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(result.reason()).isEmpty();
  }

  /** Where nothing forbids it there, a row may be on the target twice: said, not passed over. */
  @Test
  void aRowThatTheTargetHasTwiceIsNotProved() throws Exception {
    db.onSource("CREATE TABLE doubled (id int PRIMARY KEY, v text)");
    db.onTarget("CREATE TABLE doubled (id int, v text)");
    db.onBoth("INSERT INTO doubled SELECT i, 'v' || i FROM generate_series(1, 300) AS i");
    db.onTarget("INSERT INTO doubled VALUES (150, 'v150')");
    RangeResult result = db.check(1000, whole("public.doubled"));
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.INCOMPLETE);
    assertThat(keys(result, "incomplete")).containsExactly("150");
  }

  /** O10: the target is a hot standby, which refuses much. */
  @Test
  void aStandbyIsChecked() throws Exception {
    try (PostgresServer primary = PostgresServer.start(17)) {
      primary.execute(
          "postgres",
          "CREATE TABLE copied (id int PRIMARY KEY, v text)",
          "INSERT INTO copied SELECT i, 'v' || i FROM generate_series(1, 2000) AS i");
      try (PostgresServer standby = Standby.of(primary)) {
        for (DigestPlace place : List.of(DigestPlace.CLIENT, DigestPlace.SERVER)) {
          AssembledRangeCheck assembled =
              db.start(
                  limits(300, place, 1),
                  settings(Side.SOURCE, primary),
                  settings(Side.TARGET, standby),
                  ConfirmationStrategy.STANDBY);
          try {
            RangeResult result =
                assembled
                    .check()
                    .run(
                        List.of(whole("public.copied")),
                        Deadline.in(Time.system(), Duration.ofMinutes(2)),
                        new Cancellation())
                    .get(0);
            assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
            assertThat(result.progress().rows()).isEqualTo(2_000);
          } finally {
            assembled.stop(Duration.ofSeconds(10));
          }
        }
      }
    }
  }

  private static DatabaseSettings settings(Side side, PostgresServer server) {
    return DatabaseSettings.of(side, server.jdbcUrl("postgres"), PostgresServer.SUPERUSER, "");
  }
}
