package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes records, format 1 (design, section 12): one JSON object, fields in a fixed order, absent
 * facts left out. The golden vectors in the tests pin it.
 */
final class AuditEncoder {

  private final String runId;

  AuditEncoder(String runId) {
    this.runId = runId;
  }

  /** The record's bytes, without a newline. */
  byte[] encode(long seq, String previous, Instant at, AuditEntry entry) {
    return line(seq, previous, at, type(entry), json -> body(json, entry));
  }

  /**
   * The mark behind a line that was cut off.
   *
   * @param bytes how many bytes lie between the record before and the mark, without the last
   *     newline
   * @param sha256 their hash in hex, so that they cannot be edited either
   */
  byte[] tornLine(long seq, String previous, Instant at, long bytes, String sha256) {
    return line(
        seq,
        previous,
        at,
        AuditType.TORN_LINE,
        json -> {
          json.writeNumberField("bytes", bytes);
          json.writeStringField("sha256", sha256);
        });
  }

  private static AuditType type(AuditEntry entry) {
    if (entry instanceof AuditEntry.RunStart) {
      return AuditType.RUN_START;
    } else if (entry instanceof AuditEntry.Observation) {
      return AuditType.OBSERVATION;
    } else if (entry instanceof AuditEntry.Decision) {
      return AuditType.DECISION;
    } else if (entry instanceof AuditEntry.Drift) {
      return AuditType.DRIFT;
    } else if (entry instanceof AuditEntry.RangeStart || entry instanceof AuditEntry.RangesStart) {
      return AuditType.RANGE_START;
    } else if (entry instanceof AuditEntry.RangeEnd) {
      return AuditType.RANGE_END;
    } else if (entry instanceof AuditEntry.Summary) {
      return AuditType.SUMMARY;
    } else if (entry instanceof AuditEntry.RunEnd) {
      return AuditType.RUN_END;
    }
    throw new IllegalArgumentException("no record type for " + entry.getClass().getName());
  }

