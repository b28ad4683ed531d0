package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads under faults: whatever happens, a key is never called absent or different (invariant A).
 */
@ParameterizedClass
@MethodSource("io.walproof.embedded.Majors#underTest")
class RowFaultIT {

  private static final TableId TABLE = TableId.parse("public.t");

  /** Far above every bound that is set here, and far below not ending at all. */
  private static final Duration ENDS = Duration.ofMinutes(3);

  private static final String RELOAD = "SELECT pg_reload_conf()";

  private static TwoDatabases db;
  private static TablePlan plan;
  private static List<RowKey> keys;

  RowFaultIT(int major) {
    assertThat(major).isPositive();
  }

  @BeforeParameterizedClassInvocation
  static void start(int major) throws Exception {
    db = new TwoDatabases(major);
    db.onSource("CREATE ROLE limited LOGIN");
    db.onBoth(
        "CREATE TABLE t (id int PRIMARY KEY, v text)",
        "INSERT INTO t SELECT g, 'x' FROM generate_series(1, 2000) g",
        "GRANT SELECT ON t TO limited");
    plan = db.plan("public.t", "id");
    keys = new ArrayList<>();
    for (int i = 1; i <= 2000; i++) {
      keys.add(TwoDatabases.key(List.of("id"), Integer.toString(i)));
    }
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    db.close();
  }

  private static BatchRead read(RowAccess access, Deadline deadline, Cancellation cancel) {
    return access.read(Side.TARGET, plan, keys, deadline, cancel);
  }

  private static Deadline in(long millis) {
    return Deadline.in(Time.system(), Duration.ofMillis(millis));
  }

  private static void assertAllFound(BatchRead read) {
    assertThat(TwoDatabases.rows(read)).hasSize(2000).allMatch(KeyRead.Found.class::isInstance);
  }

