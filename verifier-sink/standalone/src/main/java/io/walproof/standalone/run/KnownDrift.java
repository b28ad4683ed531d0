package io.walproof.standalone.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Drift events that the audit holds already. The offset follows the decided keys, so after a
 * restart a change that was reported before may be delivered again with a history from before it;
 * it must not be reported twice (invariant E). All of them are kept, as no position tells which can
 * come again: the changes of a transaction that commits behind it may lie long before it. Gaps are
 * left out: each run that accepts one answers for it, also if an earlier one that recorded it never
 * got behind it. Immutable.
 */
final class KnownDrift {

  private record Fact(String kind, Optional<TableId> table, Lsn lsn, Optional<String> current) {}

  private final Set<Fact> facts;

  private KnownDrift(Set<Fact> facts) {
    this.facts = Set.copyOf(facts);
  }

  /** Reads the audit file, which no process may be writing. */
  static KnownDrift read(Path auditFile) {
    Set<Fact> facts = new HashSet<>();
    if (Files.exists(auditFile)) {
      try (AuditReader reader = AuditReader.open(auditFile)) {
        Optional<AuditRecord> next = reader.next();
        while (next.isPresent()) {
          AuditRecord record = next.get();
          if (record.type() == AuditType.DRIFT) {
            Fact fact = fact(record);
            if (!fact.kind().equals(kind(Kind.GAP))) {
              facts.add(fact);
            }
          }
          next = reader.next();
        }
      }
    }
    return new KnownDrift(facts);
  }

  private static Fact fact(AuditRecord record) {
    JsonNode json = record.json();
    return new Fact(
        json.path("kind").asText(),
        record.table(),
        Lsn.parse(json.path("lsn").asText()),
        Optional.ofNullable(json.path("shape").textValue()));
  }

  boolean contains(DriftEvent event) {
    return facts.contains(
        new Fact(
            kind(event.kind()), event.table(), event.lsn(), event.current().map(ShapeHash::hex)));
  }

  private static String kind(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
