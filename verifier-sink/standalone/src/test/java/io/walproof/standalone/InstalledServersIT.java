package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.embedded.InstalledPostgres;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the embedded servers cannot show: transaction ids that come to the end of their 32 bits, and
 * servers that speak other languages. Needs a PostgreSQL that is installed on the machine.
 */
class InstalledServersIT {

  private static final long EDGE = 1L << 32;

  /** What the preparations take, and more. */
  private static final long BEFORE = 20_000;

  private static ReplicatedPair pair;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    Optional<InstalledPostgres> installed = InstalledPostgres.find();
    Assumptions.assumeTrue(
        installed.isPresent(),
        "no PostgreSQL is installed: neither a wraparound nor other languages are tried");
    pair =
        ReplicatedPair.start(
            installed.get().server(),
            installed.get().server().setting("wal_retrieve_retry_interval", "500ms"));
    installed.get().age(pair.source(), EDGE - BEFORE);
    installed.get().age(pair.target(), EDGE - BEFORE);
    pair.onBoth(
        "CREATE TABLE arriving (id int PRIMARY KEY, v text)",
        "CREATE TABLE lost (id int PRIMARY KEY, v text)",
        "CREATE TABLE hot (id int PRIMARY KEY, n bigint)",
        "CREATE TABLE behind (id int PRIMARY KEY, n bigint)",
        "INSERT INTO behind VALUES (1, 0)");
    pair.onSource("INSERT INTO hot VALUES (1, 0)", "CREATE PUBLICATION pipeline FOR ALL TABLES");
    pair.onTarget(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER lose BEFORE INSERT ON lost FOR EACH ROW EXECUTE FUNCTION lose()",
        "ALTER TABLE lost ENABLE REPLICA TRIGGER lose",
        "CREATE FUNCTION lag() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN NEW.n := NEW.n - 8; RETURN NEW; END'",
        "CREATE TRIGGER lag BEFORE UPDATE ON behind FOR EACH ROW EXECUTE FUNCTION lag()",
        "ALTER TABLE behind ENABLE REPLICA TRIGGER lag",
        "CREATE SUBSCRIPTION pipeline CONNECTION '"
            + pair.connectionInfo()
            + "' PUBLICATION pipeline WITH (copy_data = false)",
        "INSERT INTO hot VALUES (1, 0)");
    pair.awaitApplied();
  }

  @AfterAll
  static void stop() throws Exception {
    if (pair != null) {
      pair.close();
    }
  }

  private static long next(PostgresServer server) throws SQLException {
    return Long.parseLong(JoinedPair.ask(server, "SELECT pg_snapshot_xmax(pg_current_snapshot())"));
  }

  /** Takes transaction ids until the next one is this. */
  private static void spend(PostgresServer server, long to) throws SQLException {
    server.execute(
        ReplicatedPair.DATABASE,
        "DO $$ BEGIN FOR i IN 1.."
            + (to - next(server))
            + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
  }

  /** Changes, snapshots, rows and versions on both sides of the end, and one transaction across. */
  @Test
  void verdictsAreRightWhileTransactionIdsWrapAround() throws Exception {
    Map<String, String> settings = ObservedRun.settings(pair, directory, "wrap");
    settings.put("verify.versions.max.bytes", "16777216");
    settings.put("verify.settle.ms", "50");
    settings.put("verify.recheck.delay.ms", "200");
    settings.put("verify.replay.timeout.ms", "30000");
    int rounds = 150;
    try (ObservedRun run = ObservedRun.start(settings)) {
      pair.onTarget("INSERT INTO arriving VALUES (-1, 'only here, from before')");
      // Each round takes four on the source, and replay's marks some more.
      spend(pair.source(), EDGE - 300);
      spend(pair.target(), EDGE - 300);
      assertThat(next(pair.source())).isLessThan(EDGE);
      try (Connection across = pair.source().connect(ReplicatedPair.DATABASE);
          Statement statement = across.createStatement();
          Connection writer = pair.source().connect(ReplicatedPair.DATABASE);
          Statement writes = writer.createStatement()) {
        across.setAutoCommit(false);
        statement.execute("INSERT INTO arriving VALUES (0, 'across')");
        statement.execute("INSERT INTO lost VALUES (0, 'across')");
        for (int i = 1; i <= rounds; i++) {
          writes.execute("INSERT INTO arriving VALUES (" + i + ", 'x')");
          writes.execute("INSERT INTO lost VALUES (" + i + ", 'x')");
          writes.execute("UPDATE hot SET n = n + 1");
          writes.execute("UPDATE behind SET n = n + 1");
          if (next(pair.target()) < EDGE) {
            // Its transactions are the applier's, so that it keeps step.
            Time.system().sleep(Duration.ofMillis(10));
          }
        }
        across.commit();
      }
      pair.awaitApplied();
      assertThat(next(pair.source())).as("the source's next").isGreaterThan(EDGE);
      assertThat(next(pair.target())).as("the target's next").isGreaterThan(EDGE);
      run.awaitSettled("arriving", rounds + 1);
      run.awaitSettled("lost", rounds + 1);

      assertThat(run.unresolved()).noneMatch(d -> d.table().equals(ObservedRun.table("arriving")));
      assertThat(run.unresolved()).noneMatch(d -> d.table().equals(ObservedRun.table("hot")));
      assertThat(run.coverage("arriving").incomplete()).isZero();
      List<Decision> lost = run.decisions("lost");
      assertThat(lost.stream().map(d -> d.key().texts().get(0)).distinct()).hasSize(rounds + 1);
      assertThat(lost).allMatch(d -> kind(d).equals("missing"));
      assertThat(lost)
          .as("rows from before and from after")
          .anyMatch(d -> writer(d) > EDGE / 2)
          .anyMatch(d -> writer(d) < EDGE / 2);
      // The source's row changes and the target's moves with it: only versions tell that it is
      // wrong.
      assertThat(run.decisions("behind"))
          .as("a row that stays eight updates behind")
          .anyMatch(d -> d.sourceChanged() && List.of("stale", "different").contains(kind(d)));
      Coverage total = run.end();
      assertThat(total.incomplete()).isZero();
      System.out.println("wraparound: " + total.outcomes());
    }
    pair.onTarget(
        "INSERT INTO arriving VALUES (-2, 'only here, from after')",
        "UPDATE arriving SET v = 'changed here' WHERE id = 0");
    JsonNode range = verifyRange(settings, "public.arriving");
    assertThat(range.path("target_only").path("count").asInt()).isEqualTo(2);
    assertThat(range.path("keys").path("unresolved_different").path("count").asInt()).isEqualTo(1);
    assertThat(range.path("coverage").path("rows").asInt()).isEqualTo(rounds + 1);
  }

  private static String kind(Decision decision) {
    return decision.verdict() instanceof Verdict.Unresolved unresolved
        ? unresolved.kind().text()
        : decision.verdict().toString();
  }

  /** The 32 bits of the transaction that wrote the source's row. */
  private static long writer(Decision decision) {
    return ((RowSnapshot.Present) decision.source().orElseThrow()).xmin();
  }

  private static JsonNode verifyRange(Map<String, String> settings, String table) throws Exception {
    ObservedRun.Printed printed =
        ObservedRun.command(
            "verify-range",
            "--config",
            ObservedRun.configuration(settings).toString(),
            "--table",
            table,
            "--json");
    return JsonMapper.builder().build().readTree(printed.out()).path("tables").path(0);
  }

  /** A mistake in settings or roles, and everything that is printed about it. */
  private Map<String, String> refusals() throws Exception {
    Map<String, WrongInput.Mistake> mistakes = new LinkedHashMap<>();
    mistakes.put("source password", WrongInput.setting("database.user", "locked"));
    mistakes.put("target password", WrongInput.setting("verify.target.user", "locked"));
    mistakes.put("source database", WrongInput.setting("database.dbname", "nowhere"));
    mistakes.put(
        "target database",
        WrongInput.setting("verify.target.jdbc.url", pair.target().jdbcUrl("nowhere")));
    mistakes.put("no replication", WrongInput.setting("database.user", "plain"));
    mistakes.put("no right to publish", WrongInput.setting("database.user", "blind"));
    mistakes.put(
        "no table", WrongInput.setting("table.include.list", "public\\.told,public\\.nothing"));
    mistakes.put("no publication", WrongInput.setting("publication.autocreate.mode", "disabled"));
    mistakes.put(
        "no marker table",
        operated ->
            operated
                .with("verify.replay.confirmation", "marker_table")
                .with("verify.marker.table", "public.nothing"));
    mistakes.put("slot of another kind", WrongInput.setting("slot.name", "physical"));
    Map<String, String> told = new LinkedHashMap<>();
    for (Map.Entry<String, WrongInput.Mistake> mistake : mistakes.entrySet()) {
      Operated operated = operated("told");
      mistake.getValue().make(operated);
      Operated.Outcome end = operated.run("--until-idle", "100ms");
      Operated.Outcome preflight =
          Operated.command("preflight", "--config", operated.config().toString());
      told.put(
          mistake.getKey(),
          anonymous(end.status() + "\n" + end.out() + end.err())
              + anonymous(preflight.status() + "\n" + preflight.out() + preflight.err()));
      operated("told").forget();
    }
    return told;
  }

  private Operated operated(String tables) throws Exception {
    Path own = Files.createTempDirectory(directory, "run");
    return new Operated(pair, own, "told", "public\\." + tables)
        .with("verify.connect.timeout.ms", "2000")
        .with("retriable.restart.connector.wait.ms", "500")
        .with("verify.replay.timeout.ms", "30000");
  }

  /** Without places, times and numbers. */
  private static String anonymous(String printed) {
    return printed.replaceAll("/\\S*/run\\d+", "DIR").replaceAll("[0-9A-F]+/[0-9A-F]+|\\d+", "#");
  }

  /** A run that resumes without its slot, and one whose stream and reads are ended by others. */
  private Map<String, String> faults() throws Exception {
    Map<String, String> told = new LinkedHashMap<>();
    Operated operated = operated("told").with("slot.name", "told_gap");
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
    operated.forget();
    Operated.Outcome gap = operated.run("--until-idle", "100ms");
    told.put("slot gone", anonymous(gap.status() + gap.err()));

    Operated denied = operated("told").with("verify.target.user", "plain");
    try (ObservedRun run = ObservedRun.start(denied.settings)) {
      pair.onSource("INSERT INTO told VALUES (1, 'x')");
      Decision decision = run.awaitDecision("told", "1");
      told.put("no right to read", anonymous(decision.verdict() + " " + decision.detail()));
      run.end();
    } finally {
      denied.forget();
    }

    Operated running = operated("told.*").with("verify.read.timeout.ms", "1500");
    try (ObservedRun run = ObservedRun.start(running.settings)) {
      pair.onSource("INSERT INTO told VALUES (5, 'x')");
      run.awaitSettled("told", 1);
      pair.onBoth("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE" + OURS);
      pair.onSource("INSERT INTO told VALUES (2, 'x'), (3, 'x')");
      run.awaitSettled("told", 3);
      told.put("backends ended", run.coverage("told").outcomes().toString());
      // Of the plan that the session has prepared.
      pair.onBoth("ALTER TABLE told ALTER v TYPE varchar(10)");
      pair.onSource("INSERT INTO told VALUES (4, 'x')");
      run.awaitSettled("told", 4);
      told.put("type changed", run.coverage("told").outcomes().toString());
      try (Connection locker = pair.target().connect(ReplicatedPair.DATABASE);
          Statement lock = locker.createStatement()) {
        locker.setAutoCommit(false);
        lock.execute("LOCK TABLE told_away IN ACCESS EXCLUSIVE MODE");
        pair.onSource("INSERT INTO told_away VALUES (2, 'x')");
        Decision locked = run.awaitDecision("told_away", "2");
        told.put("table locked", anonymous(locked.verdict() + " " + locked.detail()));
        locker.rollback();
      }
      pair.awaitApplied();
      pair.onTarget("ALTER TABLE told_away RENAME TO told_gone");
      pair.onSource("INSERT INTO told_away VALUES (1, 'x')");
      Decision away = run.awaitDecision("told_away", "1");
      told.put("table gone", anonymous(away.verdict() + " " + away.detail()));
      pair.onTarget("ALTER TABLE told_gone RENAME TO told_away");
      run.end();
    } finally {
      running.forget();
      pair.onBoth("TRUNCATE told, told_away", "ALTER TABLE told ALTER v TYPE text");
    }
    return told;
  }

  private static final String OURS =
      " pid <> pg_backend_pid() AND (application_name = 'walproof' OR query LIKE '%told%')";

  private static void speak(String locale, String divisionByZero) throws Exception {
    for (PostgresServer server : List.of(pair.source(), pair.target())) {
      InstalledPostgres.speak(server, locale);
      Operated.until(
          "messages in " + locale, () -> JoinedPair.ask(server, "SHOW lc_messages").equals(locale));
      assertThatThrownBy(() -> server.execute(ReplicatedPair.DATABASE, "SELECT 1/0"))
          .hasMessageContaining(divisionByZero);
    }
  }

  private static boolean canSpeak(String locale) {
    try {
      pair.onBoth("SET lc_messages = '" + locale + "'");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Errors are told apart by SQLState, so that their language changes no word of ours. */
  @Test
  void messagesInOtherLanguagesChangeNothing() throws Exception {
    Assumptions.assumeTrue(
        canSpeak("de_DE.UTF-8") && canSpeak("ja_JP.UTF-8"),
        "no locale de_DE.UTF-8 or ja_JP.UTF-8 is installed: servers are not tried in them");
    pair.onBoth(
        "CREATE TABLE told (id int PRIMARY KEY, v text)",
        "CREATE TABLE told_away (id int PRIMARY KEY, v text)",
        "CREATE ROLE locked LOGIN REPLICATION PASSWORD 'another'",
        "CREATE ROLE plain LOGIN",
        "CREATE ROLE blind LOGIN REPLICATION");
    pair.refresh();
    pair.onSource("SELECT pg_create_physical_replication_slot('physical')");
    for (PostgresServer server : List.of(pair.source(), pair.target())) {
      Path hba = server.dataDirectory().resolve("pg_hba.conf");
      Files.writeString(
          hba, "host all locked 127.0.0.1/32 scram-sha-256\n" + Files.readString(hba));
      server.execute("postgres", "SELECT pg_reload_conf()");
      Operated.until(
          "the new pg_hba.conf",
          () -> {
            try {
              server.connect(ReplicatedPair.DATABASE, "locked", "x").close();
              return false;
            } catch (SQLException e) {
              return "28P01".equals(e.getSQLState());
            }
          });
    }
    speak("C", "division by zero");
    Map<String, String> refusals = refusals();
    assertThat(refusals.values()).noneMatch(told -> told.startsWith("0"));
    Map<String, String> faults = faults();
    speak("de_DE.UTF-8", "Division durch Null");
    assertThat(refusals()).isEqualTo(refusals);
    assertThat(faults()).isEqualTo(faults);
    speak("ja_JP.UTF-8", "0 による除算");
    assertThat(refusals()).isEqualTo(refusals);
    assertThat(faults()).isEqualTo(faults);
    faults.forEach((name, told) -> System.out.println("languages: " + name + ": " + told));
  }
}
