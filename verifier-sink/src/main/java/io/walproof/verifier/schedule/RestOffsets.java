package io.walproof.verifier.schedule;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.RangeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connector's offset as Connect's REST interface tells it. A worker reads its offset topic to the
 * end for each answer, so what it says is durable.
 *
 * @param connector the connector's address, {@code http://host:8083/connectors/NAME}
 * @param user for basic authentication
 * @param password its password
 * @param timeout the longest that one request may take
 */
public record RestOffsets(
    URI connector, Optional<String> user, Optional<String> password, Duration timeout) {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MOST_BYTES = 16 << 20;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  /** All are required. */
  public RestOffsets {
    Objects.requireNonNull(connector, "connector");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    Objects.requireNonNull(timeout, "timeout");
  }

  /**
   * Asks.
   *
   * @param cancel ends the request
   * @return the offset's entries
   * @throws RangeException naming the place and the way out; without credentials
   */
  public Map<String, Object> read(Cancellation cancel) throws InterruptedException {
    return one(safe(), answer(cancel));
  }

  /**
   * Asks for all that the connector has stored, as Connect tells it.
   *
   * @param cancel ends the request
   * @throws RangeException naming the place and the way out; without credentials
   */
  public JsonNode answer(Cancellation cancel) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint())
            .timeout(timeout)
            .header("Accept", "application/json")
            .GET();
    user.ifPresent(name -> request.header("Authorization", "Basic " + credentials(name)));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    CompletableFuture<HttpResponse<Void>> answer =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .build()
            .sendAsync(
                request.build(),
                HttpResponse.BodyHandlers.ofByteArrayConsumer(
                    part -> part.ifPresent(bytes -> append(body, bytes))));
    try (Cancellation.Registration registered = cancel.onCancel(() -> answer.cancel(true))) {
      Objects.requireNonNull(registered, "registered");
      // The request's own bound ends with the answer's head.
      int status = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
      if (status != OK) {
        throw new RangeException(
            "Connect answered "
                + status
                + " for "
                + safe()
                + (status == UNAUTHORIZED
                    ? "; it wants another user or password: verify.range.claim.user and"
                        + " verify.range.claim.password, for the server of verify.range.claim.url,"
                        + " or --user and --password-file of offsets show"
                    : "; the connector's name is the URL's last part before /offsets"));
      }
      return json(body.toByteArray());
    } catch (ExecutionException | TimeoutException | CancellationException e) {
      answer.cancel(true);
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      throw new RangeException(
          "Connect does not answer at " + safe() + " (" + cause.getClass().getSimpleName() + ")",
          e);
    }
  }

  private static void append(ByteArrayOutputStream body, byte[] bytes) {
    if (body.size() + bytes.length > MOST_BYTES) {
      throw new IllegalStateException("the answer is longer than offsets can be");
    }
    body.writeBytes(bytes);
  }

  private String credentials(String name) {
    String both = name + ":" + password.orElse("");
    return Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  /** A URL may hold credentials. */
  private String safe() {
    String port = connector.getPort() < 0 ? "" : ":" + connector.getPort();
    return connector.getScheme() + "://" + connector.getHost() + port + connector.getPath();
  }

  private URI endpoint() {
    String text = connector.toString();
    String path = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    return URI.create(path.endsWith("/offsets") ? path : path + "/offsets");
  }

  private JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new RangeException(safe() + " holds no JSON", e);
    }
  }

  /**
   * The entries in an answer of Connect's, or in an offset by itself.
   *
   * @param where it comes from, for messages
   * @throws RangeException if it holds not exactly one offset
   */
  public static Map<String, Object> one(String where, JsonNode json) {
    JsonNode offsets = json.path("offsets");
    if (!offsets.isArray()) {
      return entries(json);
    }
    if (offsets.size() != 1) {
      throw new RangeException(
          where
              + (offsets.isEmpty()
                  ? " holds no offset yet"
                  : " holds the offsets of several partitions, which no PostgreSQL connector has"));
    }
    return entries(offsets.get(0).path("offset"));
  }

  /** The entries of an offset. */
  public static Map<String, Object> entries(JsonNode offset) {
    return JSON.convertValue(offset, new TypeReference<TreeMap<String, Object>>() {});
  }

  /** The place only. */
  @Override
  public String toString() {
    return "RestOffsets[" + safe() + "]";
  }
}
