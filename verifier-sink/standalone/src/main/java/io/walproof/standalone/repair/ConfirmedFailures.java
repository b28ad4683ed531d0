package io.walproof.standalone.repair;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The keys whose last decision in an audit file is a confirmed failure.
 *
 * @param failures in the order of their decisions
 * @param leftOut decisions that found no room; a later one of the same key may have taken one back
 */
public record ConfirmedFailures(List<Failure> failures, long leftOut) {

  /** Copies. */
  public ConfirmedFailures {
    failures = List.copyOf(failures);
  }

  /**
   * One of them.
   *
   * @param table the table
   * @param key the key
   * @param record the decision
   */
  public record Failure(TableId table, RowKey key, AuditRecord record) {

    /** The target row's version (xmin) that was judged; empty if there was no row. */
    Optional<String> judgedVersion() {
      JsonNode target = record.json().path("target");
      return target.path("present").asBoolean()
          ? Optional.of(target.path("version").asText())
          : Optional.empty();
    }
  }

  /** By the key's columns in any order: a range check has its index's, a change its table's. */
  private record Row(TableId table, Map<String, String> key) {}

  /**
   * Reads a file, checking its chain.
   *
   * @param file the audit file
   * @param wanted which records count
   * @param most how many failures are kept
   */
  public static ConfirmedFailures read(Path file, Predicate<AuditRecord> wanted, int most) {
    Map<Row, AuditRecord> open = new LinkedHashMap<>();
    long leftOut = 0;
    try (AuditReader reader = AuditReader.open(file)) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        AuditRecord record = next.get();
        if (record.type() == AuditType.DECISION && wanted.test(record)) {
          Row row = new Row(record.table().orElseThrow(), record.key().orElseThrow().asMap());
          open.remove(row);
          if (record.outcome().orElse("").startsWith("unresolved")) {
            if (open.size() < most) {
              open.put(row, record);
            } else {
              leftOut++;
            }
          }
        }
        next = reader.next();
      }
    }
    List<Failure> failures = new ArrayList<>();
    open.forEach(
        (row, record) ->
            failures.add(new Failure(row.table(), record.key().orElseThrow(), record)));
    return new ConfirmedFailures(failures, leftOut);
  }
}
