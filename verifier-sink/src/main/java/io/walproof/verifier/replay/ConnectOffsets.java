package io.walproof.verifier.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Lsn;
import io.walproof.verifier.replay.KafkaPipeline.PipelineException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A Debezium connector's stored offset, by a worker's REST interface. The worker reads its offset
 * topic to the end for each answer, so what it says is durable.
 */
final class ConnectOffsets {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int OK = 200;

  private final KafkaSinkSettings settings;
  private final HttpClient http;
  private final URI address;

  ConnectOffsets(KafkaSinkSettings settings) {
    this.settings = settings;
    this.http = HttpClient.newBuilder().connectTimeout(settings.requestTimeout()).build();
    String base = settings.connect().toString();
    String name =
        URLEncoder.encode(settings.sourceConnector(), StandardCharsets.UTF_8).replace("+", "%20");
    this.address =
        URI.create((base.endsWith("/") ? base : base + "/") + "connectors/" + name + "/offsets");
  }

  Optional<Lsn> position() {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).timeout(settings.requestTimeout()).GET();
    settings
        .user()
        .ifPresent(
            user ->
                request.header(
                    "Authorization",
                    "Basic "
                        + Base64.getEncoder()
                            .encodeToString(
                                (user + ":" + settings.password().orElse(""))
                                    .getBytes(StandardCharsets.UTF_8))));
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      if (response.statusCode() != OK) {
        throw failed("it answered with status " + response.statusCode(), null);
      }
      return position(JSON.readTree(response.body()));
    } catch (JsonProcessingException e) {
      throw failed("its answer is not JSON", e);
    } catch (IOException e) {
      throw failed(e.getClass().getSimpleName(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted", e);
    }
  }

  /**
   * The position in an answer of Connect's.
   *
   * <p>{@code lsn} is that of the last record, within a transaction that commits later, and {@code
   * lsn_commit} the last commit before it. Whichever is larger: commits before it were streamed
   * before it. During a snapshot {@code lsn} is where streaming begins afterwards, and says nothing
   * of the rows.
   */
  static Optional<Lsn> position(JsonNode answer) {
    JsonNode offsets = answer.path("offsets");
    if (offsets.size() > 1) {
      throw new PipelineException(
          "the source connector has more than one offset: it is no Debezium PostgreSQL connector");
    }
    JsonNode offset = offsets.path(0).path("offset");
    if (offset.hasNonNull("snapshot")) {
      return Optional.empty();
    }
    Optional<Lsn> record = lsn(offset.path("lsn"));
    Optional<Lsn> commit = lsn(offset.path("lsn_commit"));
    if (record.isPresent() && commit.isPresent()) {
      return Optional.of(Lsn.max(record.get(), commit.get()));
    }
    return record.or(() -> commit);
  }

  private static Optional<Lsn> lsn(JsonNode number) {
    return number.isIntegralNumber() ? Optional.of(new Lsn(number.longValue())) : Optional.empty();
  }

  private PipelineException failed(String why, Throwable cause) {
    return new PipelineException(
        "the offsets of source connector \""
            + settings.sourceConnector()
            + "\" could not be read from verify.kafka.connect.url ("
            + why
            + ")",
        cause);
  }
}
