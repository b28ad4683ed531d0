package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.connect.SourceCounters;
import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.model.AuditEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a run makes of diverted keys that an earlier one kept; the verifier decides nothing here.
 */
class DivertedIntakeTest {

  private static final TableId TABLE = new TableId("public", "t");

  @TempDir Path folder;

  private final List<AuditEntry> audited = new ArrayList<>();
  private final List<DriftEvent> drift = new ArrayList<>();
  private final SourceCounters counters = new SourceCounters();
  private final Verifier verifier =
      new Verifier(
          new VerifierLimits(
              Duration.ZERO,
              Duration.ZERO,
              10,
              Duration.ZERO,
              Duration.ZERO,
              Duration.ofSeconds(1),
              100,
              Set.of()),
          new Verifier.Parts(Time.system(), new Audit(), null, null, null));

  private final class Audit implements AuditLog {
    @Override
    public void append(List<AuditEntry> entries) {
      audited.addAll(entries);
    }

    @Override
    public void close() {}
  }

  private static ChangedKey key(int id, long lsn) {
    return key(id, lsn, Operation.UPDATE);
  }

  private static ChangedKey key(int id, long lsn, Operation operation) {
    return new ChangedKey(
        TABLE,
        new RowKey(List.of(new RowKey.Column("id", Integer.toString(id)))),
        operation,
        new Lsn(lsn),
        lsn,
        Instant.EPOCH,
        new ShapeHash("1".repeat(32)));
  }

  private static Position position(long resume, boolean diverted) {
    String history =
        "{\"v\":1,\"tables\":{\"public.t\":{\"versions\":[{\"h\":\""
            + "1".repeat(32)
            + "\",\"lsn\":\"0/1\"}]"
            + (diverted
                ? ",\"diverted\":{\"h\":\""
                    + "1".repeat(32)
                    + "\",\"lsn\":\"0/1\",\"from\":\""
                    + "0".repeat(32)
                    + "\",\"begin\":\"0/2 0/1 0\"}"
                : "")
            + "}}}";
    return new Position(
        Map.of("lsn", resume),
        new Lsn(resume),
        ChangeOrdinal.NONE,
        SchemaHistory.read(history),
        new WalOrigin("1", Optional.empty()));
  }

  private static DriftEvent event(Kind kind, Optional<TableId> table, long lsn) {
    return new DriftEvent(
        kind,
        Occurrence.ACROSS_RESTART,
        table,
        new Lsn(lsn),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        "dlq",
        "accepted",
        "");
  }

  private static Delivery told(Position at, Skip.Reason reason, DriftEvent event) {
    return new Delivery(
        at, Optional.empty(), List.of(event), Optional.of(new Skip(reason, Optional.empty())));
  }

  private static Delivery gap(long resume, boolean diverted) {
    return told(
        position(resume, diverted), Skip.Reason.GAP, event(Kind.GAP, Optional.empty(), resume));
  }

  private static Delivery accepted(long resume) {
    return told(
        position(resume, false),
        Skip.Reason.ACCEPTED,
        event(Kind.SHAPE_ACCEPTED, Optional.of(TABLE), resume));
  }

  private static Delivery change(ChangedKey key, boolean diverted) {
    Position at = position(key.lsn().value() - 1, diverted);
    return new Delivery(
        at,
        Optional.of(key),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(at.history().diversions().get("public.t")),
        Optional.empty());
  }

  private DivertedStore store(int most) {
    return DivertedStore.open(folder.resolve("diverted.jsonl"), most);
  }

  private Intake intake(DivertedKeys keys) {
    return intake(keys, KnownDrift.read(folder.resolve("none")));
  }

  private Intake intake(DivertedKeys keys, KnownDrift known) {
    return new Intake(verifier, Time.system(), 10, known, drift::add, counters, keys);
  }

  private static ChangeOrdinal through(long commit) {
    return new ChangeOrdinal(new Lsn(commit), new Lsn(commit), 0);
  }

  @Test
  void anAcceptanceThatIsToldBehindAGapIsSeen() throws Exception {
    store(1).keep(List.of(key(1, 50), key(2, 60)));
    DivertedKeys keys = new DivertedKeys(store(1), verifier, 1);
    intake(keys).deliver(List.of(gap(100, true), accepted(100), change(key(9, 150), false)));
    assertThat(verifier.pending()).isEqualTo(2);
    // That one key was not kept is told to everybody who hears of drift.
    assertThat(drift)
        .extracting(DriftEvent::kind)
        .containsExactlyInAnyOrder(Kind.GAP, Kind.GAP, Kind.SHAPE_ACCEPTED);
    assertThat(drift)
        .anySatisfy(
            told -> {
              assertThat(told.kind()).isEqualTo(Kind.GAP);
              assertThat(told.table()).contains(TABLE);
            });
    assertThat(audited).filteredOn(AuditEntry.Drift.class::isInstance).hasSize(3);
    assertThat(verifier.gaps()).isEqualTo(2);
  }

