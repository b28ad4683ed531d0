package io.walproof.verifier.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditedDatabases;
import java.time.Instant;
import java.util.Optional;

/**
 * A record that was read back.
 *
 * @param line its line in the file, from 1, or its offset in a topic's partition
 * @param seq its number, from 1, without gaps over all runs
 * @param at when it was written
 * @param runId the run that wrote it
 * @param type what it is
 * @param text the line itself
 * @param json the line as an object
 */
public record AuditRecord(
    long line, long seq, Instant at, String runId, AuditType type, String text, JsonNode json) {

  /**
   * Reads a record of the verify topic, which stands alone: its chain is not checked.
   *
   * @param topic for messages
   * @param offset stands for the line
   * @param value the record's value; null for a tombstone, which is refused
   * @throws AuditException if it is no record, or of an unknown version
   */
  public static AuditRecord onTopic(String topic, long offset, byte[] value) {
    return RecordParser.ofTopic(topic, offset, value);
  }

  /** The table it is about, if it is about one. */
  public Optional<TableId> table() {
    JsonNode table = json.path("table");
    return table.isObject() ? Optional.of(tableOf(table)) : Optional.empty();
  }

  /**
   * The outcome of an observation ({@code deferred}) or a decision, {@code unresolved} by kind as
   * in {@link io.walproof.verifier.model.Coverage#outcomes()}.
   */
  public Optional<String> outcome() {
    JsonNode outcome = json.path("outcome");
    if (!outcome.isTextual()) {
      return Optional.empty();
    }
    return Optional.of(
        outcome.textValue().equals("unresolved")
            ? "unresolved_" + json.path("kind").textValue()
            : outcome.textValue());
  }

  /** Of which databases a {@code run_start} is; empty where its writer did not say. */
  public Optional<AuditedDatabases> databases() {
    return identity(json.path("source"))
        .flatMap(
            source ->
                identity(json.path("target")).map(target -> new AuditedDatabases(source, target)));
  }

  private static Optional<AuditedDatabases.Identity> identity(JsonNode database) {
    JsonNode system = database.path("system_identifier");
    JsonNode name = database.path("database");
    return system.isTextual() && name.isTextual()
        ? Optional.of(new AuditedDatabases.Identity(system.textValue(), name.textValue()))
        : Optional.empty();
  }

  /** Why a decision is {@code incomplete}, or why a run ended. */
  public Optional<String> reason() {
    return Optional.ofNullable(json.path("reason").textValue());
  }

  /** The key that it is about, its columns in the key's order; empty for records about no key. */
  public Optional<RowKey> key() {
    return keyIn("key");
  }

  /** A key in one of its fields, such as {@code covered_to}; empty if the field is not there. */
  public Optional<RowKey> keyIn(String field) {
    JsonNode key = json.path(field);
    if (!key.isObject() || key.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new RowKey(
            key.properties().stream()
                .map(column -> new RowKey.Column(column.getKey(), column.getValue().asText()))
                .toList()));
  }

  static TableId tableOf(JsonNode table) {
    return new TableId(table.path("schema").asText(), table.path("name").asText());
  }
}
