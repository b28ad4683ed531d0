package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.TableId;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.ObservedRun.Printed;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.RunStart;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline that renames schema, table, key and columns, in commit order: triggers on the target
 * carry on what the subscription brings, in its transactions.
 */
class RenamedIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final TableId ORDERS = new TableId("public", "renamed_orders");

  /** The same for SQL. */
  private static final String THERE = "dwh.\"Or:der\"\"s\"";

  private static ReplicatedPair pair;

  @TempDir Path dir;

  @BeforeAll
  static void start() throws Exception {
    pair = JoinedPair.get();
    pair.onTarget(
        "CREATE SCHEMA dwh",
        "CREATE TABLE "
            + THERE
            + " (memo text, \"no:\" int, region_name text, amount numeric(12,4), note_txt text,"
            + " own text, memo_txt text, PRIMARY KEY (\"no:\", region_name))",
        "CREATE TABLE dwh.renamed_plain (id int PRIMARY KEY, v text)",
        "CREATE TABLE dwh.renamed_marker (instance text PRIMARY KEY, token text NOT NULL)");
    JoinedPair.table(
        "renamed_orders",
        "\"Region\" text, id int, total numeric(10,2), note text, memo text,"
            + " PRIMARY KEY (id, \"Region\")");
    JoinedPair.table("renamed_plain", "id int PRIMARY KEY, v text");
    JoinedPair.table("renamed_marker", "instance text PRIMARY KEY, token text NOT NULL");
    // The key's 3 arrives wrong, and 4 not at all.
    carry(
        "renamed_orders",
        "IF NEW.id <> 4 THEN INSERT INTO "
            + THERE
            + " VALUES ('old', NEW.id, NEW.\"Region\", NEW.total"
            + " + CASE WHEN NEW.id = 3 THEN 1 ELSE 0 END, NEW.note, NULL, NEW.memo); END IF;");
    carry(
        "renamed_plain",
        "IF NEW.id <> 2 THEN INSERT INTO dwh.renamed_plain VALUES (NEW.id, NEW.v); END IF;");
    carry(
        "renamed_marker",
        "INSERT INTO dwh.renamed_marker VALUES (NEW.instance, NEW.token)"
            + " ON CONFLICT (instance) DO UPDATE SET token = excluded.token;");
  }

  private static void carry(String table, String body) throws SQLException {
    pair.onTarget(
        "CREATE FUNCTION test.carry_"
            + table
            + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            + body
            + " RETURN NULL; END $$",
        "CREATE TRIGGER carry AFTER INSERT OR UPDATE ON public."
            + table
            + " FOR EACH ROW EXECUTE FUNCTION test.carry_"
            + table
            + "()",
        "ALTER TABLE public." + table + " ENABLE REPLICA TRIGGER carry");
  }

  private Map<String, String> settings() {
    Map<String, String> settings = ObservedRun.settings(pair, dir, "renamed");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.renamed_orders,public.renamed_plain");
    settings.put("verify.replay.confirmation", "marker_table");
    settings.put("verify.marker.table", "public.renamed_marker");
    settings.put("verify.schema.mapping", "public:dwh");
    settings.put("verify.table.mapping", "public.renamed_orders:" + THERE);
    settings.put(
        "verify.column.mapping",
        column("id", "\"no:\"")
            + ','
            + column("\"Region\"", "region_name")
            + ','
            + column("total", "amount")
            + ", "
            + column("note", "note_txt")
            + ','
            + column("memo", "memo_txt"));
    settings.put("verify.range.chunk.rows", "2");
    return settings;
  }

  private static String column(String here, String there) {
    return "public.renamed_orders." + here + ':' + there;
  }

  @Test
  void everyPartGoesByTheSourcesNames() throws Exception {
    Map<String, String> settings = settings();
    Path config = ObservedRun.configuration(settings);
    JsonNode ahead = JSON.readTree(command("preflight", config, "--json").out());
    assertThat(ahead.path("failed").asInt()).as(ahead.toPrettyString()).isZero();
    assertThat(ahead.path("warnings").asInt()).as(ahead.toPrettyString()).isZero();

    try (ObservedRun run = ObservedRun.start(settings)) {
      assertThat(run.entries(RunStart.class).get(0).scope())
          .containsEntry("verify.schema.mapping", "public:dwh")
          .containsEntry("verify.table.mapping", "public.renamed_orders:" + THERE)
          .containsKey("verify.column.mapping");
      pair.onSource(
          "INSERT INTO public.renamed_orders (\"Region\", id, total, note, memo)"
              + " SELECT 'a', i, i / 4.0, 'n' || i, 'm' || i FROM generate_series(1, 9) AS i",
          "INSERT INTO public.renamed_plain VALUES (1, 'x'), (2, 'x')");
      run.awaitSettled("renamed_orders", 9);
      run.awaitSettled("renamed_plain", 2);
      assertThat(run.unresolved()).hasSize(3);
      Decision different = decision(run, "renamed_orders", "3");
      assertThat(different.verdict())
          .isEqualTo(new Verdict.Unresolved(Verdict.Unresolved.Kind.DIFFERENT));
      assertThat(different.table()).isEqualTo(ORDERS);
      assertThat(different.columns()).containsExactly("total");
      assertThat(different.key().names()).containsExactlyInAnyOrder("id", "Region");
      assertThat(decision(run, "renamed_orders", "4").verdict())
          .isEqualTo(new Verdict.Unresolved(Verdict.Unresolved.Kind.MISSING));
      assertThat(decision(run, "renamed_plain", "2").verdict())
          .isEqualTo(new Verdict.Unresolved(Verdict.Unresolved.Kind.MISSING));
      // What is equal needed no recheck, or one: the first read may come before the row.
      assertThat(run.end().outcomes())
          .containsEntry("unresolved_different", 1L)
          .containsEntry("unresolved_missing", 2L)
          .doesNotContainKeys("incomplete", "advanced");
    }

    pair.onTarget("INSERT INTO " + THERE + " (\"no:\", region_name, amount) VALUES (99, 'a', 1)");
    for (String digest : List.of("client", "server")) {
      settings.put("verify.range.digest", digest);
      JsonNode found = range(settings, 2);
      assertThat(ids(found.path("keys").path("unresolved_different"))).containsExactly("3");
      assertThat(ids(found.path("keys").path("unresolved_missing"))).containsExactly("4");
      assertThat(ids(found.path("target_only"))).containsExactly("99");
      assertThat(found.path("digest").asText()).isEqualTo(digest);
      assertThat(found.path("pairing").asText()).isEqualTo("by_order");
      assertThat(found.path("detail").asText())
          .contains("the target has it as dwh.\"Or:der\"\"s\", with column");
    }

    // An index whose columns are in another order: keys are looked up by the target's names.
    pair.onTarget(
        "ALTER TABLE " + THERE + " DROP CONSTRAINT \"Or:der\"\"s_pkey\"",
        "ALTER TABLE " + THERE + " ADD PRIMARY KEY (region_name, \"no:\")");
    JsonNode found = range(settings, 2);
    assertThat(found.path("pairing").asText()).isEqualTo("by_lookup");
    assertThat(ids(found.path("keys").path("unresolved_different"))).containsExactly("3");
    assertThat(ids(found.path("keys").path("unresolved_missing"))).containsExactly("4");
    assertThat(ids(found.path("target_only"))).containsExactly("99");

    repair(config);
    assertThat(ids(range(settings, 3).path("target_only"))).containsExactly("99");
    pair.onTarget("DELETE FROM " + THERE + " WHERE \"no:\" = 99");
    assertThat(range(settings, 0).path("outcome").asText()).isEqualTo("proved");
    settings.put("verify.range.digest", "client");
    assertThat(range(settings, 0).path("outcome").asText()).isEqualTo("proved");

    // Columns that are taken for one another are found, not proved.
    settings.put(
        "verify.column.mapping",
        settings
            .get("verify.column.mapping")
            .replace("note:note_txt", "note:memo_txt")
            .replace("memo:memo_txt", "memo:note_txt"));
    assertThat(ids(range(settings, 2).path("keys").path("unresolved_different"))).hasSize(9);
  }

  /** The statements, and their effect: both tables hold the same afterwards. */
  private void repair(Path config) throws Exception {
    Path script = dir.resolve("repair.sql");
    Printed export = command("audit", config, "export", "--all", "--repair-sql", script.toString());
    assertThat(export.status()).as(export.out() + export.err()).isZero();
    String text = Files.readString(script);
    assertThat(text)
        .contains("UPDATE ONLY \"dwh\".\"Or:der\"\"s\" AS t", "SET \"amount\" = ")
        .contains(
            "INSERT INTO \"dwh\".\"Or:der\"\"s\" (", "INSERT INTO \"dwh\".\"renamed_plain\" (");
    try (Connection connection = pair.target().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
    assertThat(
            JoinedPair.ask(
                pair.target(),
                "SELECT string_agg(concat_ws('|', \"no:\", region_name, amount::numeric(10,2),"
                    + " note_txt, memo_txt), ' ' ORDER BY \"no:\") FROM "
                    + THERE
                    + " WHERE \"no:\" < 10"))
        .isEqualTo(
            JoinedPair.ask(
                pair.source(),
                "SELECT string_agg(concat_ws('|', id, \"Region\", total, note, memo), ' ' ORDER BY"
                    + " id) FROM public.renamed_orders"));
  }

  /** What does not fit the catalogs keeps a run from starting, and preflight names all of it. */
  @Test
  void mistypedNamesAreNamed() throws Exception {
    Map<String, String> settings = settings();
    settings.put(
        "verify.column.mapping",
        column("totall", "amount") + ',' + column("id", "no") + ',' + column("note", "memo"));
    settings.put("verify.table.mapping", "public.renamed_orders:" + THERE + ",public.x:dwh.y");
    Path config = ObservedRun.configuration(settings);
    JsonNode report = JSON.readTree(command("preflight", config, "--json").out());
    List<String> failures = new ArrayList<>();
    for (JsonNode finding : report.path("findings")) {
      if (finding.path("check").asText().equals("settings")
          && finding.path("grade").asText().equals("failure")) {
        failures.add(finding.path("text").asText());
      }
    }
    assertThat(failures)
        .anyMatch(f -> f.contains("a table that the source does not have: public.x"))
        .anyMatch(f -> f.contains("a table that the target does not have: dwh.y"))
        .anyMatch(f -> f.contains("the source does not have: public.renamed_orders.totall"))
        .anyMatch(f -> f.contains("the target does not have: dwh.\"Or:der\"\"s\".no"))
        .anyMatch(f -> f.contains("gives public.renamed_orders.note the name of"))
        .hasSize(5);
    Printed refused = command("verify-range", config, "--table", "public.renamed_plain");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains("verify.table.mapping names a table");
  }

  private static Decision decision(ObservedRun run, String table, String id) {
    Optional<Decision> last =
        run.decisions(table).stream()
            .filter(d -> id.equals(d.key().asMap().get("id")))
            .reduce((one, other) -> other);
    return last.orElseThrow();
  }

  /** The orders' result, with its digests made where the settings say. */
  private JsonNode range(Map<String, String> settings, int status) throws Exception {
    Path config = ObservedRun.configuration(settings);
    Printed end =
        command("verify-range", config, "--json", "--restart", "--table", "public.renamed_orders");
    assertThat(end.status()).as(end.out() + end.err()).isEqualTo(status);
    JsonNode report = JSON.readTree(end.out());
    assertThat(report.path("column_settings").path("verify.schema.mapping").asText())
        .isEqualTo("public:dwh");
    return report.path("tables").get(0);
  }

  private static Set<String> ids(JsonNode names) {
    Set<String> ids = new TreeSet<>();
    names.path("named").forEach(key -> ids.add(key.path("id").asText()));
    return ids;
  }

  private static Printed command(String name, Path config, String... more) {
    List<String> args = new ArrayList<>(List.of(name));
    List<String> rest = new ArrayList<>(List.of(more));
    if (name.equals("audit")) {
      args.add(rest.remove(0));
    }
    args.addAll(List.of("--config", config.toString()));
    args.addAll(rest);
    return ObservedRun.command(args.toArray(String[]::new));
  }
}
