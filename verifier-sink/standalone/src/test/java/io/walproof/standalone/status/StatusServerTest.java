package io.walproof.standalone.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import io.walproof.standalone.WrittenAudit;
import io.walproof.standalone.metrics.PrometheusText;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.settings.StatusListen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in, what is answered, and what never is. */
class StatusServerTest {

  private static final String TOKEN = "0123456789abcdef-token";

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir Path dir;

  private StatusServer server(Optional<String> token) {
    return StatusServer.start(StatusListen.of("127.0.0.1:0", token), Time.system());
  }

  private void show(StatusServer server) {
    StatusModel model = StatusModel.ofFile(StatusLimits.defaults(), dir);
    try (WrittenAudit audit = new WrittenAudit(dir.resolve("state"))) {
      audit.append(
          WrittenAudit.start(),
          WrittenAudit.decided(WrittenAudit.ORDERS, "</script>", WrittenAudit.missing()));
      audit.records().forEach(model::add);
      model.caughtUp();
    }
    server.show(() -> model.at(Time.system().now(), Optional.empty()));
  }

  private HttpResponse<String> get(StatusServer server, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theAddressThatOthersReachNeedsAToken() {
    for (String open : List.of("0.0.0.0:9187", "192.0.2.1:80", "[::]:80", "no-such.invalid:80")) {
      assertThatThrownBy(() -> StatusListen.of(open, Optional.empty()))
          .hasMessageContaining("status.token");
      assertThat(StatusListen.of(open, Optional.of(TOKEN)).toString()).doesNotContain(TOKEN);
    }
    for (String loopback : List.of("127.0.0.1:1", "localhost:1", "[::1]:1", "127.9.9.9:1")) {
      assertThat(StatusListen.of(loopback, Optional.empty()).isLoopback()).isTrue();
    }
    for (String wrong : List.of("9187", ":9187", "host", "host:", "host:x", "host:99999", "")) {
      assertThatThrownBy(() -> StatusListen.of(wrong, Optional.of(TOKEN)))
          .hasMessageContaining("host:port");
    }
    assertThatThrownBy(() -> StatusListen.of("0.0.0.0:1", Optional.of("short")))
        .hasMessageContaining("16 characters")
        .hasMessageNotContaining("short");
  }

  @Test
  void beforeThereIsSomethingItSaysSo() throws Exception {
    try (StatusServer server = server(Optional.empty())) {
      assertThat(get(server, "/").statusCode()).isEqualTo(503);
      show(server);
      assertThat(get(server, "/").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void answersCarryAStrictPolicyAndNoValueIsMarkup() throws Exception {
    try (StatusServer server = server(Optional.empty())) {
      show(server);
      HttpResponse<String> page = get(server, "/");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .isEqualTo(
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                  + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                  + " frame-ancestors 'none'");
      assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
      assertThat(page.body()).contains("&lt;/script&gt;").doesNotContain("id = </script>");
      assertThat(page.body()).as("nothing from elsewhere").doesNotContain("http:", "https:", "//");
      var json = JsonMapper.builder().build().readTree(get(server, "/api/status").body());
      assertThat(json.path("health").asText()).isEqualTo("failing");
      assertThat(json.path("failures").get(0).path("key").path("id").asText())
          .isEqualTo("</script>");
      assertThat(get(server, "/status.css").body()).doesNotContain("@import", "url(");
      assertThat(get(server, "/status.js").body()).doesNotContain("//unpkg", "http");
      for (String absent :
          List.of("/x", "/../etc/passwd", "/%2e%2e/status.css", "/api", "/metrics")) {
        assertThat(get(server, absent).statusCode()).as(absent).isEqualTo(404);
      }
      HttpRequest post =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
              .POST(HttpRequest.BodyPublishers.ofString("x"))
              .build();
      assertThat(http.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }
  }

  @Test
  void aTokenIsAskedForAndCompared() throws Exception {
    try (StatusServer server = server(Optional.of(TOKEN))) {
      show(server);
      for (String path : List.of("/", "/api/status", "/metrics", "/status.js", "/x")) {
        assertThat(get(server, path).statusCode()).as(path).isEqualTo(401);
      }
      assertThat(get(server, "/").headers().firstValue("WWW-Authenticate").orElse(""))
          .startsWith("Basic");
      for (String wrong :
          List.of("Bearer " + TOKEN + "x", "Bearer", "Basic !!!", "Digest " + TOKEN, basic("x"))) {
        assertThat(get(server, "/", "Authorization", wrong).statusCode()).as(wrong).isEqualTo(401);
      }
      assertThat(get(server, "/", "Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
      assertThat(get(server, "/", "Authorization", basic(TOKEN)).statusCode()).isEqualTo(200);
    }
  }

  private static String basic(String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(("anyone:" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aNameThatWasMadeToLeadHereGetsNothing() throws Exception {
    try (StatusServer server = server(Optional.empty())) {
      show(server);
      assertThat(raw(server, "evil.example")).contains(" 403 ");
      assertThat(raw(server, "127.0.0.1.evil.example:" + server.port())).contains(" 403 ");
      assertThat(raw(server, "localhost:" + server.port())).contains(" 200 ");
    }
  }

  private static String raw(StatusServer server, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              ("GET /status.css HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** More than the threads and the connections that there are; silent ones do not lock it up. */
  @Test
  void manyAtOnceAreAnsweredOrTurnedAway() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (StatusServer server = server(Optional.empty())) {
      show(server);
      for (int i = 0; i < 20; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(
            http.sendAsync(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/api/status"))
                    .build(),
                HttpResponse.BodyHandlers.ofString()));
      }
      long answered =
          all.stream()
              .map(each -> each.handle((ok, failed) -> failed == null && ok.statusCode() == 200))
              .filter(CompletableFuture::join)
              .count();
      assertThat(answered).isPositive();
      assertThat(get(server, "/").statusCode()).as("afterwards").isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void whatCannotBePutTogetherIsAnErrorAndNothingElseSuffers() throws Exception {
    PrometheusText metrics = new PrometheusText();
    try (Gauges verifier = metrics.gauges("verifier");
        StatusServer server = server(Optional.empty())) {
      LongSupplier broken =
          () -> {
            throw new IllegalStateException("details");
          };
      server.show(
          () -> {
            throw new IllegalStateException("details");
          });
      for (String path : List.of("/", "/api/status")) {
        HttpResponse<String> answer = get(server, path);
        assertThat(answer.statusCode()).as(path).isEqualTo(500);
        assertThat(answer.body()).contains("log says why").doesNotContain("details");
      }
      verifier.gauge("pending", "Keys", broken);
      verifier.gauge("deferred", "On hold", () -> 3);
      verifier.gauge("verdicts-total", "By outcome", java.util.Map.of("outcome", "a"), broken);
      verifier.gauge("verdicts-total", "By outcome", java.util.Map.of("outcome", "b"), () -> 7);
      server.show(metrics);
      HttpResponse<String> answer = get(server, "/metrics");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body().lines().filter(line -> !line.startsWith("#")))
          .containsExactlyInAnyOrder(
              "walproof_verifier_deferred 3.0",
              "walproof_verifier_verdicts_total{outcome=\"b\"} 7.0");
      show(server);
      assertThat(get(server, "/").statusCode()).as("afterwards").isEqualTo(200);
    }
  }

  @Test
  void metricsAreTextForPrometheus() throws Exception {
    PrometheusText metrics = new PrometheusText();
    try (Gauges verifier = metrics.gauges("verifier");
        StatusServer server = server(Optional.empty())) {
      verifier.gauge("recheck-age-ms", "How long", () -> 1500);
      for (String outcome : List.of("matched", "unresolved_missing")) {
        verifier.gauge(
            "verdicts-total", "By outcome", java.util.Map.of("outcome", outcome), () -> 7);
      }
      verifier.gauge("pending", "Keys", () -> 3);
      server.show(metrics);
      HttpResponse<String> answer = get(server, "/metrics");
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
      assertThat(answer.body().lines())
          .contains(
              "# HELP walproof_verifier_recheck_age_seconds How long",
              "# TYPE walproof_verifier_recheck_age_seconds gauge",
              "walproof_verifier_recheck_age_seconds 1.5",
              "# TYPE walproof_verifier_verdicts_total counter",
              "walproof_verifier_verdicts_total{outcome=\"matched\"} 7.0",
              "walproof_verifier_verdicts_total{outcome=\"unresolved_missing\"} 7.0",
              "walproof_verifier_pending 3.0");
      verifier.close();
      assertThat(get(server, "/metrics").body().strip()).isEmpty();
    }
  }
}
