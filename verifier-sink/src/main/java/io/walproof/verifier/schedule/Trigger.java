package io.walproof.verifier.schedule;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why tables are to be checked, until the checks that it caused have ended. Owned by the agenda.
 */
public final class Trigger {

  /** Why. */
  public enum Reason {
    /** The run or the task began. */
    RESUME,
    /** It is time. */
    SCHEDULE,
    /** The table was dropped and created again: what was read of the other one proves nothing. */
    RECREATED,
    /** Changes were lost. */
    GAP;

    /** Lower case, for records and logs. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether what was proved before is worth nothing now. */
    boolean beginsAnew() {
      return this == RECREATED || this == GAP;
    }

    /** Why a drift event sets a check off; empty if it does not. */
    static Optional<Reason> of(DriftEvent event) {
      return switch (event.kind()) {
        case TABLE_RECREATED -> Optional.of(RECREATED);
        case GAP, NOTHING_DELIVERED -> Optional.of(GAP);
        case INITIAL,
            SHAPE_CHANGED,
            COLUMN_ORDER_CHANGED,
            KEY_CHANGED,
            REPLICA_IDENTITY_CHANGED,
            SHAPE_ACCEPTED,
            CATALOG_CHANGED,
            BASELINE_LOST ->
            Optional.empty();
      };
    }
  }

  private final Reason reason;
  private final Optional<TableId> table;
  private final List<Runnable> settled = new ArrayList<>();
  private int open;
  private boolean resolved;
  private int failures;
  private boolean givenUp;

  Trigger(Reason reason, Optional<TableId> table) {
    this.reason = reason;
    this.table = table;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** The one table that is concerned; empty for all. */
  public Optional<TableId> table() {
    return table;
  }

  boolean isSame(Reason other, Optional<TableId> what) {
    return reason == other && table.equals(what);
  }

  void onSettled(Runnable action) {
    settled.add(action);
  }

  void takeOver(Trigger other) {
    settled.addAll(other.settled);
  }

  boolean isWhole() {
    return table.isEmpty();
  }

  /** No attempt to begin succeeded. */
  void giveUp() {
    givenUp = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** A check serves it. */
  void opened() {
    open++;
  }

  /** Its claims are known. */
  void resolved() {
    resolved = true;
  }

  /** A check that served it has ended. */
  void closed() {
    open--;
  }

  /** Whether nothing is left to be done for it. */
  boolean isOver() {
    return resolved && open == 0;
  }

  List<Runnable> settledActions() {
    return List.copyOf(settled);
  }

  int failed() {
    return ++failures;
  }

  @Override
  public String toString() {
    return reason.text() + table.map(each -> " of " + each).orElse("");
  }
}
