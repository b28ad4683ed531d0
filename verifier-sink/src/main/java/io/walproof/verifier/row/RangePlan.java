package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Side;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private final boolean primaryKey;
  private final RangeSide source;
  private final RangeSide target;

  RangePlan(
      PlannedTable planned,
      Pairing pairing,
      boolean primaryKey,
      RangeSide source,
      RangeSide target) {
    this.planned = planned;
    this.pairing = pairing;
    this.primaryKey = primaryKey;
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

  /** Whether the key is the source's primary key, and not another unique index. */
  public boolean isPrimaryKey() {
    return primaryKey;
  }

  /** Whether only source rows that meet a publication's row filter are read. */
  public boolean isFiltered() {
    SidePlan side = source.side();
    return !side.relation().equals(side.catalog().relation(Optional.empty()));
  }

  /** Whether rows or columns of the source's table are left out, for whatever reason. */
  public boolean isNarrowed() {
    return isFiltered()
        || planned.comparedColumns().size() < source.side().catalog().columns().size();
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

  /**
   * A side's key such that equal keys of both sides are equal texts: 5 and 5.00 are one number, and
   * the padding of char(n) is no part of a key.
   */
  public List<String> canonical(Side side, RowKey key) {
    RangeSide own = on(side);
    List<String> texts = new ArrayList<>(key.columns().size());
    for (int i = 0; i < key.columns().size(); i++) {
      ValueForm form = own.side().forms().get(own.keyPlaces().get(i));
      texts.add(canonical(form, key.columns().get(i).text()));
    }
    return texts;
  }

  private static String canonical(ValueForm form, String text) {
    if (!(form instanceof ValueForm.Plain)) {
      // Lengths stand among the parts' texts, so the whole is bytes and no UTF-8.
      return new String(
          form.canonical(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.ISO_8859_1);
    }
    return form.rule() == ValueRule.EXACT_TEXT
        ? text
        : new String(form.canonical(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  PlannedTable planned() {
    return planned;
  }

  RangeSide on(Side side) {
    return side == Side.SOURCE ? source : target;
  }
}
