package io.walproof.standalone;

import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.util.List;

/** What the audit holds of the latest run so far; the run may still be writing. */
final class LastRun {

  private final List<AuditRecord> records;

  private LastRun(List<AuditRecord> records) {
    this.records = records;
  }

  static LastRun of(Operated operated) {
    List<AuditRecord> audit = operated.audit();
    String run = audit.isEmpty() ? "" : audit.get(audit.size() - 1).runId();
    return new LastRun(audit.stream().filter(record -> record.runId().equals(run)).toList());
  }

  List<AuditRecord> all(AuditType type) {
    return records.stream().filter(record -> record.type() == type).toList();
  }

  AuditRecord last() {
    return records.get(records.size() - 1);
  }

  /** Mismatches at the first read. */
  int deferred() {
    return all(AuditType.OBSERVATION).size();
  }

  /** Keys pending at the last summary. */
  int pending() {
    return covered("pending");
  }

  /** Keys observed until the last summary. */
  int observed() {
    return covered("observed");
  }

  private int covered(String figure) {
    List<AuditRecord> summaries = all(AuditType.SUMMARY);
    return summaries.isEmpty()
        ? 0
        : summaries.get(summaries.size() - 1).json().path("coverage").path(figure).asInt();
  }

  /** The column {@code id} of the keys that were decided so. */
  List<String> decided(String outcome) {
    return all(AuditType.DECISION).stream()
        .filter(record -> record.outcome().orElseThrow().equals(outcome))
        .map(record -> record.json().path("key").path("id").asText())
        .toList();
  }
}
