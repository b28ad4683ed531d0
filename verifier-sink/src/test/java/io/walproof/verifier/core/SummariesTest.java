package io.walproof.verifier.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Summary;
import io.walproof.verifier.model.Coverage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** O5: thousands of tables, and no record that a topic would not take. */
class SummariesTest {

  private static final int TABLES = 2_500;
  private static final int LARGEST = 1_000;

  @Test
  void manyTablesAreSummedUpInSeveralRecordsOfOneTotal() {
    try (VerifierHarness harness = new VerifierHarness()) {
      for (int i = 0; i < TABLES; i++) {
        harness.verifier.countSkipped(new TableId("public", "t" + i), "truncate");
      }
      List<AuditEntry> summaries = harness.verifier.summaries();
      Map<TableId, Coverage> all = new TreeMap<>();
      for (AuditEntry entry : summaries) {
        Summary summary = (Summary) entry;
        assertThat(summary.total().observed()).isEqualTo(TABLES);
        assertThat(summary.tables()).hasSizeLessThanOrEqualTo(LARGEST);
        all.putAll(summary.tables());
      }
      assertThat(summaries).hasSize(3);
      assertThat(all).hasSize(TABLES);
      assertThat(Coverage.sum(all.values())).isEqualTo(harness.verifier.total());
    }
  }

  /** What was changed in a gap is in no verdict; each table's summary says where they start. */
  @Test
  void behindAGapEachTableSaysWhereItsVerdictsStart() {
    TableId one = new TableId("public", "one");
    TableId two = new TableId("public", "two");
    try (VerifierHarness harness = new VerifierHarness()) {
      List.of(one, two).forEach(table -> harness.verifier.countSkipped(table, "truncate"));
      assertThat(after(harness)).isEmpty();
      harness.verifier.record(gap(Optional.of(one), 30));
      harness.verifier.record(gap(Optional.of(one), 20));
      assertThat(after(harness)).isEqualTo(Map.of(one, new Lsn(30)));
      harness.verifier.startAfter(gap(Optional.empty(), 25));
      assertThat(after(harness)).isEqualTo(Map.of(one, new Lsn(30), two, new Lsn(25)));
      assertThat(harness.verifier.gaps()).isEqualTo(2);
    }
  }

  private static Map<TableId, Lsn> after(VerifierHarness harness) {
    return ((Summary) harness.verifier.summaries().get(0)).verdictsAfter();
  }

  private static DriftEvent gap(Optional<TableId> table, long to) {
    return new DriftEvent(
        DriftEvent.Kind.GAP,
        DriftEvent.Occurrence.ACROSS_RESTART,
        table,
        new Lsn(to),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        "report",
        "accepted",
        "lost");
  }

  @Test
  void withoutTablesThereStillIsOne() {
    try (VerifierHarness harness = new VerifierHarness()) {
      assertThat(harness.verifier.summaries()).hasSize(1);
    }
  }
}
