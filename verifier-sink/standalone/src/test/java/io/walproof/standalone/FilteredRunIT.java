package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pipeline's publication lets some rows, columns and kinds of change through, and Walproof's
 * own all of them: what the pipeline does not carry is not undelivered.
 */
class FilteredRunIT {

  private static final String DATABASE = "filtered";

  @TempDir Path directory;

  private static ReplicatedPair pair;

  @BeforeAll
  static void createPipeline() throws Exception {
    pair = JoinedPair.get();
    for (PostgresServer server : List.of(pair.source(), pair.target())) {
      server.execute("postgres", "CREATE DATABASE " + DATABASE);
      server.execute(
          DATABASE,
          "CREATE TABLE partly (id int PRIMARY KEY, k int, hidden text)",
          "CREATE TABLE appended (id int PRIMARY KEY, k int)",
          "CREATE TABLE whole (id int PRIMARY KEY, k int, note text, own text)");
    }
    source(
        "ALTER TABLE partly REPLICA IDENTITY FULL",
        "CREATE PUBLICATION chosen FOR TABLE partly WHERE (k < 100)," + " whole (id, k, note)",
        "CREATE PUBLICATION appending FOR TABLE appended WITH (publish = 'insert')");
    pair.target()
        .execute(
            DATABASE,
            "CREATE SUBSCRIPTION chosen CONNECTION '"
                + pair.connectionInfo()
                    .replace("dbname=" + ReplicatedPair.DATABASE, "dbname=" + DATABASE)
                + "' PUBLICATION chosen, appending");
  }

  private static void source(String... statements) throws Exception {
    pair.source().execute(DATABASE, statements);
  }

  private static String target(String query) throws Exception {
    try (Connection connection = pair.target().connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private Operated operated() {
    return new Operated(pair, directory, "filtered", "public\\..*")
        .with("database.dbname", DATABASE)
        .with("verify.columns.exclude", "public.whole.note")
        .with("verify.target.jdbc.url", pair.target().jdbcUrl(DATABASE));
  }

  private static JsonNode outcomes(Operated.Outcome end) throws Exception {
    return JsonMapper.builder().build().readTree(end.out()).at("/coverage/outcomes");
  }

  @Test
  void whatThePipelineDoesNotCarryIsNotAccused() throws Exception {
    Operated operated = operated();
    Operated.Outcome first = operated.run("--until-idle", "100ms", "--json");
    assertThat(first.status()).as(first.out() + first.err()).isZero();

    // Beside the filter, within it, out of it and into it.
    source(
        "INSERT INTO partly VALUES (1, 500, 'x'), (2, 5, 'x'), (3, 6, 'x'), (4, 600, 'x')",
        "UPDATE partly SET k = 700 WHERE id = 3",
        "UPDATE partly SET k = 7 WHERE id = 4",
        "INSERT INTO whole VALUES (1, 500)");
    await()
        .atMost(Operated.PATIENCE)
        .until(
            () -> target("SELECT string_agg(id::text, ',' ORDER BY id) FROM partly").equals("2,4"));
    await().atMost(Operated.PATIENCE).until(() -> target("SELECT max(k) FROM whole").equals("500"));
    Operated.Outcome right = operated.run("--until-idle", "500ms", "--json");
    assertThat(right.status()).as(right.out() + right.err()).isZero();
    assertThat(outcomes(right).path("matched").asInt()).isEqualTo(3);
    JsonNode said = JsonMapper.builder().build().readTree(right.out());
    assertThat(said.path("not_compared")).as("everything that could be").isEmpty();
    assertThat(said.at("/excluded/0/columns").toString()).isEqualTo("[\"note\"]");
    assertThat(said.at("/not_published/0/columns").toString()).isEqualTo("[\"own\"]");

    // The filter hides no fault of a row that it lets through.
    source("INSERT INTO partly VALUES (5, 8, 'x')");
    await()
        .atMost(Operated.PATIENCE)
        .until(() -> target("SELECT count(*) FROM partly WHERE id = 5").equals("1"));
    pair.target().execute(DATABASE, "DELETE FROM partly WHERE id = 5");
    Operated.Outcome lost = operated.run("--until-idle", "500ms", "--json");
    assertThat(lost.status()).as(lost.out() + lost.err()).isEqualTo(2);
    assertThat(outcomes(lost).path("unresolved_missing").asInt()).isEqualTo(1);
    assertThat(outcomes(lost).size()).isEqualTo(1);

    // Of a table whose updates are not sent nothing follows, which is said.
    source("INSERT INTO appended VALUES (1, 1)");
    source("UPDATE appended SET k = 2");
    Operated.Outcome skipped = operated.run("--until-idle", "500ms", "--json");
    assertThat(skipped.status()).as(skipped.out() + skipped.err()).isEqualTo(3);
    assertThat(skipped.out()).contains("\"skipped\":{\"changes_not_sent\":1}");
    operated.forget();
  }
}