  @Test
  void aDivertedTablesKeysWaitAlsoBehindAGap() throws Exception {
    store(9).keep(List.of(key(1, 50), key(2, 120)));
    DivertedKeys keys = new DivertedKeys(store(9), verifier, 9);
    // The change behind it is one that begins another life of the table's history.
    intake(keys).deliver(List.of(gap(100, true), change(key(3, 150), true)));
    assertThat(verifier.pending()).isZero();
    assertThat(keys.kept()).isEqualTo(3);
    keys.forgetChecked(through(1_000));
    assertThat(store(9).size()).isEqualTo(3);
  }

  @Test
  void whatComesAgainAfterTheAcceptanceIsCheckedOnceAndForgottenOnceThePositionIsPastIt()
      throws Exception {
    store(9).keep(List.of(key(1, 50), key(2, 120), key(3, 130)));
    DivertedKeys keys = new DivertedKeys(store(9), verifier, 9);
    Intake intake = intake(keys);
    intake.deliver(List.of(accepted(100)));
    assertThat(verifier.pending()).isEqualTo(1);
    assertThat(keys.kept()).isEqualTo(1);
    intake.deliver(List.of(change(key(2, 120), false), change(key(3, 130), false)));
    assertThat(verifier.pending()).isEqualTo(3);
    keys.forgetChecked(through(119));
    assertThat(store(9).except(List.of())).hasSize(3);
    keys.forgetChecked(through(125));
    assertThat(store(9).except(List.of())).containsExactly(key(1, 50), key(3, 130));
    keys.forgetChecked(through(130));
    assertThat(store(9).except(List.of())).containsExactly(key(1, 50));
    assertThat(keys.kept()).isEqualTo(1);
  }

  @Test
  void whatComesAgainAndIsDivertedAnewStays() throws Exception {
    store(9).keep(List.of(key(1, 120)));
    DivertedKeys keys = new DivertedKeys(store(9), verifier, 9);
    Intake intake = intake(keys);
    intake.deliver(List.of(accepted(100)));
    assertThat(keys.kept()).isZero();
    intake.deliver(List.of(change(key(1, 120), true)));
    assertThat(keys.kept()).isEqualTo(1);
    keys.forgetChecked(through(500));
    assertThat(store(9).except(List.of())).containsExactly(key(1, 120));
    assertThat(verifier.pending()).isZero();
  }

  @Test
  void aSnapshotsRowDoesNotComeAgain() throws Exception {
    store(9).keep(List.of(key(1, 120, Operation.READ)));
    intake(new DivertedKeys(store(9), verifier, 9)).deliver(List.of(accepted(100)));
    assertThat(verifier.pending()).isEqualTo(1);
  }

  @Test
  void afterAGapNothingComesAgainAndAllIsChecked() throws Exception {
    store(9).keep(List.of(key(1, 50), key(2, 120)));
    DivertedKeys keys = new DivertedKeys(store(9), verifier, 9);
    intake(keys).deliver(List.of(gap(100, false)));
    assertThat(verifier.pending()).isEqualTo(2);
    keys.forgetChecked(through(1_000));
    assertThat(store(9).size()).as("undecided").isEqualTo(2);
  }

  @Test
  void anEventThatACrashKeptFromItsRangeCheckIsShownAgainAndRecordedOnce() throws Exception {
    DriftEvent event = event(Kind.SHAPE_ACCEPTED, Optional.of(TABLE), 100);
    KnownDrift known;
    try (StateDirectory state = StateDirectory.open(folder.resolve("state"))) {
      try (FileAuditLog audit = FileAuditLog.open(state, "run", Time.system())) {
        audit.append(List.of(new AuditEntry.Drift(event)));
      }
      known = KnownDrift.read(state.auditFile());
    }
    intake(new DivertedKeys(store(9), verifier, 9), known).deliver(List.of(accepted(100)));
    assertThat(drift).containsExactly(event);
    assertThat(audited).isEmpty();
  }

  @Test
  void whatKeepsTheLastCommitFromBeingWrittenIsGivenBackAndNothingElse() {
    for (RuntimeException failure :
        List.of(
            new PositionStoreException("full", new IOException()),
            new DivertedStoreException("full", new IOException()))) {
      assertThat(
              RunSession.unwritten(
                  () -> {
                    throw failure;
                  }))
          .isSameAs(failure);
    }
    assertThat(RunSession.unwritten(() -> {})).isNull();
    assertThatThrownBy(
            () ->
                RunSession.unwritten(
                    () -> {
                      throw new IllegalStateException();
                    }))
        .isInstanceOf(IllegalStateException.class);
  }
}
