package io.walproof.standalone.repair;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.model.AuditedDatabases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The confirmed failures of an audit that no later {@code converged} decision of their key, by
 * whichever run, has ended. Any other decision proves nothing: the failure stays, as it was
 * confirmed last.
 *
 * @param failures in the order of their decisions
 * @param leftOut failures that found no room; later decisions of their keys may have ended some
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
   * @param databases of which databases its run was, empty where that is not known
   * @param later the outcome of the key's last decision, if that was another one
   */
  public record Failure(
      TableId table,
      RowKey key,
      AuditRecord record,
      Optional<AuditedDatabases> databases,
      Optional<String> later) {

    /** The target row's version (xmin) that was judged; empty if there was no row. */
    Optional<String> judgedVersion() {
      JsonNode target = record.json().path("target");
      return target.path("present").asBoolean()
          ? Optional.of(target.path("version").asText())
          : Optional.empty();
    }

    private Failure followedBy(String outcome) {
      return new Failure(table, key, record, databases, Optional.of(outcome));
    }
  }

  /** By the key's columns in any order: a range check has its index's, a change its table's. */
  private record Row(TableId table, Map<String, String> key) {}

  /**
   * Reads a file, checking its chain.
   *
   * @param file the audit file
   * @param wanted which failures count; what ends them counts always
   * @param most how many failures are kept
   */
  public static ConfirmedFailures read(Path file, Predicate<AuditRecord> wanted, int most) {
    Map<Row, Failure> open = new LinkedHashMap<>();
    Map<String, AuditedDatabases> databases = new HashMap<>();
    long leftOut = 0;
    try (AuditReader reader = AuditReader.open(file)) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        AuditRecord record = next.get();
        if (record.type() == AuditType.RUN_START) {
          record.databases().ifPresent(of -> databases.put(record.runId(), of));
        } else if (record.type() == AuditType.DECISION) {
          leftOut += decision(record, wanted, databases, most, open);
        }
        next = reader.next();
      }
    }
    return new ConfirmedFailures(new ArrayList<>(open.values()), leftOut);
  }

  /** How many failures found no room. */
  private static int decision(
      AuditRecord record,
      Predicate<AuditRecord> wanted,
      Map<String, AuditedDatabases> databases,
      int most,
      Map<Row, Failure> open) {
    TableId table = record.table().orElseThrow();
    RowKey key = record.key().orElseThrow();
    Row row = new Row(table, key.asMap());
    String outcome = record.outcome().orElse("unknown");
    if (outcome.equals("converged")) {
      open.remove(row);
    } else if (outcome.startsWith("unresolved") && wanted.test(record)) {
      open.remove(row);
      if (open.size() >= most) {
        return 1;
      }
      Optional<AuditedDatabases> of = Optional.ofNullable(databases.get(record.runId()));
      open.put(row, new Failure(table, key, record, of, Optional.empty()));
    } else {
      open.computeIfPresent(row, (any, failure) -> failure.followedBy(outcome));
    }
    return 0;
  }
}
