package io.walproof.connector.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.drift.Acceptance;
import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.HistoryFullException;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Diverted tables cannot be shortened in the history: before a position grows beyond {@code
 * drift.history.max.bytes}, which Connect's offsets topic may refuse, the capture ends, with
 * nothing lost and a way out.
 */
class DivertedRoomTest {

  private static final int MAX_BYTES = 1024;
  private static final HistoryLimits LIMITS = new HistoryLimits(10, MAX_BYTES);

  @Test
  void noPositionOutgrowsTheLimitAndAnAcceptanceMakesRoom() {
    ShapeLedger ledger = ledger(SchemaHistory.empty(), ChangeOrdinal.NONE);
    SchemaHistory durable = ledger.history();
    ChangeOrdinal decided = ledger.decided();
    int change = 0;
    while (hasRoomFor(ledger, change)) {
      durable = ledger.history();
      decided = ledger.decided();
      assertThat(bytes(durable)).isLessThanOrEqualTo(MAX_BYTES);
      change++;
    }
    int diverted = durable.diversions().size();
    assertThat(diverted).isBetween(2, 20);

    // A restart comes to the same change again, and ends again; nothing is smuggled past it.
    ShapeLedger again = ledger(durable, decided);
    int refused = change;
    assertThatThrownBy(() -> deliver(again, refused))
        .isInstanceOf(HistoryFullException.class)
        .hasMessageContainingAll(
            "drift.history.max.bytes=1024",
            "diverted tables",
            "drift.accept",
            "max.message.bytes",
            "producer.max.request.size");

    TableId first = ShapeLedgerSimulationTest.shape(0, 0).table();
    Acceptance accepted =
        Acceptance.of(
            durable,
            AcceptedShapes.parse(
                AcceptedShapes.text(first, durable.diversions().get(first.display()))),
            LIMITS,
            decided.commit(),
            DriftPolicy.DLQ);
    ShapeLedger roomy = ledger(accepted.history(), decided);
    deliver(roomy, refused);
    assertThat(roomy.decided()).isGreaterThan(decided);
    assertThat(roomy.history().diversions()).doesNotContainKey(first.display());
    assertThat(bytes(roomy.history())).isLessThanOrEqualTo(MAX_BYTES);
  }

  private static boolean hasRoomFor(ShapeLedger ledger, int change) {
    try {
      deliver(ledger, change);
      return true;
    } catch (HistoryFullException e) {
      return false;
    }
  }

  /** In turns a table's first shape, and another of it. */
  private static void deliver(ShapeLedger ledger, int change) {
    Lsn at = new Lsn(change + 1);
    ledger.delivered(
        new Relation(ShapeLedgerSimulationTest.shape(change / 2, change % 2), true),
        new ChangeOrdinal(at, at, 0),
        1);
  }

  private static ShapeLedger ledger(SchemaHistory history, ChangeOrdinal decided) {
    return new ShapeLedger(history, decided, LIMITS, new DriftDetector(DriftPolicy.DLQ));
  }

  private static int bytes(SchemaHistory history) {
    return history.json().getBytes(StandardCharsets.UTF_8).length;
  }
}
