package io.walproof.standalone;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes an audit as a run would, on a clock that is moved by hand, and reads it back. */
public final class WrittenAudit implements AutoCloseable {

  public static final TableId ORDERS = new TableId("public", "orders");
  public static final ShapeHash SHAPE = new ShapeHash("00112233445566778899aabbccddeeff");
  public static final Lsn BOUNDARY = Lsn.parse("0/16B3748");
  private static final RowSnapshot HERE = new RowSnapshot.Present(new RowHash(1, 0xA0), 812);
  private static final RowSnapshot THERE = new RowSnapshot.Present(new RowHash(2, 0xB0), 90);

  private final StateDirectory directory;
  private final Clock clock = new Clock();
  private FileAuditLog log;
  private int runs;

  /** Begins at 2026-01-01T00:00:00Z with run-1. */
  public WrittenAudit(Path state) {
    directory = StateDirectory.open(state);
    log = FileAuditLog.open(directory, "run-1", clock);
    runs = 1;
  }

  /** The file. */
  public Path file() {
    return directory.auditFile();
  }

  /** Where the clock stands. */
  public Instant now() {
    return clock.now();
  }

  public WrittenAudit pass(Duration time) {
    clock.at = clock.at.plus(time);
    return this;
  }

  public WrittenAudit append(AuditEntry... entries) {
    log.append(List.of(entries));
    return this;
  }

  /** From now on as the next run, without an end of the one before. */
  public WrittenAudit nextRun() {
    log.close();
    runs++;
    log = FileAuditLog.open(directory, "run-" + runs, clock);
    return this;
  }

  /** All records so far. */
  public List<AuditRecord> records() {
    List<AuditRecord> records = new ArrayList<>();
    try (AuditReader reader = AuditReader.open(file())) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        records.add(next.get());
        next = reader.next();
      }
    }
    return records;
  }

  @Override
  public void close() {
    log.close();
    directory.close();
  }

  public static AuditEntry start() {
    return new AuditEntry.RunStart(
        1,
        "subscription",
        List.of(7L, 42L),
        Map.of("table.include.list", "public\\.orders", "verify.recheck.delay.ms", "60000"),
        Optional.of(
            new AuditedDatabases(
                new AuditedDatabases.Identity("7001", "shop"),
                new AuditedDatabases.Identity("7002", "copy"))));
  }

  public static RowKey key(String id) {
    return new RowKey(List.of(new RowKey.Column("id", id)));
  }

  public static AuditEntry observed(TableId table, String id) {
    return new AuditEntry.Observation(
        Stratum.CDC, table, key(id), List.of("total"), HERE, THERE, Optional.of(SHAPE));
  }

  public static AuditEntry decided(TableId table, String id, Verdict verdict) {
    return decided(table, key(id), verdict);
  }

  public static AuditEntry decided(TableId table, RowKey key, Verdict verdict) {
    return new AuditEntry.Decision(
        Stratum.CDC,
        table,
        key,
        verdict,
        List.of("total"),
        true,
        Optional.of(HERE),
        Optional.of(THERE),
        Optional.of(HERE),
        Optional.of(THERE),
        Optional.of(HERE),
        Optional.of(BOUNDARY),
        Optional.of(SHAPE),
        Optional.empty());
  }

  public static Verdict different() {
    return new Verdict.Unresolved(Kind.DIFFERENT);
  }

  public static Verdict missing() {
    return new Verdict.Unresolved(Kind.MISSING);
  }

  public static Verdict incomplete() {
    return new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED);
  }

  public static AuditEntry drift(DriftEvent.Kind kind, TableId table) {
    return new AuditEntry.Drift(
        new DriftEvent(
            kind,
            DriftEvent.Occurrence.IN_PROCESS,
            Optional.of(table),
            Lsn.parse("0/16B0000"),
            755,
            Optional.empty(),
            Optional.of(SHAPE),
            List.of(
                new DriftEvent.ColumnChange(
                    "total", DriftEvent.ColumnChange.What.TYPE, "integer", "bigint", false)),
            Optional.of(false),
            "report",
            "reported",
            "a column's type changed"));
  }

  public static Coverage coverage(long matched, long pending, Map<String, Long> outcomes) {
    Map<String, Long> all = new java.util.TreeMap<>(outcomes);
    if (matched > 0) {
      all.put("matched", matched);
    }
    long checked = all.values().stream().mapToLong(Long::longValue).sum();
    return new Coverage(
        checked + pending + 2, checked, 1, Map.of("source_absent", 1L), pending, all);
  }

  public static AuditEntry summary(TableId table, Coverage coverage) {
    return new AuditEntry.Summary(coverage, Map.of(table, coverage), Map.of(), Map.of());
  }

  public static AuditEntry end(Coverage coverage, int status) {
    return new AuditEntry.RunEnd("stopped", coverage, OptionalLong.of(status));
  }

  private static final class Clock implements Time {
    private volatile Instant at = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public long nanoTime() {
      return at.toEpochMilli() * 1_000_000;
    }

    @Override
    public Instant now() {
      return at;
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) {
      at = at.plus(atMost);
    }
  }
}