  private byte[] line(long seq, String previous, Instant at, AuditType type, Body body) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = AuditFormat.WRITING.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("v", AuditFormat.VERSION);
      json.writeNumberField("seq", seq);
      json.writeStringField("prev", previous);
      json.writeStringField("ts", AuditFormat.TIMESTAMP.format(at));
      json.writeStringField("run_id", runId);
      json.writeStringField("type", type.text());
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be written to", e);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void body(JsonGenerator json, AuditEntry entry) throws IOException {
    if (entry instanceof AuditEntry.RunStart start) {
      runStart(json, start);
    } else if (entry instanceof AuditEntry.Observation observation) {
      observation(json, observation);
    } else if (entry instanceof AuditEntry.Decision decision) {
      decision(json, decision);
    } else if (entry instanceof AuditEntry.Drift drift) {
      drift(json, drift.event());
    } else if (entry instanceof AuditEntry.RangeStart start) {
      RangeRecords.start(json, start);
    } else if (entry instanceof AuditEntry.RangesStart start) {
      RangeRecords.start(json, start);
    } else if (entry instanceof AuditEntry.RangeEnd end) {
      RangeRecords.end(json, end);
    } else if (entry instanceof AuditEntry.Summary summary) {
      summary(json, summary);
    } else if (entry instanceof AuditEntry.RunEnd end) {
      runEnd(json, end);
    }
  }

  private static void runStart(JsonGenerator json, AuditEntry.RunStart start) throws IOException {
    json.writeNumberField("rules_version", start.rulesVersion());
    json.writeStringField("confirmation", start.confirmation());
    json.writeArrayFieldStart("ignored_apps");
    for (long app : start.ignoredApps()) {
      json.writeNumber(app);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("scope");
    for (Map.Entry<String, String> setting : new TreeMap<>(start.scope()).entrySet()) {
      json.writeStringField(setting.getKey(), setting.getValue());
    }
    json.writeEndObject();
    if (start.databases().isPresent()) {
      database(json, "source", start.databases().get().source());
      database(json, "target", start.databases().get().target());
    }
  }

  private static void database(JsonGenerator json, String field, AuditedDatabases.Identity which)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField("system_identifier", which.systemIdentifier());
    json.writeStringField("database", which.database());
    json.writeEndObject();
  }

  private static void observation(JsonGenerator json, AuditEntry.Observation observation)
      throws IOException {
    subject(json, observation.stratum(), observation.table(), observation.key());
    json.writeStringField("outcome", "deferred");
    strings(json, "columns", observation.columns());
    snapshot(json, "original_source", Optional.of(observation.source()));
    snapshot(json, "original_target", Optional.of(observation.target()));
    text(json, "shape", observation.shape());
  }

  private static void decision(JsonGenerator json, AuditEntry.Decision decision)
      throws IOException {
    subject(json, decision.stratum(), decision.table(), decision.key());
    Verdict verdict = decision.verdict();
    json.writeStringField("outcome", verdict.outcome());
    if (verdict instanceof Verdict.Unresolved unresolved) {
      json.writeStringField("kind", unresolved.kind().text());
    } else if (verdict instanceof Verdict.Incomplete incomplete) {
      json.writeStringField("reason", incomplete.reason().text());
    } else if (verdict instanceof Verdict.IgnoredApp ignored) {
      json.writeNumberField("app", ignored.app());
    } else if (verdict instanceof Verdict.Advanced advanced && advanced.gap().isPresent()) {
      json.writeStringField("gap", advanced.gap().get().text());
    } else if (verdict instanceof Verdict.Converged converged
        && converged.matchedVersion().isPresent()) {
      json.writeObjectFieldStart("matched_version");
      text(json, "lsn", converged.matchedVersion().get().lsn());
      json.writeEndObject();
    }
    strings(json, "columns", decision.columns());
    json.writeBooleanField("source_changed", decision.sourceChanged());
    snapshot(json, "original_source", decision.originalSource());
    snapshot(json, "original_target", decision.originalTarget());
    snapshot(json, "source", decision.source());
    snapshot(json, "target", decision.target());
    snapshot(json, "source_after", decision.sourceAfter());
    text(json, "boundary", decision.boundary());
    text(json, "shape", decision.shape());
    text(json, "detail", decision.detail());
  }

  private static void drift(JsonGenerator json, DriftEvent event) throws IOException {
    if (event.table().isPresent()) {
      table(json, "table", event.table().get());
    }
    json.writeStringField("kind", lower(event.kind()));
    json.writeStringField("occurrence", lower(event.occurrence()));
    json.writeStringField("lsn", event.lsn().toString());
    text(json, "from", event.from());
    json.writeNumberField("transaction", event.transactionId());
    text(json, "previous_shape", event.previous());
    text(json, "shape", event.current());
    json.writeArrayFieldStart("changes");
    for (DriftEvent.ColumnChange change : event.changes()) {
      json.writeStartObject();
      json.writeStringField("column", change.column());
      json.writeStringField("what", lower(change.what()));
      json.writeStringField("before", change.before());
      json.writeStringField("after", change.after());
      json.writeBooleanField("narrowing", change.narrowing());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (event.narrowing().isPresent()) {
      json.writeBooleanField("narrowing", event.narrowing().get());
    }
    json.writeStringField("policy", event.policy());
    json.writeStringField("action", event.action());
    json.writeStringField("detail", event.detail());
  }

  private static void summary(JsonGenerator json, AuditEntry.Summary summary) throws IOException {
    coverage(json, summary.total());
    json.writeArrayFieldStart("tables");
    for (Map.Entry<TableId, Coverage> entry : new TreeMap<>(summary.tables()).entrySet()) {
      json.writeStartObject();
      table(json, "table", entry.getKey());
      coverage(json, entry.getValue());
      text(
          json, "verdicts_after", Optional.ofNullable(summary.verdictsAfter().get(entry.getKey())));
      ColumnsLeftOut columns = summary.columns().get(entry.getKey());
      if (columns != null) {
        strings(json, "not_compared", columns.notCompared());
        strings(json, "excluded", columns.excluded());
        strings(json, "not_published", columns.notPublished());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void runEnd(JsonGenerator json, AuditEntry.RunEnd end) throws IOException {
    json.writeStringField("reason", end.reason());
    if (end.exitStatus().isPresent()) {
      json.writeNumberField("exit_status", end.exitStatus().getAsLong());
    }
    coverage(json, end.total());
  }

  private static void subject(
      JsonGenerator json, AuditEntry.Stratum stratum, TableId table, RowKey key)
      throws IOException {
    json.writeStringField("stratum", lower(stratum));
    table(json, "table", table);
    key(json, "key", key);
  }

  static void key(JsonGenerator json, String field, RowKey key) throws IOException {
    json.writeObjectFieldStart(field);
    keyColumns(json, key);
    json.writeEndObject();
  }

  static void keyColumns(JsonGenerator json, RowKey key) throws IOException {
    for (RowKey.Column column : key.columns()) {
      json.writeStringField(column.name(), column.text());
    }
  }

  static void table(JsonGenerator json, String field, TableId table) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField("schema", table.schema());
    json.writeStringField("name", table.name());
    json.writeEndObject();
  }

  private static void snapshot(JsonGenerator json, String field, Optional<RowSnapshot> snapshot)
      throws IOException {
    if (snapshot.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart(field);
    json.writeBooleanField("present", snapshot.get().present());
    if (snapshot.get() instanceof RowSnapshot.Present present) {
      json.writeStringField("hash", present.hash().hex());
      json.writeStringField("version", Long.toString(present.xmin()));
    }
    json.writeEndObject();
  }

  private static void coverage(JsonGenerator json, Coverage coverage) throws IOException {
    json.writeObjectFieldStart("coverage");
    json.writeNumberField("observed", coverage.observed());
    json.writeNumberField("checked", coverage.checked());
    json.writeNumberField("coalesced", coverage.coalesced());
    counts(json, "skipped", coverage.skipped());
    json.writeNumberField("pending", coverage.pending());
    counts(json, "outcomes", coverage.outcomes());
    json.writeEndObject();
  }

  static void counts(JsonGenerator json, String field, Map<String, Long> counts)
      throws IOException {
    json.writeObjectFieldStart(field);
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      json.writeNumberField(count.getKey(), count.getValue());
    }
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String field, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  static void text(JsonGenerator json, String field, Optional<?> value) throws IOException {
    if (value.isPresent()) {
      json.writeStringField(field, value.get().toString());
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @FunctionalInterface
  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }
}
