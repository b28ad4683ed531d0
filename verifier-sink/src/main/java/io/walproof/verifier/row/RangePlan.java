package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Side;
import java.util.ArrayList;
import java.util.List;

/** How a table is read in key order on both sides. Immutable. */
public final class RangePlan {

  /** How a source row's counterpart is found. */
  public enum Pairing {
    /** Both sides sort the key alike as far as can be told, so one range means the same rows. */
    BY_ORDER,
    /** They do not: rows are read in the source's order, and looked up on the target by key. */
    BY_LOOKUP
  }

  private final PlannedTable planned;
  private final Pairing pairing;
  private final RangeSide source;
  private final RangeSide target;

  RangePlan(PlannedTable planned, Pairing pairing, RangeSide source, RangeSide target) {
    this.planned = planned;
    this.pairing = pairing;
    this.source = source;
    this.target = target;
  }

  /** How rows are read and compared; its key columns are in the source index's order. */
  public TablePlan table() {
    return planned;
  }

  /** How counterparts are found. */
  public Pairing pairing() {
    return pairing;
  }

  /** Whether the side has an index over the key, so that a short range is cheap to read. */
  public boolean isIndexed(Side side) {
    return on(side).indexed();
  }

  /** The key columns. */
  public List<String> keyColumns() {
    return planned.keyColumns();
  }

  /** A key of these columns. */
  public RowKey key(List<String> texts) {
    List<RowKey.Column> columns = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      columns.add(new RowKey.Column(keyColumns().get(i), texts.get(i)));
    }
    return new RowKey(columns);
  }

  PlannedTable planned() {
    return planned;
  }

  RangeSide on(Side side) {
    return side == Side.SOURCE ? source : target;
  }
}
