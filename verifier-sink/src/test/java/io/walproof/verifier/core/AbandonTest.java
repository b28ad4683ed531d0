package io.walproof.verifier.core;

import static io.walproof.verifier.core.VerifierHarness.ORDERS;
import static io.walproof.verifier.core.VerifierHarness.PATIENCE;
import static io.walproof.verifier.core.VerifierHarness.SETTLE;
import static io.walproof.verifier.core.VerifierHarness.change;
import static io.walproof.verifier.core.VerifierHarness.key;
import static io.walproof.verifier.model.Side.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Operation;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Streams that go to somebody else in the middle of a check. */
class AbandonTest {

  private static final Verdict REVOKED = new Verdict.Incomplete(IncompleteReason.PARTITION_REVOKED);

  @Test
  void whatWaitsIsToldAsIncompleteAndStaysAboveTheOffset() throws InterruptedException {
    try (VerifierHarness harness = new VerifierHarness()) {
      Watermark kept = new Watermark();
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.tables.put(SOURCE, ORDERS, key(2), 7);
      harness.tables.put(SOURCE, ORDERS, key(3), 7);
      harness.submit(1, Operation.INSERT);
      harness.verifier.submit(change(ORDERS, key(2), Operation.INSERT), kept);
      harness.awaitObserved(2);
      harness.submit(3, Operation.INSERT);

      harness.verifier.abandon(List.of(harness.watermark));

      assertThat(harness.audit.decisions())
          .extracting(Decision::key, Decision::verdict)
          .containsExactlyInAnyOrder(
              org.assertj.core.groups.Tuple.tuple(key(1), REVOKED),
              org.assertj.core.groups.Tuple.tuple(key(3), REVOKED));
      assertThat(harness.watermark.decidedThrough()).isZero();
      assertThat(harness.verifier.pending()).isEqualTo(1);

      List<Decision> decisions = harness.awaitDecided(3);
      assertThat(decisions.get(2).key()).isEqualTo(key(2));
      assertThat(decisions.get(2).verdict())
          .isEqualTo(new Verdict.Unresolved(Verdict.Unresolved.Kind.MISSING));
      assertThat(kept.decidedThrough()).isEqualTo(1);
      Coverage total = harness.verifier.total();
      assertThat(total.observed()).isEqualTo(3);
      assertThat(total.outcomes()).isEqualTo(Map.of("incomplete", 2L, "unresolved_missing", 1L));
    }
  }

  /** A worker may hold a key at that moment; its mismatch is not put on hold for a minute. */
  @Test
  void aMismatchOfAnAbandonedStreamIsNotPutOnHold() {
    try (VerifierHarness harness = new VerifierHarness()) {
      harness.tables.put(SOURCE, ORDERS, key(1), 7);
      harness.submit(1, Operation.INSERT);
      harness.watermark.abandon();
      harness.time.advance(SETTLE);
      await().atMost(PATIENCE).until(() -> harness.verifier.pending() == 0);
      assertThat(harness.audit.observations()).hasSize(1);
      assertThat(harness.audit.decisions()).extracting(Decision::verdict).containsExactly(REVOKED);
      assertThat(harness.verifier.deferred()).isZero();
      assertThat(harness.watermark.decidedThrough()).isZero();
    }
  }
}
