package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import io.walproof.contract.RowKey;
import io.walproof.verifier.model.AuditEntry;
import java.io.IOException;
import java.util.TreeMap;

/** Writes the bodies of range checks' own records. */
final class RangeRecords {

  private RangeRecords() {}

  static void start(JsonGenerator json, AuditEntry.RangeStart start) throws IOException {
    json.writeStringField("stratum", "range");
    AuditEncoder.table(json, "table", start.table());
    json.writeStringField("origin", start.origin());
    if (start.from().isPresent()) {
      AuditEncoder.key(json, "from", start.from().get());
      json.writeBooleanField("from_inclusive", start.fromInclusive());
    }
    if (start.to().isPresent()) {
      AuditEncoder.key(json, "to", start.to().get());
      json.writeBooleanField("to_inclusive", start.toInclusive());
    }
    json.writeStringField("pairing", start.pairing());
    json.writeNumberField("digest_version", start.digestVersion());
    json.writeBooleanField("resumed", start.resumed());
    json.writeBooleanField("narrowed", start.narrowed());
  }

  static void start(JsonGenerator json, AuditEntry.RangesStart start) throws IOException {
    json.writeStringField("stratum", "range");
    json.writeStringField("origin", start.origin());
    json.writeNumberField("tables", start.tables());
  }

  static void end(JsonGenerator json, AuditEntry.RangeEnd end) throws IOException {
    json.writeStringField("stratum", "range");
    if (end.table().isPresent()) {
      AuditEncoder.table(json, "table", end.table().get());
    }
    json.writeStringField("outcome", end.outcome());
    AuditEncoder.text(json, "strength", end.strength());
    json.writeNumberField("rows", end.rows());
    json.writeNumberField("chunks_equal", end.chunksEqual());
    json.writeNumberField("chunks_differing", end.chunksDiffering());
    AuditEncoder.counts(json, "keys", new TreeMap<>(end.keys()));
    json.writeNumberField("target_only", end.targetOnly());
    json.writeArrayFieldStart("target_only_keys");
    for (RowKey key : end.targetOnlyKeys()) {
      json.writeStartObject();
      AuditEncoder.keyColumns(json, key);
      json.writeEndObject();
    }
    json.writeEndArray();
    if (end.coveredTo().isPresent()) {
      AuditEncoder.key(json, "covered_to", end.coveredTo().get());
    }
    AuditEncoder.text(json, "detail", end.detail());
  }
}
