package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A headless Chromium with one page, driven by its DevTools protocol. */
final class Browser implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private WebSocket socket;
  private int number;

  private Browser(Process process) {
    this.process = process;
  }

  /** Where the machine has one. */
  static Optional<Path> executable() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      for (String name : NAMES) {
        Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
        if (Files.isExecutable(candidate)) {
          return Optional.of(candidate);
        }
      }
    }
    return Optional.empty();
  }

  static Browser open(Path executable, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                executable.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Browser browser = new Browser(process);
    boolean connected = false;
    try {
      browser.connect(profile.resolve("DevToolsActivePort"));
      connected = true;
      return browser;
    } finally {
      if (!connected) {
        browser.close();
      }
    }
  }

  private void connect(Path portFile) throws Exception {
    Awaitility.await("the browser")
        .atMost(PATIENCE)
        .until(() -> Files.exists(portFile) && Files.readAllLines(portFile).size() == 2);
    String port = Files.readAllLines(portFile).get(0);
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    String pages =
        http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    String page = null;
    for (JsonNode each : JSON.readTree(pages)) {
      if (each.path("type").asText().equals("page")) {
        page = each.path("webSocketDebuggerUrl").asText();
      }
    }
    socket =
        http.newWebSocketBuilder()
            .buildAsync(URI.create(page), new Listener())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    send("Page.enable", JSON.createObjectNode());
    send("Runtime.enable", JSON.createObjectNode());
    send("Log.enable", JSON.createObjectNode());
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(String message) {
    try {
      JsonNode json = JSON.readTree(message);
      CompletableFuture<JsonNode> waiting = answers.remove(json.path("id").asInt(-1));
      if (waiting != null) {
        waiting.complete(json);
      }
      String method = json.path("method").asText();
      if (method.equals("Runtime.exceptionThrown")
          || (method.equals("Log.entryAdded")
              && !json.path("params").path("entry").path("source").asText().equals("network"))) {
        synchronized (complaints) {
          complaints.add(json.path("params").toString());
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the page or its policy complained about, the network apart. */
  List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  private JsonNode send(String method, ObjectNode params) throws Exception {
    number++;
    ObjectNode message = JSON.createObjectNode().put("id", number).put("method", method);
    message.set("params", params);
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(number, answer);
    socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    JsonNode json = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (json.has("error")) {
      throw new IllegalStateException(method + ": " + json.path("error"));
    }
    return json.path("result");
  }

  void go(String url) throws Exception {
    send("Page.navigate", JSON.createObjectNode().put("url", url));
    until("document.readyState === 'complete' && location.href.startsWith('http')");
  }

  /** The value of an expression. */
  JsonNode value(String expression) throws Exception {
    JsonNode result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  String text(String selector) throws Exception {
    return value("document.querySelector('" + selector + "').innerText").asText();
  }

  /** Waits until an expression is true. */
  void until(String expression) {
    Awaitility.await(expression)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> value("Boolean(" + expression + ")").asBoolean());
  }

  /** What a screen reader is given: the nodes of the page that are not left out for it. */
  List<JsonNode> accessibility() throws Exception {
    send("Accessibility.enable", JSON.createObjectNode());
    List<JsonNode> nodes = new ArrayList<>();
    for (JsonNode node :
        send("Accessibility.getFullAXTree", JSON.createObjectNode()).path("nodes")) {
      if (!node.path("ignored").asBoolean()) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  void press(String key, int code) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      ObjectNode event = JSON.createObjectNode().put("type", type).put("key", key);
      event.put("code", key).put("windowsVirtualKeyCode", code);
      if (key.equals("Enter") && type.equals("keyDown")) {
        event.put("text", "\r");
      }
      send("Input.dispatchKeyEvent", event);
    }
  }

  void size(int width, int height) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
  }

  void dark(boolean dark) throws Exception {
    ObjectNode media = JSON.createObjectNode();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", dark ? "dark" : "light");
    send("Emulation.setEmulatedMedia", media);
  }

  /** The whole page as a picture, for people to look at. */
  void screenshot(Path file) throws Exception {
    JsonNode result =
        send(
            "Page.captureScreenshot",
            JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", true));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(result.path("data").asText()));
  }

  @Override
  public void close() throws InterruptedException {
    if (socket != null) {
      socket.abort();
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
