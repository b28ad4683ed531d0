package io.walproof.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** JSON requests to one base address, each bounded in time. Thread-safe. */
final class HttpJson {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(100);
  private static final int CONFLICT = 409;

  private final String base;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  HttpJson(String base) {
    this.base = base;
  }

  /** One request, repeated within the usual bound while the worker answers that it rebalances. */
  JsonNode request(String method, String path, Object body) {
    AtomicReference<JsonNode> answer = new AtomicReference<>();
    Waiting.until(
        method + " " + path,
        () -> {
          try {
            answer.set(once(method, path, body));
            return true;
          } catch (RestFailure e) {
            boolean rebalancing = e.status() == CONFLICT && e.getMessage().contains("rebalance");
            if (rebalancing) {
              return false;
            }
            throw e;
          }
        },
        () -> "the worker kept rebalancing");
    return answer.get();
  }

  /**
   * One request.
   *
   * @throws RestFailure with the answer, if its status is not a success
   */
  JsonNode once(String method, String path, Object body) {
    try {
      HttpRequest.BodyPublisher publisher =
          body == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(base + path))
                  .timeout(TIMEOUT)
                  .header("Content-Type", "application/json")
                  .header("Accept", "application/json")
                  .method(method, publisher)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() / 100 != 2) {
        throw new RestFailure(method + " " + path, response.statusCode(), response.body());
      }
      return parse(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + base + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }

  private static JsonNode parse(String body) throws JsonProcessingException {
    return body.isEmpty() ? MissingNode.getInstance() : JSON.readTree(body);
  }
}
