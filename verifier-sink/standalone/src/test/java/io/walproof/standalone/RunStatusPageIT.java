package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.status.MonitoringFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code walproof run} with {@code status.listen}: page, JSON and metrics of a real run. */
class RunStatusPageIT {

  private static final String TOKEN = "a-token-of-sixteen";

  private final HttpClient http = HttpClient.newHttpClient();
  private String address;

  @TempDir Path dir;

  @Test
  void aRunShowsItsStateAndItsMetrics() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("shown");
    JoinedPair.lossy("shown_lossy");
    Operated operated =
        new Operated(pair, dir, "shown", "public\\.shown,public\\.shown_lossy")
            .with("status.listen", "127.0.0.1:" + freePort())
            .with("verify.range.on.drift", "true")
            .with("status.token", TOKEN);
    address = operated.settings.get("status.listen");
    // An address that cannot be had ends the start.
    try (ServerSocket taken = new ServerSocket(port())) {
      Operated.Outcome refused = operated.run();
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err()).contains("status.listen").doesNotContain(TOKEN);
      assertThat(taken.isClosed()).isFalse();
    }
    try (SpawnedRun run = operated.spawn().awaitStarted()) {
      JsonNode shown = whatItShows(pair, run);
      // A terminal that is closed ends a run as SIGTERM does.
      run.signal("HUP");
      assertThat(run.awaitEnd(Operated.PATIENCE).status()).isEqualTo(2);
      Operated.Outcome summary =
          Operated.command("audit", "summary", "--json", "--state-dir", operated.state.toString());
      JsonNode counted = JsonMapper.builder().build().readTree(summary.out());
      assertThat(counted.path("coverage"))
          .as("the page's figures")
          .isEqualTo(shown.path("coverage"));
      operated.assertNoSecret(run.err(), run.out());
      assertThat(run.err()).doesNotContain(TOKEN);
    } finally {
      operated.forget();
    }
  }

  private JsonNode whatItShows(ReplicatedPair pair, SpawnedRun run) throws Exception {
    Operated.until("the page", () -> !get("/").isEmpty());
    assertThat(run.err()).contains("status page http://" + address);
    HttpRequest bare = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build();
    assertThat(http.send(bare, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(401);

    pair.onSource(
        "INSERT INTO public.shown SELECT i, 'v' FROM generate_series(1, 20) AS i",
        "INSERT INTO public.shown_lossy VALUES (1, 'v'), (2, 'v')");
    Operated.until("the failures", () -> json().path("open_failures").asInt() == 2);
    Operated.until("all of it", () -> json().path("coverage").path("pending").asInt() == 0);
    JsonNode json = json();
    assertThat(json.path("health").asText()).isEqualTo("failing");
    assertThat(json.path("coverage").path("observed").asInt()).isEqualTo(22);
    assertThat(json.path("coverage").path("outcomes").path("unresolved_missing").asInt())
        .isEqualTo(2);
    assertThat(json.path("replay").path("boundary").asText()).contains("/");
    assertThat(json.path("live").path("durable").asText()).contains("/");
    assertThat(json.path("scope").path("confirmation").asText()).isEqualTo("subscription");
    Operated.until("the lag", () -> json().path("live").path("slot_lag_bytes").asLong(-1) >= 0);
    assertThat(get("/")).contains("public.shown_lossy").doesNotContain(TOKEN);

    String metrics = get("/metrics");
    assertThat(metrics.lines())
        .contains(
            "walproof_verifier_verdicts_total{outcome=\"unresolved_missing\",stratum=\"cdc\"} 2.0",
            "walproof_verifier_observed_total{stratum=\"cdc\"} 22.0",
            "walproof_verifier_pending{stratum=\"cdc\"} 0.0",
            "walproof_source_changes_total 22.0",
            "walproof_source_tables 2.0");
    assertThat(metrics).contains("walproof_source_slot_lag_bytes ").doesNotContain(TOKEN);
    var exposed = MonitoringFiles.exposed(metrics);
    String reference = Files.readString(MonitoringFiles.config().resolve("reference.md"));
    assertThat(exposed.keySet()).allMatch(name -> reference.contains("`" + name + "`"));
    String whatToDo = Files.readString(MonitoringFiles.config().resolve("README.md"));
    assertThat(MonitoringFiles.alerts().keySet())
        .isNotEmpty()
        .allMatch(alert -> whatToDo.contains("### " + alert + "\n"));
    MonitoringFiles.alerts()
        .forEach((n, expr) -> assertThat(MonitoringFiles.problems(expr, exposed)).as(n).isEmpty());
    MonitoringFiles.dashboard()
        .forEach((n, expr) -> assertThat(MonitoringFiles.problems(expr, exposed)).as(n).isEmpty());

    return json;
  }

  private int port() {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private JsonNode json() throws Exception {
    return JsonMapper.builder().build().readTree(get("/api/status"));
  }

  /** The body, empty before the server is there. */
  private String get(String path) throws InterruptedException {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create("http://" + address + path))
                  .header("Authorization", "Bearer " + TOKEN)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
