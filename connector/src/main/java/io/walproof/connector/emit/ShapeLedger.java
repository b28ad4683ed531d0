package io.walproof.connector.emit;

import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.DecidingChange;
import io.walproof.connector.drift.DriftDecision;
import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.HistoryFullException;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.StoredColumn;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides drift on delivered changes and keeps the history (invariants D and E).
 *
 * <p>Changes come in stream order, but may come again from an earlier one on: after a restart from
 * the durable position, or when Debezium restarts itself. A change at or before the last decided
 * one was decided before, so it neither gives an event nor touches the history; the positions
 * emitted for it carry the later state, which is the state that those events led to.
 *
 * <p>Pure apart from warnings in the log, each given once. Belongs to the thread that translates
 * records.
 */
public final class ShapeLedger {

  private static final Logger LOG = LoggerFactory.getLogger(ShapeLedger.class);

  private final DriftDetector detector;
  private final HistoryLimits limits;
  private final DivertedTables diverted;

  /** The relation of each table's last decision in this process; identity means unchanged. */
  private final Map<TableId, Relation> decidedHere = new HashMap<>();

  private SchemaHistory history;
  private ChangeOrdinal decided;

  /** The last relation decided on: consecutive changes mostly belong to one table. */
  private Relation latest;

  /**
   * A ledger.
   *
   * @param history the history up to the decided change
   * @param decided the last change for which a decision was made
   * @param limits of the history
   * @param detector decides
   */
  public ShapeLedger(
      SchemaHistory history, ChangeOrdinal decided, HistoryLimits limits, DriftDetector detector) {
    this(history, decided, limits, detector, AcceptedShapes.NONE);
  }

  /**
   * A ledger.
   *
   * @param accepted what {@code drift.accept} says; it accepts nothing here, but is noted where it
   *     names a shape before that comes
   */
  public ShapeLedger(
      SchemaHistory history,
      ChangeOrdinal decided,
      HistoryLimits limits,
      DriftDetector detector,
      AcceptedShapes accepted) {
    this.history = history;
    this.decided = decided;
    this.limits = limits;
    this.detector = detector;
    this.diverted = new DivertedTables(history, decided, accepted);
  }

  /** The history up to {@link #decided()}. */
  public SchemaHistory history() {
    return history;
  }

  /** The last change for which a decision was made. */
  public ChangeOrdinal decided() {
    return decided;
  }

  /**
   * The diversion that a change belongs to, if its table's records are diverted there. Changes that
   * come again from before the diversion's first one are not: they went to their topic before.
   *
   * @param at empty for what is no change of the stream, such as a snapshot's row
   */
  public Optional<Diversion> diversion(TableId table, Optional<ChangeOrdinal> at) {
    return diverted.of(table, at);
  }

  /**
   * A change is being delivered; gives what it decides.
   *
   * @throws HistoryFullException if the history has no room for what it decides, so that no
   *     position can hold it; then the change must not be delivered
   */
  @SuppressWarnings("ReferenceEquality")
  public DriftDecision delivered(Relation relation, ChangeOrdinal at, long transactionId) {
    if (at.compareTo(decided) <= 0) {
      return DriftDecision.NOTHING;
    }
    decided = at;
    if (relation == latest) {
      return DriftDecision.NOTHING;
    }
    latest = relation;
    TableId table = relation.shape().table();
    Relation before = decidedHere.put(table, relation);
    return before == relation ? DriftDecision.NOTHING : decide(relation, at, transactionId, before);
  }

  /**
   * @param previous the relation of the table's last decision in this process, null if there is
   *     none
   */
  @SuppressWarnings("ReferenceEquality")
  private DriftDecision decide(
      Relation relation, ChangeOrdinal at, long transactionId, Relation previous) {
    TableId table = relation.shape().table();
    Optional<TableHistory> before = history.table(table);
    DecidingChange change =
        new DecidingChange(
            relation.shape(),
            relation.hash(),
            at.lsn(),
            transactionId,
            previous != null ? Occurrence.IN_PROCESS : Occurrence.ACROSS_RESTART);
    // The history may have had no room for the columns; then order and key are known from here.
    Optional<List<StoredColumn>> known =
        Optional.ofNullable(previous).map(seen -> StoredColumn.of(seen.shape()));
    DriftDecision decision = detector.compare(before, change, known);
    TableHistory after =
        before
            .map(
                stored ->
                    stored.with(relation.shape(), relation.hash(), at.lsn(), limits.maxVersions()))
            .orElseGet(() -> TableHistory.first(relation.shape(), relation.hash(), at.lsn()));
    if (decision.diverts()) {
      ShapeHash acceptedLast = before.orElse(after).newest().hash();
      after = after.with(Optional.of(diverted.divert(relation, at, acceptedLast)));
    }
    if (before.isEmpty() || before.get() != after) {
      keep(table, after);
    }
    return decision;
  }

  private void keep(TableId table, TableHistory after) {
    int shedBefore = history.shedCount();
    history = history.with(table, after, limits);
    if (shedBefore == 0 && history.shedCount() > 0) {
      LOG.warn(
          "The schema history does not fit into drift.history.max.bytes={}; column sets, then old"
              + " versions, are dropped from it. Drift across a restart may then name no columns, and"
              + " another column order or key alone is not seen there.",
          limits.maxBytes());
    }
    // Without them there is room: a start has seen to that.
    if (!history.diversions().isEmpty() && history.exceeds(limits)) {
      throw new HistoryFullException(history, limits);
    }
  }
}
