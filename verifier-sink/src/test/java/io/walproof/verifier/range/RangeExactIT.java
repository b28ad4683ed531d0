package io.walproof.verifier.range;

import static io.walproof.verifier.range.RangeFixture.keys;
import static io.walproof.verifier.range.RangeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ConfirmationStrategy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Point 3: {@code exact} is said on evidence that covers every writer, and not otherwise. */
class RangeExactIT {

  @TempDir private static Path ledgers;
  private static ReplicatedPair pair;

  @BeforeAll
  static void start() throws Exception {
    // A vacuum's transaction on the target would be somebody's; here nobody is there.
    pair =
        ReplicatedPair.start(
            PostgresServer.builder().setting("autovacuum", "off"),
            PostgresServer.builder().setting("autovacuum", "off"));
    pair.onBoth(
        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
        "CREATE TABLE calm (id int PRIMARY KEY, v text, m mood)",
        "CREATE TABLE busy (id int PRIMARY KEY, v text)",
        "CREATE TABLE apart (id int PRIMARY KEY, v text)",
        "CREATE TABLE moods (id int PRIMARY KEY, m mood[])",
        "CREATE TABLE root (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
        "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (100000)");
    pair.onSource(
        "INSERT INTO calm SELECT i, 'v' || i, 'sad' FROM generate_series(1, 300) AS i",
        "INSERT INTO apart SELECT i, 'v' || i FROM generate_series(1, 300) AS i",
        "INSERT INTO moods VALUES (1, '{sad}')",
        "INSERT INTO root SELECT i, 'v' || i FROM generate_series(1, 300) AS i",
        "CREATE PUBLICATION pipeline FOR TABLE calm, busy, moods, root",
        "CREATE PUBLICATION inserts FOR TABLE apart WITH (publish = 'insert')");
    pair.subscribe("pipeline", "pipeline, inserts");
    pair.awaitCopied();
  }

  @AfterAll
  static void stop() throws Exception {
    pair.close();
  }

  /** Whatever came of it, nothing holds WAL back afterwards. */
  @AfterEach
  void noSlotIsLeft() throws Exception {
    assertThat(
            ask(
                "SELECT count(*) FROM pg_replication_slots"
                    + " WHERE slot_name LIKE 'walproof\\_exact%'"))
        .isEqualTo("0");
  }

