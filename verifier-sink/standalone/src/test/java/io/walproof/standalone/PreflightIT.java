package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each of 37 faults is named with its way out, beside what is well; and nothing is left behind. Two
 * more, a clock that is wrong and a pooler, are in {@code PairFindingsIT}.
 */
class PreflightIT extends WrongInputCase {

  private static final String OK = "ok";
  private static final String WARNING = "warning";
  private static final String FAILURE = "failure";

  /** A fault, and what must be said of it under which check. */
  private record Fault(
      String name, WrongInput.Mistake mistake, String check, String grade, List<String> told) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Fault fault(
      String name, WrongInput.Mistake mistake, String check, String grade, String... told) {
    return new Fault(name, mistake, check, grade, List.of(told));
  }

  /** Tables that the applier need not carry, so that their two sides may differ in shape. */
  private static WrongInput.Mistake include(String table, String... onSourceThenTarget) {
    return operated -> {
      operated.with("table.include.list", "apart\\." + table);
      if (onSourceThenTarget.length > 0) {
        operated.pair.onSource(onSourceThenTarget[0]);
      }
      if (onSourceThenTarget.length > 1) {
        operated.pair.onTarget(onSourceThenTarget[1]);
      }
    };
  }

  @BeforeAll
  static void createTablesAndRoles() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("pre_well");
    pair.onBoth("CREATE ROLE pre_plain LOGIN", "CREATE ROLE pre_blind LOGIN");
    pair.onSource("GRANT SELECT ON public.pre_well TO pre_plain");
  }

  @AfterAll
  static void dropRoles() throws Exception {
    JoinedPair.get().onSource("REVOKE SELECT ON public.pre_well FROM pre_plain");
    JoinedPair.get()
        .onBoth("DROP OWNED BY pre_blind", "DROP ROLE pre_plain", "DROP ROLE pre_blind");
  }

  private JsonNode preflight() throws Exception {
    Operated.Outcome end =
        Operated.command("preflight", "--config", operated.config().toString(), "--json");
    operated.assertNoSecret(end.out(), end.err());
    JsonNode report = JsonMapper.builder().build().readTree(end.out());
    assertThat(end.status()).isEqualTo(report.path("failed").asInt() > 0 ? 1 : 0);
    return report;
  }

  private static List<String> texts(JsonNode report, String check, String grade) {
    Stream.Builder<String> texts = Stream.builder();
    for (JsonNode finding : report.path("findings")) {
      if (finding.path("check").asText().equals(check)
          && finding.path("grade").asText().equals(grade)) {
        assertThat(finding.path("why").asText()).isNotBlank();
        texts.add(finding.path("text").asText());
      }
    }
    return texts.build().toList();
  }

  @Test
  void aHealthyPairPassesAndNothingIsLeftBehind() throws Exception {
    operated.with("table.include.list", "public\\.pre_well");
    JsonNode report = preflight();
    assertThat(report.path("failed").asInt()).as(report.toPrettyString()).isZero();
    assertThat(report.path("warnings").asInt()).as(report.toPrettyString()).isZero();
    assertThat(texts(report, "publication", OK).get(0))
        .contains("the start will run: CREATE PUBLICATION");
    assertThat(texts(report, "slot", OK).get(0)).contains("will create slot.name 'wrong'");
    assertThat(texts(report, "replay confirmation", OK).get(0))
        .startsWith("subscription: the target passed a marker after ");
    assertThat(texts(report, "poolers", OK)).hasSize(2);
    assertThat(texts(report, "clocks", OK)).hasSize(2);
    assertThat(texts(report, "synchronous standbys", OK)).hasSize(1);
    assertThat(operated.askSource("SELECT count(*) FROM pg_publication WHERE pubname = 'wrong'"))
        .isEqualTo("0");
    assertThat(
            operated.askSource(
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = 'wrong'"))
        .isEqualTo("0");
    assertThat(operated.state).doesNotExist();

    // What it promised is what a run does, after which there is nothing left to do.
    assertThat(operated.run("--until-idle", "100ms").status()).isZero();
    JsonNode after = preflight();
    assertThat(after.path("failed").asInt()).as(after.toPrettyString()).isZero();
    assertThat(texts(after, "publication", OK).get(0)).contains("carries every included table");
    assertThat(texts(after, "slot", OK).get(0)).contains("exists and is free");
  }

  @Test
  void forPeopleEachLineHasItsReason() throws Exception {
    operated.with("table.include.list", "public\\.pre_well").with("heartbeat.interval.ms", "0");
    Operated.Outcome end = Operated.command("preflight", "--config", operated.config().toString());
    assertThat(end.status()).isZero();
    assertThat(end.out())
        .contains("warning  settings")
        .contains("why: limits that contradict each other")
        .contains("0 failed, 1 warnings, ");
    assertThat(end.err()).contains("waiting for the target to pass a marker");
  }

  static Stream<Fault> faults() {
    return Stream.of(
        fault(
            "source refuses connections",
            WrongInput.setting("database.port", "1"),
            "source connection",
            FAILURE,
            "database.port"),
        fault(
            "target host unknown",
            WrongInput.setting("verify.target.jdbc.url", "jdbc:postgresql://nowhere.invalid/app"),
            "target connection",
            FAILURE,
            "nowhere.invalid",
            "verify.target.jdbc.url"),
        fault(
            "damaged position",
            operated -> {
              Files.createDirectories(operated.state);
              Files.writeString(operated.state.resolve("offsets.json"), "{broken");
            },
            "state.dir",
            FAILURE,
            "offsets.json is damaged",
            "move it away"),
        fault(
            "role without REPLICATION",
            WrongInput.setting("database.user", "pre_plain"),
            "source server",
            FAILURE,
            "ALTER ROLE \"pre_plain\" REPLICATION"),
        fault(
            "missing table",
            WrongInput.setting("table.include.list", "public\\.nothing"),
            "source tables",
            FAILURE,
            "table.include.list"),
        fault(
            "publication missing and not ours to create",
            WrongInput.setting("publication.autocreate.mode", "disabled"),
            "publication",
            FAILURE,
            "CREATE PUBLICATION \"wrong\" FOR TABLE \"public\".\"pre_well\""),
        fault(
            "publication with a row filter",
            operated ->
                operated.pair.onSource(
                    "CREATE PUBLICATION wrong FOR TABLE public.pre_well WHERE (id > 5)"),
            "publication",
            WARNING,
            "filters rows of public.pre_well"),
        fault(
            "publication with a column list",
            operated ->
                operated.pair.onSource("CREATE PUBLICATION wrong FOR TABLE public.pre_well (id)"),
            "publication",
            WARNING,
            "lists columns of public.pre_well"),
        fault(
            "slot of another plugin",
            operated ->
                operated.pair.onSource("SELECT pg_create_physical_replication_slot('wrong')"),
            "slot",
            FAILURE,
            "choose another slot.name"),
        fault(
            "source and target are one",
            operated ->
                operated.with(
                    "verify.target.jdbc.url",
                    operated.pair.source().jdbcUrl(ReplicatedPair.DATABASE)),
            "two databases",
            FAILURE,
            "verify.target.jdbc.url"),
        fault(
            "target table missing",
            include("pre_gone", "CREATE TABLE apart.pre_gone (id int PRIMARY KEY)"),
            "table comparison",
            FAILURE,
            "the target has no table apart.pre_gone",
            "pg_dump --schema-only --table='\"apart\".\"pre_gone\"'"),
        fault(
            "target column missing",
            include(
                "pre_narrow",
                "CREATE TABLE apart.pre_narrow (id int PRIMARY KEY, v text)",
                "CREATE TABLE apart.pre_narrow (id int PRIMARY KEY)"),
            "table comparison",
            FAILURE,
            "ALTER TABLE \"apart\".\"pre_narrow\" ADD COLUMN \"v\" text"),
        fault(
            "types without a rule",
            include(
                "pre_types",
                "CREATE TABLE apart.pre_types (id int PRIMARY KEY, v point)",
                "CREATE TABLE apart.pre_types (id int PRIMARY KEY, v text)"),
            "table comparison",
            WARNING,
            "apart.pre_types: not compared: v: point",
            "verify.columns.exclude"),
        fault(
            "table without a key",
            include(
                "pre_keyless",
                "CREATE TABLE apart.pre_keyless (id int);"
                    + "ALTER TABLE apart.pre_keyless REPLICA IDENTITY FULL",
                "CREATE TABLE apart.pre_keyless (id int)"),
            "keys",
            WARNING,
            "without a primary key",
            "ALTER TABLE \"apart\".\"pre_keyless\" ADD PRIMARY KEY"),
        fault(
            "target without an index over the key",
            include(
                "pre_scan",
                "CREATE TABLE apart.pre_scan (a int, b int, PRIMARY KEY (a, b))",
                "CREATE TABLE apart.pre_scan (a int, b int);"
                    + "CREATE INDEX ON apart.pre_scan (b)"),
            "key lookups",
            WARNING,
            "CREATE UNIQUE INDEX CONCURRENTLY ON \"apart\".\"pre_scan\" (\"a\", \"b\")"),
        fault(
            "no SELECT on the target",
            WrongInput.setting("verify.target.user", "pre_blind"),
            "table comparison",
            FAILURE,
            "SELECT ON \"public\".\"pre_well\" TO"),
        fault(
            "row-level security on the target",
            operated ->
                include(
                        "pre_rls",
                        "CREATE TABLE apart.pre_rls (id int PRIMARY KEY)",
                        "CREATE TABLE apart.pre_rls (id int PRIMARY KEY);"
                            + "ALTER TABLE apart.pre_rls ENABLE ROW LEVEL SECURITY;"
                            + "GRANT USAGE ON SCHEMA apart TO pre_blind;"
                            + "GRANT SELECT ON apart.pre_rls TO pre_blind")
                    .make(operated.with("verify.target.user", "pre_blind")),
            "table comparison",
            FAILURE,
            "row-level security hides rows of apart.pre_rls",
            "ALTER ROLE",
            "BYPASSRLS"),
        fault(
            "applier stopped",
            operated -> operated.pair.pauseApplier(),
            "replay confirmation",
            FAILURE,
            "has not passed a marker",
            "disabled",
            "Start the applier"),
        fault(
            "no such subscription",
            WrongInput.setting("verify.replay.subscription", "nothing"),
            "replay confirmation",
            FAILURE,
            "verify.replay.confirmation"),
        fault(
            "table that the applier does not carry",
            operated -> {
              operated.pair.onBoth("CREATE TABLE apart.pre_apart (id int PRIMARY KEY)");
              operated.with("table.include.list", "apart\\.pre_apart");
            },
            "replay confirmation",
            FAILURE,
            "apart.pre_apart",
            "table.exclude.list"),
        fault(
            "nothing confirms",
            WrongInput.setting("verify.replay.confirmation", "none"),
            "replay confirmation",
            WARNING,
            "while no applier is running",
            "verify.replay.confirmation"),
        fault(
            "a table's time is shorter than the wait",
            WrongInput.setting("verify.table.timeout.ms", "1000"),
            "settings",
            WARNING,
            "verify.replay.timeout.ms=2000",
            "make it longer"),
        fault(
            "fewer pending keys than a batch",
            WrongInput.setting("verify.pending.max", "100"),
            "settings",
            WARNING,
            "verify.batch.rows=5000",
            "raise the former"),
        fault(
            "a table's time is shorter than one read",
            WrongInput.setting("verify.table.timeout.ms", "5000"),
            "settings",
            WARNING,
            "verify.read.timeout.ms",
            "swap the two"),
        fault(
            "no heartbeats",
            WrongInput.setting("heartbeat.interval.ms", "0"),
            "settings",
            WARNING,
            "heartbeat.interval.ms=0",
            "set it to 10000"),
        fault(
            "a column that is not there is excluded",
            WrongInput.setting("verify.columns.exclude", "public.pre_well.nothing"),
            "settings",
            FAILURE,
            "verify.columns.exclude",
            "nothing"),
        fault(
            "source database unknown",
            WrongInput.setting("database.dbname", "nowhere"),
            "source connection",
            FAILURE,
            "nowhere",
            "database.dbname"),
        fault(
            "target role unknown",
            WrongInput.setting("verify.target.user", "pre_nobody"),
            "target connection",
            FAILURE,
            "verify.target.user"),
        fault(
            "no SELECT on the source",
            WrongInput.setting("verify.source.user", "pre_blind"),
            "table comparison",
            FAILURE,
            "SELECT ON \"public\".\"pre_well\" TO"),
        fault(
            "publication without the table",
            operated -> {
              operated.pair.onSource(
                  "CREATE TABLE apart.pre_other (id int PRIMARY KEY)",
                  "CREATE PUBLICATION wrong FOR TABLE apart.pre_other");
              operated.with("publication.autocreate.mode", "disabled");
            },
            "publication",
            FAILURE,
            "ALTER PUBLICATION \"wrong\" ADD TABLE \"public\".\"pre_well\""),
        fault(
            "publication without updates",
            operated ->
                operated.pair.onSource(
                    "CREATE PUBLICATION wrong FOR TABLE public.pre_well"
                        + " WITH (publish = 'insert, delete')"),
            "publication",
            FAILURE,
            "SET (publish = 'insert, update, delete, truncate')"),
        fault(
            "marker table missing",
            operated ->
                operated
                    .with("verify.replay.confirmation", "marker_table")
                    .with("verify.marker.table", "public.pre_marker"),
            "replay confirmation",
            FAILURE,
            "public.pre_marker",
            "CREATE TABLE"));
  }

  @ParameterizedTest
  @MethodSource
  void faults(Fault fault) throws Exception {
    operated
        .with("table.include.list", "public\\.pre_well")
        .with("verify.connect.timeout.ms", "1000")
        .with("verify.replay.timeout.ms", "2000");
    fault.mistake().make(operated);
    try {
      JsonNode report = preflight();
      List<String> texts = texts(report, fault.check(), fault.grade());
      assertThat(texts).as(report.toPrettyString()).isNotEmpty();
      assertThat(String.join("\n", texts)).contains(fault.told());
    } finally {
      operated.pair.resumeApplier();
    }
  }

  @Test
  void aServerThatIsFullOrKeepsLittleOrSpeaksAnotherEncoding() throws Exception {
    try (PostgresServer server =
        PostgresServer.builder()
            .setting("max_replication_slots", "1")
            .setting("max_slot_wal_keep_size", "64MB")
            .start()) {
      server.execute(
          "postgres",
          "CREATE TABLE public.pre_well (id bigint PRIMARY KEY, v text)",
          "SELECT pg_create_physical_replication_slot('other')",
          "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
      server.execute("latin", "CREATE TABLE public.pre_well (id bigint PRIMARY KEY, v text)");
      operated
          .with("table.include.list", "public\\.pre_well")
          .with("database.port", Integer.toString(server.port()))
          .with("database.dbname", "postgres")
          .with("verify.target.jdbc.url", server.jdbcUrl("latin"))
          .with("verify.replay.confirmation", "none");
      JsonNode report = preflight();
      assertThat(texts(report, "source capacity", FAILURE).get(0))
          .contains("all 1 replication slots are in use")
          .contains("max_replication_slots");
      assertThat(texts(report, "WAL kept by slots", WARNING).get(0))
          .contains("max_slot_wal_keep_size is 64MB")
          .contains("ALTER SYSTEM SET max_slot_wal_keep_size");
      assertThat(texts(report, "encodings", WARNING).get(0)).contains("LATIN1", "ENCODING 'UTF8'");
      assertThat(texts(report, "collations", WARNING).get(0))
          .contains("C.UTF-8", "LOCALE", "COLLATE \"C\"");
    }
  }

  @Test
  void aServerWithoutLogicalDecoding() throws Exception {
    try (PostgresServer server = PostgresServer.builder().setting("wal_level", "replica").start()) {
      server.execute("postgres", "CREATE TABLE public.pre_well (id bigint PRIMARY KEY, v text)");
      operated
          .with("table.include.list", "public\\.pre_well")
          .with("database.port", Integer.toString(server.port()))
          .with("database.dbname", "postgres")
          .with("verify.replay.confirmation", "none");
      assertThat(texts(preflight(), "source server", FAILURE).get(0))
          .contains("ALTER SYSTEM SET wal_level = 'logical'");
    }
  }
}
