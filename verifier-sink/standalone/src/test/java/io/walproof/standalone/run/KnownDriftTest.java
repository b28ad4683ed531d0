package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownDriftTest {

  private static final Optional<TableId> ORDERS = Optional.of(new TableId("public", "orders"));

  @TempDir Path directory;

  @Test
  void whatWasReportedIsKnown() {
    DriftEvent told = event(Kind.SHAPE_CHANGED, ORDERS, 30);
    KnownDrift known = known(told);
    assertThat(known.contains(told)).isTrue();
    assertThat(known.contains(event(Kind.KEY_CHANGED, ORDERS, 30))).isFalse();
    assertThat(known.contains(event(Kind.SHAPE_CHANGED, ORDERS, 31))).isFalse();
    assertThat(known.contains(event(Kind.SHAPE_CHANGED, Optional.empty(), 30))).isFalse();
  }

  @Test
  void aGapCountsInEveryRunThatAcceptsIt() {
    DriftEvent gap = event(Kind.GAP, Optional.empty(), 30);
    assertThat(known(gap).contains(gap)).isFalse();
  }

  private KnownDrift known(DriftEvent... events) {
    try (StateDirectory state = StateDirectory.open(directory)) {
      try (FileAuditLog audit = FileAuditLog.open(state, "run", Time.system())) {
        for (DriftEvent event : events) {
          audit.append(List.of(new AuditEntry.Drift(event)));
        }
      }
      return KnownDrift.read(state.auditFile());
    }
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
        "report",
        "reported",
        "");
  }
}
