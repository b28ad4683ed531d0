package io.walproof.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads records' values as JSON: plain objects, or what Connect's JSON converter wraps. */
final class JsonRecords {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonRecords() {}

  /** All values that there are, in order. */
  static List<JsonNode> values(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .map(ConsumerRecord::value)
        .filter(Objects::nonNull)
        .map(JsonRecords::value)
        .toList();
  }

  /** The decisions on the verify topic that have the outcome. */
  static List<JsonNode> decisions(List<ConsumerRecord<byte[], byte[]>> records, String outcome) {
    return ofType(records, "decision", outcome);
  }

  /** The observations on the verify topic that have the outcome. */
  static List<JsonNode> observations(List<ConsumerRecord<byte[], byte[]>> records, String outcome) {
    return ofType(records, "observation", outcome);
  }

  /** The events on the drift topic that are no baselines. */
  static List<JsonNode> drift(List<ConsumerRecord<byte[], byte[]>> records) {
    return matching(records, event -> !event.path("kind").asText().equals("initial"));
  }

  /** The records on the verify topic of that type. */
  static List<JsonNode> ofType(List<ConsumerRecord<byte[], byte[]>> records, String type) {
    return matching(records, each -> each.path("type").asText().equals(type));
  }

  private static List<JsonNode> ofType(
      List<ConsumerRecord<byte[], byte[]>> records, String type, String outcome) {
    return ofType(records, type).stream()
        .filter(each -> each.path("outcome").asText().equals(outcome))
        .toList();
  }

  private static List<JsonNode> matching(
      List<ConsumerRecord<byte[], byte[]>> records, Predicate<JsonNode> condition) {
    return values(records).stream().filter(condition).toList();
  }

  private static JsonNode value(byte[] bytes) {
    try {
      JsonNode read = JSON.readTree(bytes);
      return read.has("schema") && read.has("payload") ? read.path("payload") : read;
    } catch (IOException e) {
      throw new UncheckedIOException("not JSON", e);
    }
  }
}