  private static String ask(String sql) throws Exception {
    try (Connection connection = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static final AuditLog NOTHING_RECORDED =
      new AuditLog() {
        @Override
        public void append(List<AuditEntry> entries) {}

        @Override
        public void close() {}
      };

  /** Checks, and does something once the witness has begun and nothing is read yet. */
  private static RangeResult check(
      String table, ConfirmationStrategy strategy, int patience, Callable<?> then)
      throws Exception {
    AuditLog audit =
        new AuditLog() {
          @Override
          public void append(List<AuditEntry> entries) {
            if (entries.stream().anyMatch(AuditEntry.RangeStart.class::isInstance)) {
              try {
                then.call();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }
          }

          @Override
          public void close() {}
        };
    AssembledRangeCheck assembled = start(limits(patience, true), strategy, audit);
    try {
      return assembled
          .check()
          .run(
              List.of(whole("public." + table)),
              Deadline.in(Time.system(), Duration.ofMinutes(2)),
              new Cancellation())
          .get(0);
    } finally {
      assembled.stop(Duration.ofSeconds(10));
    }
  }

  private static RangeLimits limits(int patience, boolean exact) {
    return new RangeLimits(
        50,
        1 << 26,
        1.0,
        Duration.ofSeconds(60),
        Duration.ofSeconds(patience),
        500,
        DigestPlace.CLIENT,
        Duration.ZERO,
        50,
        exact);
  }

  private static AssembledRangeCheck start(
      RangeLimits limits, ConfirmationStrategy strategy, AuditLog audit) {
    return RangeFixture.start(
        limits,
        settings(Side.SOURCE, pair.source()),
        settings(Side.TARGET, pair.target()),
        strategy,
        ledgers,
        audit);
  }

  private static DatabaseSettings settings(Side side, PostgresServer server) {
    return DatabaseSettings.of(
        side, server.jdbcUrl(ReplicatedPair.DATABASE), PostgresServer.SUPERUSER, "");
  }

  private static RangeResult check(String table, Callable<?> then) throws Exception {
    return check(table, ConfirmationStrategy.SUBSCRIPTION, 30, then);
  }

  private static Callable<?> onSource(String... sql) {
    return () -> {
      pair.onSource(sql);
      return null;
    };
  }

  private static Callable<?> onTarget(String... sql) {
    return () -> {
      pair.onTarget(sql);
      return null;
    };
  }

  private static void live(RangeResult result, String why) {
    assertThat(result.strength()).as(result.toString()).contains(Strength.LIVE);
    assertThat(result.detail().orElseThrow()).contains("live, not exact: ", why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"calm", "root", "leaf"})
  void whereNobodyWritesItIsExact(String table) throws Exception {
    RangeResult result = check(table, () -> null);
    assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.PROVED);
    assertThat(result.strength()).as(result.toString()).contains(Strength.EXACT);
    assertThat(result.detail()).isEmpty();
    assertThat(result.progress().rows()).isEqualTo(300);
  }

  /** Writers of other tables are in the WAL too, and are not taken for the table's. */
  @Test
  void writersOfOtherTablesOnTheSourceDoNotMatter() throws Exception {
    RangeResult result =
        check(
            "calm",
            onSource(
                "CREATE TABLE unpublished AS SELECT i FROM generate_series(1, 30000) AS i",
                "DROP TABLE unpublished"));
    assertThat(result.strength()).as(result.toString()).contains(Strength.EXACT);
  }

  @Test
  void aFailureIsExactToo() throws Exception {
    pair.onTarget("DELETE FROM calm WHERE id = 7");
    try {
      RangeResult result = check("calm", () -> null);
      assertThat(keys(result, "unresolved_missing")).containsExactly("7");
      assertThat(result.strength()).as(result.toString()).contains(Strength.EXACT);
    } finally {
      pair.onTarget("INSERT INTO calm VALUES (7, 'v7', 'sad')");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      value = {
        "calm | UPDATE calm SET v = v WHERE id = 300 | written to",
        "calm | BEGIN; DELETE FROM calm WHERE id = 5; ROLLBACK;"
            + " UPDATE calm SET v = v WHERE id = 5 | written to",
        "calm | UPDATE calm SET v = 'x' WHERE id = 9; UPDATE calm SET v = 'v9' WHERE id = 9"
            + " | written to",
        "calm | BEGIN; CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM calm; TRUNCATE calm;"
            + " INSERT INTO calm SELECT * FROM kept; COMMIT | altered",
        "calm | ALTER TABLE calm ALTER COLUMN id TYPE int USING id + 0 | altered",
        "calm | ALTER PUBLICATION pipeline DROP TABLE calm; UPDATE calm SET v = v WHERE id = 1;"
            + " ALTER PUBLICATION pipeline ADD TABLE calm | altered",
        "calm | ALTER TYPE mood RENAME VALUE 'sad' TO 'low'; ALTER TYPE mood RENAME VALUE 'low' TO"
            + " 'sad' | altered",
        "root | INSERT INTO root VALUES (1000, 'v'); DELETE FROM root WHERE id = 1000 | written to",
        "root | ALTER TABLE root DETACH PARTITION leaf; ALTER TABLE root ATTACH PARTITION leaf FOR"
            + " VALUES FROM (0) TO (100000) | altered",
        "leaf | UPDATE root SET v = v WHERE id = 3 | written to",
        "apart | SELECT 1 | no publication",
        "moods | SELECT 1 | may be altered",
      })
  void whatIsWrittenOnTheSourceMeanwhileIsNotExact(String table, String sql, String why)
      throws Exception {
    live(check(table, onSource(sql)), why);
    pair.awaitApplied();
  }

  /** A truncate alone, of what stays empty on both sides. */
  @Test
  void aTruncateIsAWrite() throws Exception {
    assertThat(check("busy", () -> null).strength()).contains(Strength.EXACT);
    live(check("busy", onSource("TRUNCATE busy")), "altered");
    pair.awaitApplied();
  }

  /** Not in the source's WAL: a row that was equal when it was read, and is not any more. */
  @Test
  void aWriterOnTheTargetIsSeen() throws Exception {
    live(check("calm", onTarget("UPDATE calm SET v = v WHERE id = 4")), "transactions ended");
    try (Connection open = pair.target().connect(ReplicatedPair.DATABASE);
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute("UPDATE calm SET v = v WHERE id = 4");
      // Others ended behind it, so that it is not the newest.
      pair.onTarget("UPDATE calm SET v = v WHERE id = 5");
      RangeResult result =
          check(
              "calm",
              () -> {
                open.commit();
                return null;
              });
      live(result, "transactions ended");
    }
  }

  /** What is open from before to after might have committed without being seen yet. */
  @Test
  void anOpenTransactionIsNoEvidence() throws Exception {
    try (Connection open = pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = open.createStatement()) {
      open.setAutoCommit(false);
      statement.execute("UPDATE calm SET v = v WHERE id = 4");
      live(check("calm", ConfirmationStrategy.SUBSCRIPTION, 2, () -> null), "stayed open");
      open.rollback();
    }
    assertThat(check("calm", () -> null).strength()).contains(Strength.EXACT);
  }

  /** Point 5: an hour's patience for a stopped applier does not keep a cancelled check. */
  @ParameterizedTest
  @CsvSource({"true, WITNESS", "false, REPLAY"})
  void aCancelledCheckDoesNotGoOnWaiting(boolean exact, RangeStage stage) throws Exception {
    pair.pauseApplier();
    pair.onTarget("INSERT INTO calm VALUES (7000, 'only here', 'sad')");
    pair.onSource("INSERT INTO busy VALUES (1, 'v')");
    Cancellation cancel = new Cancellation();
    CompletableFuture<List<RangeResult>> results = new CompletableFuture<>();
    AssembledRangeCheck assembled =
        start(limits(3_600, exact), ConfirmationStrategy.SUBSCRIPTION, NOTHING_RECORDED);
    try {
      Thread thread =
          new Thread(
              () -> {
                try {
                  results.complete(
                      assembled
                          .check()
                          .run(
                              List.of(whole("public.calm")),
                              Deadline.in(Time.system(), Duration.ofHours(1)),
                              cancel));
                } catch (Exception e) {
                  results.completeExceptionally(e);
                }
              });
      thread.start();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(
              () ->
                  assembled.check().progress().filter(is -> is.stage() == stage).isPresent()
                      || results.isDone());
      assertThat(results).isNotDone();
      cancel.cancel();
      RangeResult result = results.get(60, TimeUnit.SECONDS).get(0);
      assertThat(result.outcome()).as(result.toString()).isEqualTo(RangeOutcome.INCOMPLETE);
      assertThat(result.targetOnly().count()).isZero();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(
              () ->
                  ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'walproof'"
                          + " AND state <> 'idle'")
                      .equals("0"));
    } finally {
      cancel.cancel();
      assembled.stop(Duration.ofSeconds(10));
      pair.resumeApplier();
      pair.onTarget("DELETE FROM calm WHERE id = 7000");
      pair.onSource("DELETE FROM busy");
      pair.awaitApplied();
    }
  }

  @Test
  void withoutConfirmedReplayNothingIsExact() throws Exception {
    live(check("calm", ConfirmationStrategy.NONE, 30, () -> null), "no replay is confirmed");
    pair.pauseApplier();
    try {
      pair.onSource("INSERT INTO busy VALUES (1, 'v')");
      live(
          check("calm", ConfirmationStrategy.SUBSCRIPTION, 5, () -> null), "short of the boundary");
    } finally {
      pair.resumeApplier();
      pair.onSource("DELETE FROM busy");
      pair.awaitApplied();
    }
  }
}
