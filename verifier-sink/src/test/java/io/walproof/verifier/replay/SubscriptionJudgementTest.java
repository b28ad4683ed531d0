package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.replay.Subscriptions.Slots;
import io.walproof.verifier.replay.Subscriptions.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What readings of both servers prove, and what they do not (invariant H). */
class SubscriptionJudgementTest {

  private static final TableId A = TableId.parse("public.a");
  private static final TableId B = TableId.parse("public.b");
  private static final Lsn BOUNDARY = new Lsn(1000);

  private final Map<TableId, TableCoverage> coverage = new HashMap<>();

  private static Subscription subscription(String oid, String slot, long received) {
    return new Subscription(
        oid, "s" + oid, true, Optional.of(slot), Optional.of(new Lsn(received)));
  }

  private static Slots slots(long ends, Map<String, Lsn> confirmed) {
    return new Slots(confirmed, new Lsn(ends));
  }

  private Poller.Finding judge(List<Subscription> all, Slots slots, TableId... tables) {
    return SubscriptionConfirmation.judge(
        BOUNDARY, List.of(tables), new Subscriptions(all, coverage), slots);
  }

  private void covers(TableId table, String subscription, String state) {
    coverage.computeIfAbsent(table, key -> new TableCoverage()).add(null, subscription, state);
  }

  private static void assertWaiting(Poller.Finding finding, String detail) {
    assertThat(finding)
        .isInstanceOfSatisfying(
            Poller.Waiting.class, waiting -> assertThat(waiting.detail()).contains(detail));
  }

  private static void assertConfirmed(Poller.Finding finding, TableId... notReplicated) {
    assertThat(finding).isEqualTo(new Poller.Answer(new Result.Confirmed(Set.of(notReplicated))));
  }

  @Test
  void theSlotMustHavePassedTheBoundary() {
    covers(A, "1", "r");
    List<Subscription> all = List.of(subscription("1", "x", 1000));
    assertWaiting(judge(all, slots(2000, Map.of("x", new Lsn(999))), A), "short of the boundary");
    assertConfirmed(judge(all, slots(2000, Map.of("x", new Lsn(1000))), A));
    assertConfirmed(judge(all, slots(2000, Map.of("x", new Lsn(1001))), A));
  }

  /** A slot of the same name on our source, moved by somebody else, proves nothing. */
  @Test
  void anApplierFedByAnotherServerIsNotConfirmed() {
    covers(A, "1", "r");
    Slots moved = slots(2000, Map.of("x", new Lsn(1500)));
    for (long elsewhere : new long[] {0, 999, 2001, 1L << 40, -1}) {
      assertWaiting(
          judge(List.of(subscription("1", "x", elsewhere)), moved, A), "fed by another server");
    }
    Subscription silent = new Subscription("1", "s1", true, Optional.of("x"), Optional.empty());
    assertWaiting(judge(List.of(silent), moved, A), "no running applier");
    assertConfirmed(judge(List.of(subscription("1", "x", 1500)), moved, A));
  }

  @Test
  void eachTableWaitsForItsOwnSubscriptions() {
    covers(A, "1", "r");
    covers(B, "2", "r");
    List<Subscription> all = List.of(subscription("1", "x", 1200), subscription("2", "y", 500));
    Slots slots = slots(2000, Map.of("x", new Lsn(1200), "y", new Lsn(500)));
    assertConfirmed(judge(all, slots, A));
    assertWaiting(judge(all, slots, B), "\"s2\"");
    assertWaiting(judge(all, slots, A, B), "\"s2\"");
    covers(A, "2", "r");
    assertWaiting(judge(all, slots, A), "\"s2\"");
  }

  @Test
  void tablesWithoutAReadySubscriptionAreNamed() {
    covers(A, "1", "d");
    List<Subscription> all = List.of(subscription("1", "x", 1200));
    Slots slots = slots(2000, Map.of("x", new Lsn(1200)));
    assertConfirmed(judge(all, slots, A, B), A, B);
    for (String state : List.of("i", "d", "f", "s")) {
      coverage.clear();
      covers(A, "1", state);
      assertConfirmed(judge(all, slots, A), A);
    }
  }

  @Test
  void aMissingSlotADisabledAndADroppedSubscription() {
    covers(A, "1", "r");
    Slots slots = slots(2000, Map.of("other", new Lsn(1500)));
    assertWaiting(
        judge(List.of(subscription("1", "x", 1500)), slots, A),
        "slot \"x\", which is no pgoutput slot of the source's database");
    assertWaiting(
        judge(
            List.of(new Subscription("1", "s1", false, Optional.empty(), Optional.empty())),
            slots,
            A),
        "has no slot");
    assertWaiting(
        judge(
            List.of(new Subscription("1", "s1", false, Optional.of("other"), Optional.empty())),
            slots(2000, Map.of("other", new Lsn(1))),
            A),
        "is disabled");
    assertThat(judge(List.of(), slots, A)).isInstanceOf(Poller.Answer.class);
  }

  @Test
  void aPartitionedTableNeedsItselfOrAllOfItsLeaves() {
    TableCoverage leaves = new TableCoverage();
    leaves.add("10", "1", "r");
    assertThat(leaves.ready()).isTrue();
    leaves.add("11", null, null);
    assertThat(leaves.ready()).isFalse();
    TableCoverage root = new TableCoverage();
    root.add("10", null, null);
    root.add("11", null, null);
    assertThat(root.ready()).isFalse();
    root.add(null, "1", "r");
    assertThat(root.ready()).isTrue();
    root.add("10", "2", "d");
    assertThat(root.ready()).isFalse();
  }
}
