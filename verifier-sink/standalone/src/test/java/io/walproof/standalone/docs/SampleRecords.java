package io.walproof.standalone.docs;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.MatchedVersion;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VersionGap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Records of each kind: one with everything, and one with nothing that may be absent. */
final class SampleRecords {

  private static final TableId TABLE = new TableId("public", "orders");
  private static final RowKey KEY = new RowKey(List.of(new RowKey.Column("id", "42")));
  private static final ShapeHash SHAPE = new ShapeHash("00112233445566778899aabbccddeeff");
  private static final Lsn LSN = Lsn.parse("0/16B3748");
  private static final RowSnapshot ROW = new RowSnapshot.Present(new RowHash(1, 2), 812);
  private static final AuditedDatabases DATABASES =
      new AuditedDatabases(
          new AuditedDatabases.Identity("7001", "shop"),
          new AuditedDatabases.Identity("7002", "copy"));
  private static final ColumnsLeftOut LEFT_OUT =
      new ColumnsLeftOut(List.of("p: point on both sides"), List.of("note"), List.of("own"));
  private static final Coverage COUNTS =
      new Coverage(3, 1, 0, Map.of("source_absent", 1L), 1, Map.of("matched", 1L));

  private SampleRecords() {}

  static List<ChangedKey> changedKeys() {
    return List.of(
        new ChangedKey(TABLE, KEY, Operation.UPDATE, LSN, 812, Instant.EPOCH, SHAPE),
        new ChangedKey(TABLE, KEY, Operation.READ, LSN, 0, Instant.EPOCH, null));
  }

  static List<DriftEvent> driftEvents() {
    return List.of(
        drift(Optional.of(TABLE), Optional.of(SHAPE), Optional.of(true), Optional.empty()),
        drift(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(LSN)));
  }

  private static DriftEvent drift(
      Optional<TableId> table,
      Optional<ShapeHash> shape,
      Optional<Boolean> narrowing,
      Optional<Lsn> from) {
    return new DriftEvent(
        DriftEvent.Kind.SHAPE_CHANGED,
        DriftEvent.Occurrence.IN_PROCESS,
        table,
        LSN,
        812,
        shape,
        shape,
        List.of(
            new DriftEvent.ColumnChange(
                "total", DriftEvent.ColumnChange.What.TYPE, "bigint", "integer", true)),
        narrowing,
        "report",
        "reported",
        "a sentence",
        from);
  }

  private static AuditEntry start(Optional<AuditedDatabases> databases) {
    return new AuditEntry.RunStart(
        1, "subscription", List.of(7L), Map.of("verify.settle.ms", "0"), databases);
  }

  static List<AuditEntry> auditEntries() {
    return List.of(
        start(Optional.of(DATABASES)),
        start(Optional.empty()),
        new AuditEntry.Observation(
            Stratum.CDC, TABLE, KEY, List.of("total"), ROW, ROW, Optional.of(SHAPE)),
        new AuditEntry.Observation(
            Stratum.CDC, TABLE, KEY, List.of("total"), ROW, ROW, Optional.empty()),
        decision(new Verdict.Unresolved(Kind.DIFFERENT), true),
        decision(new Verdict.Incomplete(IncompleteReason.CANCELLED), false),
        decision(new Verdict.IgnoredApp(7), true),
        decision(new Verdict.Advanced(Optional.of(VersionGap.MEMORY)), true),
        decision(
            new Verdict.Converged(
                Optional.of(new MatchedVersion(Optional.of(new Lsn(0x16B3748L))))),
            true),
        decision(new Verdict.Matched(), true),
        new AuditEntry.Drift(driftEvents().get(0)),
        new AuditEntry.Drift(driftEvents().get(1)),
        new AuditEntry.RangeStart(
            TABLE,
            "request",
            Optional.of(KEY),
            true,
            Optional.of(KEY),
            true,
            "by_order",
            1,
            false,
            false),
        new AuditEntry.RangeStart(
            TABLE,
            "table",
            Optional.empty(),
            true,
            Optional.empty(),
            true,
            "by_order",
            1,
            false,
            false),
        rangeEnd(Optional.of("live"), Optional.of(KEY), Optional.of("a sentence")),
        rangeEnd(Optional.empty(), Optional.empty(), Optional.empty()),
        new AuditEntry.RangesStart("schedule", 12),
        AuditEntry.RangeEnd.unread(Optional.empty(), "incomplete", Optional.of("a sentence")),
        new AuditEntry.Summary(
            COUNTS, Map.of(TABLE, COUNTS), Map.of(TABLE, LSN), Map.of(TABLE, LEFT_OUT)),
        new AuditEntry.RunEnd("stopped", COUNTS, OptionalLong.of(0)),
        new AuditEntry.RunEnd("stopped", COUNTS, OptionalLong.empty()));
  }

  private static AuditEntry decision(Verdict verdict, boolean full) {
    Optional<RowSnapshot> row = full ? Optional.of(ROW) : Optional.empty();
    return new AuditEntry.Decision(
        Stratum.CDC,
        TABLE,
        KEY,
        verdict,
        List.of("total"),
        true,
        row,
        row,
        row,
        row,
        row,
        full ? Optional.of(LSN) : Optional.empty(),
        full ? Optional.of(SHAPE) : Optional.empty(),
        full ? Optional.of("a sentence") : Optional.empty());
  }

  private static AuditEntry rangeEnd(
      Optional<String> strength, Optional<RowKey> coveredTo, Optional<String> detail) {
    return new AuditEntry.RangeEnd(
        Optional.of(TABLE),
        "proved",
        strength,
        10,
        1,
        0,
        Map.of("matched", 1L),
        1,
        List.of(KEY),
        coveredTo,
        detail);
  }
}
