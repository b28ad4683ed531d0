package io.walproof.connector.drift;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.ReplicaIdentity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is done about a changed shape ({@code drift.policy}). */
public enum DriftPolicy {
  /** Tell, and go on. */
  REPORT,
  /** Go on after a change that only adds; halt on everything else. */
  EVOLVE,
  /** Stop until an operator starts again. */
  HALT,
  /** Divert the table's records until an operator accepts the new shape. */
  DLQ;

  /** The name in settings and events. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy of a name, empty for any other text. */
  public static Optional<DriftPolicy> parse(String text) {
    for (DriftPolicy policy : values()) {
      if (policy.text().equals(text)) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  /**
   * What is done about the events of one change.
   *
   * @param after the replica identity of the change's shape
   */
  DriftAction actionOn(List<DriftEvent> events, ReplicaIdentity after) {
    if (events.stream().noneMatch(DriftEvent::isDrift)) {
      return DriftAction.REPORTED;
    }
    return switch (this) {
      case REPORT -> DriftAction.REPORTED;
      case HALT -> DriftAction.HALTED;
      case DLQ -> DriftAction.DIVERTED;
      case EVOLVE ->
          events.stream().allMatch(event -> isAddition(event, after))
              ? DriftAction.ACCEPTED
              : DriftAction.HALTED;
    };
  }

  /** Whether nothing is lost or may mean something else; what is not known is not taken for it. */
  private static boolean isAddition(DriftEvent event, ReplicaIdentity after) {
    return switch (event.kind()) {
      case INITIAL, SHAPE_ACCEPTED -> true;
      case SHAPE_CHANGED ->
          event.narrowing().equals(Optional.of(false))
              && event.changes().stream().noneMatch(ColumnChange::narrowing);
      // More of the old row is sent than before.
      case REPLICA_IDENTITY_CHANGED -> after == ReplicaIdentity.FULL;
      case COLUMN_ORDER_CHANGED,
          KEY_CHANGED,
          TABLE_RECREATED,
          GAP,
          CATALOG_CHANGED,
          NOTHING_DELIVERED,
          BASELINE_LOST ->
          false;
    };
  }
}
