package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A confirmed failure with its evidence, or a check that was not judged. Keys and hashes only.
 *
 * @param at when it was decided
 * @param runId by which run
 * @param seq the record's number, which in a file counts over all of its runs
 * @param table the table
 * @param key the row
 * @param stratum {@code cdc} or {@code range}
 * @param outcome as in the record, {@code unresolved} by kind
 * @param reason why it is incomplete, if it is
 * @param columns the columns that differ
 * @param sourceChanged whether the source row changed after the first read
 * @param snapshots what was read, by the record's field names, in the order of reading
 * @param boundary what replay had to pass
 * @param shape the shape's hash
 * @param detail a sentence
 */
public record Failure(
    Instant at,
    String runId,
    long seq,
    TableId table,
    RowKey key,
    String stratum,
    String outcome,
    Optional<String> reason,
    List<String> columns,
    boolean sourceChanged,
    Map<String, Snapshot> snapshots,
    Optional<String> boundary,
    Optional<String> shape,
    Optional<String> detail) {

  private static final List<String> READS =
      List.of("original_source", "original_target", "source", "target", "source_after");

  /**
   * A row as it was read.
   *
   * @param present whether there was one
   * @param hash its hash, empty if there was none
   * @param version its xmin, empty if there was none
   */
  public record Snapshot(boolean present, String hash, String version) {}

  /** Reads a decision. */
  static Failure of(AuditRecord record) {
    JsonNode json = record.json();
    Map<String, Snapshot> snapshots = new LinkedHashMap<>();
    for (String field : READS) {
      JsonNode read = json.path(field);
      if (read.isObject()) {
        snapshots.put(
            field,
            new Snapshot(
                read.path("present").asBoolean(),
                read.path("hash").asText(""),
                read.path("version").asText("")));
      }
    }
    List<String> columns = new ArrayList<>();
    json.path("columns").forEach(column -> columns.add(column.asText()));
    return new Failure(
        record.at(),
        record.runId(),
        record.seq(),
        record.table().orElseThrow(),
        record.key().orElseThrow(),
        json.path("stratum").asText(),
        record.outcome().orElse("unknown"),
        record.reason(),
        List.copyOf(columns),
        json.path("source_changed").asBoolean(),
        java.util.Collections.unmodifiableMap(snapshots),
        text(json, "boundary"),
        text(json, "shape"),
        text(json, "detail"));
  }

  private static Optional<String> text(JsonNode json, String field) {
    return Optional.ofNullable(json.path(field).textValue());
  }

  /** Without the key's values. */
  @Override
  public String toString() {
    return "Failure[" + table + " " + key + " " + outcome + "]";
  }
}
