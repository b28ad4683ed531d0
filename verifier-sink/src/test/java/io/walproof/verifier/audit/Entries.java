package io.walproof.verifier.audit;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Entries of every type, and a clock that stands still. */
final class Entries {

  static final TableId ORDERS = new TableId("public", "orders");
  static final TableId ODD = new TableId("Sch\"ema", "a.b\u202e\n");
  static final ShapeHash SHAPE = new ShapeHash("00112233445566778899aabbccddeeff");
  static final RowSnapshot SOURCE = new RowSnapshot.Present(new RowHash(1, 0xA0), 812);
  static final RowSnapshot TARGET = new RowSnapshot.Present(new RowHash(2, 0xB0), 4_294_967_295L);

  private Entries() {}

  static AuditEntry runStart() {
    return new AuditEntry.RunStart(
        1,
        "subscription",
        List.of(7L, 42L),
        Map.of("verify.settle.ms", "5000", "table.include.list", "public.orders"),
        Optional.empty());
  }

  static AuditEntry observation(String id) {
    return new AuditEntry.Observation(
        Stratum.CDC,
        ORDERS,
        key(id),
        List.of("total", "caf\u00e9"),
        SOURCE,
        TARGET,
        Optional.of(SHAPE));
  }

  static AuditEntry different(TableId table, String id) {
    return decision(table, id, new Verdict.Unresolved(Kind.DIFFERENT));
  }

  static AuditEntry decision(TableId table, String id, Verdict verdict) {
    return new AuditEntry.Decision(
        Stratum.CDC,
        table,
        key(id),
        verdict,
        List.of("total"),
        false,
        Optional.of(SOURCE),
        Optional.of(TARGET),
        Optional.of(SOURCE),
        Optional.of(TARGET),
        Optional.of(SOURCE),
        Optional.of(Lsn.parse("0/16B3748")),
        Optional.of(SHAPE),
        Optional.empty());
  }

  static AuditEntry missing() {
    return new AuditEntry.Decision(
        Stratum.RANGE,
        ODD,
        new RowKey(
            List.of(new RowKey.Column("b", "a::b\"\\"), new RowKey.Column("a", "\u0001\u007f"))),
        new Verdict.Unresolved(Kind.MISSING),
        List.of(),
        true,
        Optional.of(SOURCE),
        Optional.of(RowSnapshot.absent()),
        Optional.of(SOURCE),
        Optional.of(RowSnapshot.absent()),
        Optional.of(SOURCE),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  static AuditEntry incomplete() {
    return new AuditEntry.Decision(
        Stratum.CDC,
        ORDERS,
        key("44"),
        new Verdict.Incomplete(IncompleteReason.TARGET_READ_FAILED),
        List.of(),
        false,
        Optional.of(SOURCE),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of("The target refused the connection."));
  }

  static AuditEntry drift() {
    return new AuditEntry.Drift(
        new DriftEvent(
            DriftEvent.Kind.SHAPE_CHANGED,
            DriftEvent.Occurrence.ACROSS_RESTART,
            Optional.of(ORDERS),
            Lsn.parse("0/16B3800"),
            781,
            Optional.of(SHAPE),
            Optional.of(new ShapeHash("ffeeddccbbaa99887766554433221100")),
            List.of(
                new DriftEvent.ColumnChange(
                    "total",
                    DriftEvent.ColumnChange.What.TYPE_MODIFIER,
                    "numeric(12,2)",
                    "numeric(14,2)",
                    false)),
            Optional.of(false),
            "report",
            "reported",
            "The type modifier of total changed."));
  }

  static AuditEntry gap() {
    return new AuditEntry.Drift(
        new DriftEvent(
            DriftEvent.Kind.GAP,
            DriftEvent.Occurrence.ACROSS_RESTART,
            Optional.empty(),
            Lsn.parse("1/0"),
            0,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            "report",
            "reported",
            "The slot was created again: changes from 0/16B3800 to 1/0 were not seen."));
  }

  static AuditEntry summary(Map<TableId, Coverage> tables, Coverage total) {
    return new AuditEntry.Summary(total, tables, Map.of(), Map.of());
  }

  static AuditEntry runEnd(Coverage total) {
    return new AuditEntry.RunEnd("stopped", total, OptionalLong.of(2));
  }

  static Coverage coverage(long matched, Map<String, Long> others) {
    Map<String, Long> outcomes = new TreeMap<>(others);
    outcomes.put("matched", matched);
    long checked = outcomes.values().stream().mapToLong(Long::longValue).sum();
    return new Coverage(checked + 7, checked, 4, Map.of("source_absent", 2L), 1, outcomes);
  }

  static RowKey key(String id) {
    return new RowKey(List.of(new RowKey.Column("id", id)));
  }

  /** Always the same moment. */
  static Time clock() {
    return new Time() {
      @Override
      public long nanoTime() {
        return 0;
      }

      @Override
      public Instant now() {
        return Instant.parse("2026-01-01T00:00:00.000999Z");
      }

      @Override
      public void waitOn(Object monitor, Duration atMost) {
        throw new UnsupportedOperationException("nothing here waits");
      }
    };
  }
}
