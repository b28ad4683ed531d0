package io.walproof.standalone.status;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.walproof.contract.Time;
import io.walproof.standalone.metrics.PrometheusText;
import io.walproof.standalone.settings.StatusListen;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the page, its JSON, and the metrics, by the JDK's own server: only reads, a few threads, a
 * few connections, a bounded time for each request. The state that page and JSON show is put
 * together at most twice a second, however many look at them. Thread-safe.
 */
public final class StatusServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);

  private static final int THREADS = 4;
  private static final int CONNECTIONS = 64;
  private static final Duration REMADE_AFTER = Duration.ofMillis(500);
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  static {
    // Read once, when the first server of this JVM is made: a client that is slow or silent, or
    // sends very much, loses its connection.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "30");
    System.setProperty("sun.net.httpserver.idleInterval", "30");
    System.setProperty("sun.net.httpserver.maxReqHeaders", "50");
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("jdk.httpserver.maxConnections", Integer.toString(CONNECTIONS));
  }

  /** One answer. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Answer(String type, byte[] body) {}

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final StatusListen listen;
  private final AccessCheck access;
  private final Map<String, Supplier<Answer>> paths = new TreeMap<>();
  private final Time time;
  private Supplier<Status> source;
  private Status made;
  private long madeAt;

  private StatusServer(HttpServer server, StatusListen listen, Time time) {
    this.server = server;
    this.listen = listen;
    this.access = new AccessCheck(listen);
    this.time = time;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            // No more than there are connections.
            new LinkedBlockingQueue<>(CONNECTIONS * 2),
            work -> {
              Thread thread = new Thread(work, "walproof-status");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Takes the address and answers "starting" until there is something to show.
   *
   * @throws StatusException if the address cannot be had
   */
  public static StatusServer start(StatusListen listen, Time time) {
    try {
      StatusServer status =
          new StatusServer(HttpServer.create(listen.socket(), CONNECTIONS), listen, time);
      status.asset("/status.css", "text/css; charset=utf-8");
      status.asset("/status.js", "text/javascript; charset=utf-8");
      status.asset("/icon.svg", "image/svg+xml");
      status.paths.put("/", status::page);
      status.paths.put("/api/status", status::json);
      status.server.createContext("/", status::handle);
      status.server.setExecutor(status.threads);
      status.server.start();
      return status;
    } catch (IOException | IllegalArgumentException e) {
      throw new StatusException(
          "The status page cannot be served at "
              + listen
              + " ("
              + e.getMessage()
              + "). Set status.listen to an address of this machine and a free port.",
          e);
    }
  }

  /** From now on this is shown; asked for by one thread at a time. */
  public synchronized void show(Supplier<Status> what) {
    source = what;
    made = null;
  }

  /** Also serves these metrics, at {@code /metrics}. */
  public void show(PrometheusText metrics) {
    synchronized (paths) {
      paths.put("/metrics", () -> new Answer(PrometheusText.CONTENT_TYPE, metrics.text()));
    }
  }

  /** The port, which the system may have chosen. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** The page's address. */
  public String url() {
    return listen.url(port());
  }

  private void asset(String path, String type) {
    String name = path.substring(1);
    try (InputStream in = StatusServer.class.getResourceAsStream(name)) {
      Answer answer = new Answer(type, in.readAllBytes());
      paths.put(path, () -> answer);
    } catch (IOException e) {
      throw new UncheckedIOException("the build carries " + name, e);
    }
  }

  private Answer page() {
    return new Answer("text/html; charset=utf-8", utf8(StatusPage.of(status())));
  }

  private Answer json() {
    return new Answer("application/json", utf8(StatusJson.of(status())));
  }

  /** Made anew when it is old. */
  private synchronized Status status() {
    if (source == null) {
      throw new StartingException();
    }
    long now = time.nanoTime();
    if (made == null || now - madeAt >= REMADE_AFTER.toNanos()) {
      made = source.get();
      madeAt = now;
    }
    return made;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      headers(exchange.getResponseHeaders());
      Optional<Integer> refusal = access.refusal(exchange);
      if (refusal.isPresent()) {
        refuse(exchange, refusal.get());
        return;
      }
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        plain(exchange, 405, "Only GET and HEAD: nothing is changed here.");
        return;
      }
      Optional<Supplier<Answer>> found = found(exchange.getRequestURI().getPath());
      if (found.isEmpty()) {
        plain(exchange, 404, "Nothing is here. The page is at /, the JSON at /api/status.");
        return;
      }
      answer(exchange, found.get());
    } catch (RuntimeException e) {
      LOG.warn("A request for the status failed", e);
      throw e;
    }
  }

  private Optional<Supplier<Answer>> found(String path) {
    synchronized (paths) {
      return Optional.ofNullable(path == null ? null : paths.get(path));
    }
  }

  private void answer(HttpExchange exchange, Supplier<Answer> how) throws IOException {
    Answer answer;
    try {
      answer = how.get();
    } catch (StartingException e) {
      plain(exchange, 503, "Starting; nothing is known yet.");
      return;
    } catch (RuntimeException e) {
      LOG.warn("An answer for the status could not be put together", e);
      plain(exchange, 500, "This could not be put together; the process's log says why.");
      return;
    }
    send(exchange, 200, answer);
  }

  private static void refuse(HttpExchange exchange, int code) throws IOException {
    if (code == 401) {
      exchange
          .getResponseHeaders()
          .set("WWW-Authenticate", "Basic realm=\"walproof\", charset=\"UTF-8\"");
      plain(exchange, code, "Send status.token, as a bearer token or as the password.");
    } else {
      plain(exchange, code, "Ask for this page by a loopback name, such as 127.0.0.1.");
    }
  }

  private static void headers(Headers headers) {
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private static void plain(HttpExchange exchange, int code, String text) throws IOException {
    send(exchange, code, new Answer("text/plain; charset=utf-8", utf8(text + "\n")));
  }

  private static void send(HttpExchange exchange, int code, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(answer.body().length));
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    exchange.sendResponseHeaders(code, answer.body().length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer.body());
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Ends at once; requests under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** There is nothing to show yet. */
  private static final class StartingException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
