package io.walproof.connector.drift;

import io.walproof.connector.schema.StoredColumn;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.ShapeHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares a delivered change's shape with what the history holds, and decides. Pure. */
public final class DriftDetector {

  private final DriftPolicy policy;

  /**
   * A detector.
   *
   * @param policy what is done about drift
   */
  public DriftDetector(DriftPolicy policy) {
    this.policy = policy;
  }

  /**
   * What the change gives rise to; no event if nothing about its shape is new.
   *
   * @param before the table's history before the change, empty if there is no baseline
   * @param seen the columns before the change where this process saw them, for a history without
   */
  public DriftDecision compare(
      Optional<TableHistory> before, DecidingChange change, Optional<List<StoredColumn>> seen) {
    List<DriftEvent> events = events(before, change, seen);
    if (events.isEmpty()) {
      return DriftDecision.NOTHING;
    }
    DriftAction said = policy.actionOn(events, change.shape().replicaIdentity());
    // A diversion ends by acceptance alone, whatever the policy is by now.
    boolean already = before.flatMap(TableHistory::diversion).isPresent();
    boolean halts = said == DriftAction.HALTED;
    boolean diverts = already || said == DriftAction.DIVERTED;
    DriftAction action = diverts && !halts ? DriftAction.DIVERTED : said;
    return new DriftDecision(
        events.stream().map(event -> told(event, action, diverts, change)).toList(),
        halts,
        diverts);
  }

  private static DriftEvent told(
      DriftEvent event, DriftAction action, boolean diverts, DecidingChange change) {
    return event.withAction(
        action.text(),
        diverts
            ? event.detail()
                + "; the table's records are diverted until drift.accept has "
                + AcceptedShapes.text(change.shape().table(), change.hash(), change.lsn())
            : event.detail());
  }

  private List<DriftEvent> events(
      Optional<TableHistory> before, DecidingChange change, Optional<List<StoredColumn>> seen) {
    if (before.isEmpty()) {
      return List.of(
          event(
              change,
              Kind.INITIAL,
              Occurrence.FIRST_SEEN,
              Optional.empty(),
              List.of(),
              Optional.empty(),
              "first shape seen of this table"));
    }
    TableHistory history = before.get();
    Optional<ColumnComparison> columns =
        history
            .columns()
            .or(() -> seen)
            .map(stored -> new ColumnComparison(stored, StoredColumn.of(change.shape())));
    List<DriftEvent> events = new ArrayList<>();
    recreated(history, change).ifPresent(events::add);
    shapeChanged(history, columns, change).ifPresent(events::add);
    columns.ifPresent(comparison -> others(history, comparison, change, events));
    if (columns.isEmpty()) {
      identityChanged(history, List.of(), change).ifPresent(events::add);
    }
    return events;
  }

  private Optional<DriftEvent> recreated(TableHistory history, DecidingChange change) {
    long oid = change.shape().relationOid();
    if (history.relationOid().isEmpty() || history.relationOid().getAsLong() == oid) {
      return Optional.empty();
    }
    return Optional.of(
        event(
            change,
            Kind.TABLE_RECREATED,
            change.occurrence(),
            Optional.of(history.newest().hash()),
            List.of(),
            Optional.empty(),
            "the table was dropped and created again: relation OID "
                + history.relationOid().getAsLong()
                + " became "
                + oid));
  }

  private Optional<DriftEvent> shapeChanged(
      TableHistory history, Optional<ColumnComparison> columns, DecidingChange change) {
    ShapeHash previous = history.newest().hash();
    if (previous.equals(change.hash())) {
      return Optional.empty();
    }
    List<ColumnChange> changes = columns.map(ColumnComparison::shapeChanges).orElse(List.of());
    boolean named = columns.isPresent();
    return Optional.of(
        event(
            change,
            Kind.SHAPE_CHANGED,
            change.occurrence(),
            Optional.of(previous),
            changes,
            named
                ? Optional.of(changes.stream().anyMatch(ColumnChange::narrowing))
                : Optional.empty(),
            named
                ? "columns, types or type modifiers changed"
                : "columns, types or type modifiers changed; which ones is not known, because only"
                    + " the hash of the shape before was stored"));
  }

  private void others(
      TableHistory history,
      ColumnComparison columns,
      DecidingChange change,
      List<DriftEvent> events) {
    Optional<ShapeHash> previous = Optional.of(history.newest().hash());
    List<ColumnChange> order = columns.orderChanges();
    if (!order.isEmpty()) {
      events.add(
          event(
              change,
              Kind.COLUMN_ORDER_CHANGED,
              change.occurrence(),
              previous,
              order,
              Optional.empty(),
              "columns changed places; their values may have another meaning"));
    }
    // With identity full every column is flagged, so flags say nothing about a key.
    List<ColumnChange> keys =
        change.shape().replicaIdentity() == ReplicaIdentity.FULL
                && history.replicaIdentity().equals(Optional.of(ReplicaIdentity.FULL))
            ? List.of()
            : columns.keyChanges();
    Optional<DriftEvent> identity = identityChanged(history, keys, change);
    identity.ifPresent(events::add);
    // Another replica identity moves the key flags; that is one event, not two.
    if (identity.isEmpty() && !keys.isEmpty()) {
      events.add(
          event(
              change,
              Kind.KEY_CHANGED,
              change.occurrence(),
              previous,
              keys,
              Optional.empty(),
              "other columns identify a row"));
    }
  }

  private Optional<DriftEvent> identityChanged(
      TableHistory history, List<ColumnChange> keys, DecidingChange change) {
    ReplicaIdentity now = change.shape().replicaIdentity();
    if (history.replicaIdentity().isEmpty() || history.replicaIdentity().get() == now) {
      return Optional.empty();
    }
    return Optional.of(
        event(
            change,
            Kind.REPLICA_IDENTITY_CHANGED,
            change.occurrence(),
            Optional.of(history.newest().hash()),
            keys,
            Optional.empty(),
            "replica identity '"
                + history.replicaIdentity().get().code()
                + "' became '"
                + now.code()
                + "'"));
  }

  private DriftEvent event(
      DecidingChange change,
      Kind kind,
      Occurrence occurrence,
      Optional<ShapeHash> previous,
      List<ColumnChange> all,
      Optional<Boolean> narrowing,
      String what) {
    List<ColumnChange> changes = ChangeList.fitting(all);
    String detail = what + ChangeList.leftOut(changes.size(), all.size());
    return new DriftEvent(
        kind,
        occurrence,
        Optional.of(change.shape().table()),
        change.lsn(),
        change.transactionId(),
        previous,
        Optional.of(change.hash()),
        changes,
        narrowing,
        policy.text(),
        DriftAction.REPORTED.text(),
        detail);
  }
}
