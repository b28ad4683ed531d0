package io.walproof.verifier.core;

import static org.awaitility.Awaitility.await;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A verifier over fakes, on a clock that the test moves. */
final class VerifierHarness implements AutoCloseable {

  static final TableId ORDERS = new TableId("public", "orders");
  static final Duration SETTLE = Duration.ofSeconds(5);
  static final Duration DELAY = Duration.ofSeconds(60);

  /** In real time, for what other threads do in virtual time. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");

  final ManualTime time = new ManualTime();
  final FakeTables tables = new FakeTables();
  final FakeReplay replay = new FakeReplay();
  final MemoryAudit audit = new MemoryAudit();
  final Watermark watermark = new Watermark();
  final Verifier verifier;

  VerifierHarness() {
    this(Set.of(), 100_000, Duration.ZERO);
  }

  VerifierHarness(Set<Long> ignoredApps, int pendingMax, Duration tableTimeout) {
    verifier =
        new Verifier(
            new VerifierLimits(
                SETTLE,
                DELAY,
                100,
                Duration.ofSeconds(60),
                tableTimeout,
                Duration.ofSeconds(30),
                pendingMax,
                ignoredApps),
            new Verifier.Parts(time, audit, tables.access(), tables.access(), replay));
    verifier.start();
  }

  static RowKey key(int id) {
    return new RowKey(List.of(new RowKey.Column("id", Integer.toString(id))));
  }

  static ChangedKey change(TableId table, RowKey key, Operation operation) {
    return new ChangedKey(table, key, operation, new Lsn(1), 1, Instant.EPOCH, SHAPE);
  }

  void submit(int id, Operation operation) {
    submit(ORDERS, id, operation);
  }

  void submit(TableId table, int id, Operation operation) {
    try {
      verifier.submit(change(table, key(id), operation), watermark);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets the settle time pass and waits until that many mismatches are on hold. */
  void awaitObserved(int mismatches) {
    time.advance(SETTLE);
    await().atMost(PATIENCE).until(() -> audit.observations().size() == mismatches);
    await().atMost(PATIENCE).until(() -> verifier.deferred() == mismatches);
  }

  /** Lets the recheck delay pass and waits for that many decisions in all. */
  List<AuditEntry.Decision> awaitDecided(int decisions) {
    time.advance(DELAY);
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              // An accusation waits for one more settle time.
              time.advance(SETTLE);
              return audit.decisions().size() == decisions && verifier.pending() == 0;
            });
    return audit.decisions();
  }

  @Override
  public void close() {
    try {
      verifier.stop(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
