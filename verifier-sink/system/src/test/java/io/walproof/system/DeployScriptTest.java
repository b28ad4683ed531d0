package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The compose file's deploy script against a worker that is played here. */
class DeployScriptTest {

  private final Map<String, String> deployed = new ConcurrentHashMap<>();
  private final AtomicInteger conflicts = new AtomicInteger(1);
  private HttpServer worker;
  private volatile String refused = "";

  @BeforeEach
  void start() throws IOException {
    assumeTrue(isInstalled("bash") && isInstalled("curl"), "bash or curl is not installed");
    worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    worker.createContext("/connectors/", this::answer);
    worker.start();
  }

  @AfterEach
  void stop() {
    if (worker != null) {
      worker.stop(0);
    }
  }

  @Test
  void deploysEveryConfigurationAsItIsAndSaysWhereToLook() throws Exception {
    Process script = run();
    String output = output(script);
    assertThat(script.waitFor()).as(output).isZero();
    assertThat(deployed.keySet()).containsExactlyInAnyOrderElementsOf(SampleBody.CONNECTORS);
    for (String name : SampleBody.CONNECTORS) {
      Path file = Delivered.ROOT.resolve("config/" + name + ".json");
      assertThat(deployed.get(name)).isEqualTo(Files.readString(file));
    }
    assertThat(output).contains("Where to look", "shop.verify", "docker compose run --rm diverge");
  }

  @Test
  void saysWhyAConfigurationIsRefused() throws Exception {
    refused = "walproof-source";
    Process script = run();
    String output = output(script);
    assertThat(script.waitFor()).isOne();
    assertThat(output).contains("walproof-source was not accepted (400):", "no such slot");
    assertThat(output).doesNotContain("Where to look");
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    String name = path[2];
    if (path[3].equals("status")) {
      respond(
          exchange,
          200,
          "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"state\":\"RUNNING\"}]}");
    } else if (name.equals(refused)) {
      respond(exchange, 400, "{\"message\":\"no such slot\"}");
    } else if (conflicts.getAndDecrement() > 0) {
      respond(exchange, 409, "{\"message\":\"a rebalance is in progress\"}");
    } else {
      byte[] body = exchange.getRequestBody().readAllBytes();
      deployed.put(name, new String(body, StandardCharsets.UTF_8));
      respond(exchange, 201, "{}");
    }
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private Process run() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", Delivered.ROOT.resolve("config/compose/deploy.sh").toString())
            .redirectErrorStream(true);
    builder.environment().put("CONNECT_URL", "http://127.0.0.1:" + worker.getAddress().getPort());
    builder.environment().put("CONFIG_DIR", Delivered.ROOT.resolve("config").toString());
    return builder.start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