  private static void assertFailed(BatchRead read, IncompleteReason reason, String detail) {
    assertThat(read)
        .isInstanceOfSatisfying(
            BatchRead.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo(reason);
              assertThat(failed.detail()).contains(detail);
            });
  }

  /** O11: backends are terminated again and again while batches are read. */
  @Test
  void terminatedBackendsAreRetriedAndNeverFalsify() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger killed = new AtomicInteger();
    Thread killer = new Thread(() -> terminate(done, killed));
    killer.start();
    try {
      int complete = 0;
      Deadline enough = in(60_000);
      while (killed.get() < 5 || complete < 5) {
        assertThat(enough.hasPassed()).as("killed " + killed + ", read " + complete).isFalse();
        BatchRead read = read(db.access, in(20_000), new Cancellation());
        if (read instanceof BatchRead.Failed failed) {
          assertThat(failed.reason()).isEqualTo(IncompleteReason.TARGET_READ_FAILED);
          assertThat(failed.detail()).contains("in 3 attempts");
        } else {
          assertAllFound(read);
          complete++;
        }
      }
    } finally {
      done.set(true);
      killer.join();
    }
    assertAllFound(read(db.access, in(20_000), new Cancellation()));
  }

  private static void terminate(AtomicBoolean done, AtomicInteger killed) {
    try (Connection connection = db.server.connect("postgres");
        Statement statement = connection.createStatement()) {
      while (!done.get()) {
        try (ResultSet rows =
            statement.executeQuery(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    + " WHERE application_name = 'walproof' AND state <> 'idle'")) {
          rows.next();
          killed.addAndGet(rows.getInt(1));
        }
        statement.execute("SELECT pg_sleep(0.2)");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The server bounds each statement, and a batch of wide rows is many. */
  @Test
  void theDeadlineBoundsABatchOfManyStatements() throws Exception {
    db.onSource(
        "CREATE TABLE wide (id int PRIMARY KEY, v text)",
        "INSERT INTO wide SELECT g, repeat('x', 100) FROM generate_series(1, 20000) AS g");
    db.onTarget("CREATE TABLE wide (id int PRIMARY KEY, v text)");
    RowSettings narrow = new RowSettings("app_pk", Map.of(), 1, ColumnSettings.NONE);
    RowAccess access = RowAccesses.create(db.source, db.target, narrow, Time.system());
    Opening.Ready opened =
        (Opening.Ready)
            access.open(
                TableId.parse("public.wide"), List.of("id"), in(20_000), new Cancellation());
    List<RowKey> all =
        IntStream.rangeClosed(1, 20_000)
            .mapToObj(i -> new RowKey(List.of(new RowKey.Column("id", Integer.toString(i)))))
            .toList();
    // One statement tells how wide a row is; from then on each key has its own.
    access.read(Side.SOURCE, opened.plan(), all.subList(0, 1), in(20_000), new Cancellation());
    assertFailed(
        access.read(Side.SOURCE, opened.plan(), all, in(100), new Cancellation()),
        IncompleteReason.TABLE_TIMEOUT,
        "");
  }

  /** O11: time limits of the role's own do not reach our transactions, or are named. */
  @Test
  void timeLimitsOfTheRole() throws Exception {
    db.onSource(
        "ALTER ROLE limited SET idle_in_transaction_session_timeout = '1s'",
        "ALTER ROLE limited SET statement_timeout = '1ms'",
        "ALTER ROLE limited SET lock_timeout = '200ms'");
    try (Database limited = db.open(Side.TARGET, "limited", "")) {
      RowAccess access =
          RowAccesses.create(db.source, limited, RowSettings.defaults(), Time.system());
      assertAllFound(read(access, in(20_000), new Cancellation()));
      try (Connection locker = db.server.connect("there");
          Statement statement = locker.createStatement()) {
        locker.setAutoCommit(false);
        statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
        assertFailed(
            read(access, in(20_000), new Cancellation()),
            IncompleteReason.TARGET_READ_FAILED,
            "lock_timeout");
        locker.rollback();
      }
      assertAllFound(read(access, in(20_000), new Cancellation()));
    } finally {
      db.onSource("ALTER ROLE limited RESET ALL");
    }
  }

  @Test
  void theDeadlineBoundsAStatement() throws Exception {
    try (Connection locker = db.server.connect("there");
        Statement statement = locker.createStatement()) {
      locker.setAutoCommit(false);
      statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
      long began = Time.system().nanoTime();
      assertFailed(
          read(db.access, in(700), new Cancellation()), IncompleteReason.TABLE_TIMEOUT, "57014");
      assertThat(Duration.ofNanos(Time.system().nanoTime() - began))
          .isBetween(Duration.ofMillis(690), ENDS);
      locker.rollback();
    }
    assertFailed(
        read(db.access, in(0), new Cancellation()), IncompleteReason.TABLE_TIMEOUT, "no time");
  }

  @Test
  void aCancellationStopsARunningStatement() throws Exception {
    try (Connection locker = db.server.connect("there");
        Statement statement = locker.createStatement()) {
      locker.setAutoCommit(false);
      statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
      Cancellation cancel = new Cancellation();
      Thread canceller =
          new Thread(
              () -> {
                Awaitility.await().atMost(ENDS).until(RowFaultIT::somebodyWaitsForALock);
                cancel.cancel();
              });
      canceller.start();
      long began = Time.system().nanoTime();
      assertFailed(read(db.access, in(300_000), cancel), IncompleteReason.CANCELLED, "cancelled");
      assertThat(Duration.ofNanos(Time.system().nanoTime() - began)).isLessThan(ENDS);
      canceller.join();
      locker.rollback();
      assertFailed(read(db.access, in(1_000), cancel), IncompleteReason.CANCELLED, "cancelled");
    }
  }

  private static boolean somebodyWaitsForALock() throws SQLException {
    try (Connection connection = db.server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = 'walproof' AND"
                    + " wait_event_type = 'Lock'")) {
      return rows.next();
    }
  }

  @Test
  void aServerThatIsAwayFailsTheReadAndComesBack() throws Exception {
    db.server.stop();
    try {
      long began = Time.system().nanoTime();
      BatchRead read = read(db.access, in(2_000), new Cancellation());
      assertFailed(read, IncompleteReason.TABLE_TIMEOUT, "");
      assertThat(Duration.ofNanos(Time.system().nanoTime() - began)).isLessThan(ENDS);
    } finally {
      db.server.start();
    }
    assertAllFound(read(db.access, in(20_000), new Cancellation()));
  }

  /** Until it is committed, what a prepared transaction did is neither seen nor taken for seen. */
  @Test
  void aPreparedTransactionIsNotSeenBeforeItsCommit() throws Exception {
    db.onBoth(
        "CREATE TABLE prepared (id int PRIMARY KEY, v text)",
        "INSERT INTO prepared VALUES (1, 'old')");
    TablePlan prepared = db.plan("public.prepared", "id");
    KeyRead.Found before = (KeyRead.Found) db.read(Side.SOURCE, prepared, "1").get(0);
    long transaction;
    try (Connection connection = db.server.connect("here");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("UPDATE prepared SET v = 'new'");
      statement.execute("INSERT INTO prepared VALUES (2, 'new')");
      try (ResultSet rows = statement.executeQuery("SELECT pg_current_xact_id()")) {
        rows.next();
        transaction = rows.getLong(1);
      }
      statement.execute("PREPARE TRANSACTION 'half'");
    }
    BatchRead.Rows half = readPrepared(prepared);
    assertThat(((KeyRead.Found) half.rows().get(0)).hash()).isEqualTo(before.hash());
    assertThat(half.rows().get(1)).isInstanceOf(KeyRead.NotFound.class);
    assertThat(half.visible().orElseThrow().shows(transaction)).isFalse();
    db.onSource("COMMIT PREPARED 'half'");
    BatchRead.Rows whole = readPrepared(prepared);
    assertThat(((KeyRead.Found) whole.rows().get(0)).hash()).isNotEqualTo(before.hash());
    assertThat(whole.rows().get(1)).isInstanceOf(KeyRead.Found.class);
    assertThat(whole.visible().orElseThrow().shows(transaction)).isTrue();
  }

  /** Their rows are in the WAL, where an applier takes them from, and no query sees them. */
  @Test
  void commitsThatWaitForAStandbyAreKnown() throws Exception {
    db.onSource("CREATE TABLE held (id int PRIMARY KEY)", "GRANT SELECT ON held TO limited");
    db.onTarget("CREATE TABLE held (id int PRIMARY KEY)");
    TablePlan held = db.plan("public.held", "id");
    Database limited = db.open(Side.SOURCE, "limited", "");
    RowAccess unprivileged =
        RowAccesses.create(limited, db.target, RowSettings.defaults(), Time.system());
    List<Thread> waiting = new ArrayList<>();
    try (Connection open = db.server.connect("here");
        Statement statement = open.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("INSERT INTO held VALUES (3)");
      statement.execute("PREPARE TRANSACTION 'held'");
      statement.execute("BEGIN");
      statement.execute("INSERT INTO held VALUES (2)");
      assertThat(held(db.access)).as("nothing waits without a standby").isEmpty();
      assertThat(held(unprivileged)).isEmpty();
      db.onSource("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", RELOAD);
      Awaitility.await().atMost(ENDS).until(() -> held(unprivileged).size() == 2);
      assertThat(held(db.access)).as("open transactions do not wait").isEmpty();
      waiting.add(commit("INSERT INTO held VALUES (1)"));
      waiting.add(commit("COMMIT PREPARED 'held'"));
      Awaitility.await().atMost(ENDS).until(() -> held(db.access).size() == 2);
      assertThat(held(unprivileged)).as("who sees no waits takes each for one").hasSize(3);
      assertThat(HeldCommits.between(look(db.access), look(db.access))).isPresent();
      assertThat(HeldCommits.between(look(unprivileged), look(unprivileged))).isPresent();
      assertThat(db.read(Side.SOURCE, held, "1", "3")).allMatch(KeyRead.NotFound.class::isInstance);
    } finally {
      db.onSource("ALTER SYSTEM RESET synchronous_standby_names", RELOAD);
      for (Thread thread : waiting) {
        thread.join(ENDS.toMillis());
      }
      limited.close();
    }
    assertThat(held(db.access)).isEmpty();
    assertThat(db.read(Side.SOURCE, held, "1", "3")).allMatch(KeyRead.Found.class::isInstance);
  }

  private static HeldCommits look(RowAccess access) {
    return access.heldCommits(in(20_000), new Cancellation());
  }

  private static Set<String> held(RowAccess access) {
    return ((HeldCommits.Known) look(access)).transactions();
  }

  private static Thread commit(String sql) {
    Thread thread =
        new Thread(
            () -> {
              try {
                db.onSource(sql);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }

  private static BatchRead.Rows readPrepared(TablePlan prepared) {
    return (BatchRead.Rows)
        db.access.read(Side.SOURCE, prepared, keys.subList(0, 2), in(20_000), new Cancellation());
  }

  /** It holds its locks without any session, for as long as nobody ends it. */
  @Test
  void theLockOfAPreparedTransactionIsWaitedForWithinBounds() throws Exception {
    try (Connection connection = db.server.connect("there");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      statement.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
      statement.execute("PREPARE TRANSACTION 'locked'");
    }
    try {
      assertFailed(
          read(db.access, in(700), new Cancellation()), IncompleteReason.TABLE_TIMEOUT, "57014");
    } finally {
      db.onTarget("ROLLBACK PREPARED 'locked'");
    }
    assertAllFound(read(db.access, in(20_000), new Cancellation()));
  }

  /** O12. */
  @Test
  void hiddenRowsAreNeverMissing() throws Exception {
    db.onBoth(
        "CREATE TABLE tenants (id int PRIMARY KEY, v text)",
        "INSERT INTO tenants VALUES (1, 'x'), (2, 'y')",
        "GRANT SELECT ON tenants TO limited");
    TableId tenants = TableId.parse("public.tenants");
    try (Database limited = db.open(Side.TARGET, "limited", "")) {
      RowAccess access =
          RowAccesses.create(db.source, limited, RowSettings.defaults(), Time.system());
      Opening before = access.open(tenants, List.of("id"), TwoDatabases.soon(), new Cancellation());
      db.onTarget(
          "ALTER TABLE tenants ENABLE ROW LEVEL SECURITY",
          "CREATE POLICY mine ON tenants USING (id = 1)");
      assertThat(access.open(tenants, List.of("id"), TwoDatabases.soon(), new Cancellation()))
          .isInstanceOfSatisfying(
              Opening.Unavailable.class,
              unavailable -> {
                assertThat(unavailable.reason()).isEqualTo(IncompleteReason.TARGET_READ_FAILED);
                assertThat(unavailable.detail()).contains("row-level security", "BYPASSRLS");
              });
      assertFailed(
          access.read(
              Side.TARGET,
              ((Opening.Ready) before).plan(),
              List.of(TwoDatabases.key(List.of("id"), "2")),
              TwoDatabases.soon(),
              new Cancellation()),
          IncompleteReason.TARGET_READ_FAILED,
          "BYPASSRLS");
    }
  }

  @Test
  void aMissingPrivilegeIsNamedWithTheRemedy() throws Exception {
    db.onBoth("CREATE TABLE closed (id int PRIMARY KEY)");
    try (Database limited = db.open(Side.SOURCE, "limited", "")) {
      RowAccess access =
          RowAccesses.create(limited, db.target, RowSettings.defaults(), Time.system());
      assertThat(
              access.open(
                  TableId.parse("public.closed"),
                  List.of("id"),
                  TwoDatabases.soon(),
                  new Cancellation()))
          .isInstanceOfSatisfying(
              Opening.Unavailable.class,
              unavailable -> {
                assertThat(unavailable.reason()).isEqualTo(IncompleteReason.SOURCE_READ_FAILED);
                assertThat(unavailable.detail())
                    .contains("GRANT SELECT ON \"public\".\"closed\" TO <role>");
              });
    }
  }

  /** O9: a schema in front of the search path, with a table and functions of the same names. */
  @Test
  void shadowsAreNotSeen() throws Exception {
    db.onTarget(
        "CREATE SCHEMA shadow",
        "CREATE TABLE shadow.t (id int PRIMARY KEY, v text)",
        "CREATE TABLE shadow.pg_class (relname text)",
        "CREATE FUNCTION shadow.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS"
            + " 'SELECT ''1''::text'",
        "CREATE FUNCTION shadow.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS"
            + " 'SELECT ''no''::text'",
        "CREATE FUNCTION shadow.never(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
        "CREATE OPERATOR shadow.= (LEFTARG = int, RIGHTARG = int, FUNCTION = shadow.never)",
        "GRANT USAGE ON SCHEMA shadow TO limited",
        "GRANT SELECT ON ALL TABLES IN SCHEMA shadow TO limited");
    db.onTarget("ALTER ROLE limited SET search_path = shadow, public, pg_catalog");
    try (Database limited = db.open(Side.TARGET, "limited", "")) {
      RowAccess access =
          RowAccesses.create(db.source, limited, RowSettings.defaults(), Time.system());
      assertThat(access.open(TABLE, List.of("id"), TwoDatabases.soon(), new Cancellation()))
          .isInstanceOf(Opening.Ready.class);
      assertAllFound(read(access, in(20_000), new Cancellation()));
    } finally {
      db.onTarget("ALTER ROLE limited RESET ALL", "DROP SCHEMA shadow CASCADE");
    }
  }

  /** O8: the type of a column changes back and forth while batches are read. */
  @Test
  void aColumnTypeThatChangesMeanwhileIsStaleOrRight() throws Exception {
    db.onBoth(
        "CREATE TABLE flips (id int PRIMARY KEY, v int)",
        "INSERT INTO flips SELECT g, g FROM generate_series(1, 500) g");
    AtomicBoolean done = new AtomicBoolean();
    Thread changer = new Thread(() -> flip(done));
    changer.start();
    int stale = 0;
    int equal = 0;
    try {
      TablePlan current = db.plan("public.flips", "id");
      Deadline enough = in(60_000);
      while (stale < 3 || equal < 3) {
        assertThat(enough.hasPassed()).as("stale " + stale + ", equal " + equal).isFalse();
        BatchRead here =
            db.access.read(
                Side.SOURCE, current, keys.subList(0, 500), in(20_000), new Cancellation());
        BatchRead there =
            db.access.read(
                Side.TARGET, current, keys.subList(0, 500), in(20_000), new Cancellation());
        if (here instanceof BatchRead.PlanStale || there instanceof BatchRead.PlanStale) {
          stale++;
          current = db.plan("public.flips", "id");
          continue;
        }
        List<KeyRead> a = TwoDatabases.rows(here);
        List<KeyRead> b = TwoDatabases.rows(there);
        for (int k = 0; k < a.size(); k++) {
          assertThat(((KeyRead.Found) a.get(k)).hash())
              .isEqualTo(((KeyRead.Found) b.get(k)).hash());
        }
        equal++;
      }
    } finally {
      done.set(true);
      changer.join();
    }
  }

  private static void flip(AtomicBoolean done) {
    try (Connection connection = db.server.connect("there");
        Statement statement = connection.createStatement()) {
      while (!done.get()) {
        statement.execute("ALTER TABLE flips ALTER v TYPE bigint");
        statement.execute("SELECT pg_sleep(0.2)");
        statement.execute("ALTER TABLE flips ALTER v TYPE int");
        statement.execute("SELECT pg_sleep(0.2)");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
