package io.walproof.verifier.publish;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import java.nio.charset.StandardCharsets;

/**
 * The keys of published records: a row's records stay in one partition, and so in order; so do a
 * table's drift events and range checks, and a run's own records.
 */
final class RecordKey {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final byte[] run;

  RecordKey(String runId) {
    this.run = bytes(JSON.createObjectNode().put("run_id", runId));
  }

  byte[] of(AuditEntry entry) {
    if (entry instanceof AuditEntry.Decision decision) {
      return row(decision.table(), decision.key());
    } else if (entry instanceof AuditEntry.Observation observation) {
      return row(observation.table(), observation.key());
    } else if (entry instanceof AuditEntry.Drift drift) {
      return drift.event().table().map(table -> bytes(table(table))).orElse(run);
    } else if (entry instanceof AuditEntry.RangeStart range) {
      return bytes(table(range.table()));
    } else if (entry instanceof AuditEntry.RangeEnd range) {
      return range.table().map(table -> bytes(table(table))).orElse(run);
    }
    return run;
  }

  private static byte[] row(TableId table, RowKey key) {
    ObjectNode json = table(table);
    ObjectNode columns = json.putObject("key");
    key.asMap().forEach(columns::put);
    return bytes(json);
  }

  private static ObjectNode table(TableId table) {
    return JSON.createObjectNode().put("schema", table.schema()).put("table", table.name());
  }

  private static byte[] bytes(ObjectNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
