package io.walproof.verifier.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Summary;
import io.walproof.verifier.model.Coverage;
import java.util.List;
import java.util.Map;
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

  @Test
  void withoutTablesThereStillIsOne() {
    try (VerifierHarness harness = new VerifierHarness()) {
      assertThat(harness.verifier.summaries()).hasSize(1);
    }
  }
}
