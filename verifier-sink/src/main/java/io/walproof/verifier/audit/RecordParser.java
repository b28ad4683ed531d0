package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Reads one record's fields, which are the same in a file's line and a topic's value. */
final class RecordParser {

  private static final int HASH_DIGITS = 64;

  private final String place;
  private final long at;
  private final Function<String, AuditDamagedException> damaged;

  private RecordParser(String place, long at, Function<String, AuditDamagedException> damaged) {
    this.place = place;
    this.at = at;
    this.damaged = damaged;
  }

  /** The bytes as an object, empty if they are anything else. */
  static Optional<JsonNode> object(byte[] bytes) {
    try {
      JsonNode json = AuditFormat.READING.readTree(bytes);
      return json.isObject() ? Optional.of(json) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory cannot fail to be read", e);
    }
  }

  /**
   * A line's record.
   *
   * @throws AuditException if it is none, or of an unknown version
   */
  static AuditRecord ofFile(Path file, long line, byte[] bytes, JsonNode json) {
    return new RecordParser(
            "Line " + line + " of the audit file " + file,
            line,
            finding -> new AuditDamagedException(file, line, finding))
        .record(bytes, json);
  }

  /**
   * A topic record's value.
   *
   * @throws AuditException if it is none, or of an unknown version
   */
  static AuditRecord ofTopic(String topic, long offset, byte[] bytes) {
    Function<String, AuditDamagedException> damaged =
        finding -> AuditDamagedException.onTopic(topic, offset, finding);
    if (bytes == null) {
      throw damaged.apply("has no value.");
    }
    JsonNode json = object(bytes).orElseThrow(() -> damaged.apply("is no JSON object."));
    return new RecordParser(
            "The record at offset " + offset + " of the topic " + topic, offset, damaged)
        .record(bytes, json);
  }

  private AuditRecord record(byte[] bytes, JsonNode json) {
    JsonNode version = json.path("v");
    if (!version.isInt()) {
      throw damaged.apply("has no format version.");
    }
    if (version.intValue() != AuditFormat.VERSION) {
      throw new AuditException(
          "%s has format version %d; this build reads version %d. Use the build that wrote it or a newer one."
              .formatted(place, version.intValue(), AuditFormat.VERSION));
    }
    String typeText = text(json, "type");
    AuditType type =
        AuditType.of(typeText).orElseThrow(() -> damaged.apply("has an unknown type."));
    if (!json.path("seq").isIntegralNumber()) {
      throw damaged.apply("has no number.");
    }
    if (text(json, "prev").length() != HASH_DIGITS) {
      throw damaged.apply("has no hash of the record before.");
    }
    return new AuditRecord(
        at,
        json.path("seq").longValue(),
        instant(text(json, "ts")),
        text(json, "run_id"),
        type,
        new String(bytes, StandardCharsets.UTF_8),
        json);
  }

  private Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      AuditDamagedException unreadable = damaged.apply("has no readable time.");
      unreadable.addSuppressed(e);
      throw unreadable;
    }
  }

  private String text(JsonNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw damaged.apply("has no field \"" + field + "\".");
    }
    return value.textValue();
  }
}
