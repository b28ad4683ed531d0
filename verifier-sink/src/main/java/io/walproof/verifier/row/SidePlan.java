package io.walproof.verifier.row;

import io.walproof.verifier.model.Side;
import java.util.List;

/** How one side's rows are read: the statement and what its columns are. */
final class SidePlan {

  private final SideCatalog catalog;
  private final String relation;
  private final String sql;
  private final List<ValueForm> forms;
  private final boolean app;
  private final boolean sized;
  private final boolean filtered;

  /** Average bytes of a row as last seen, 0 before; a hint that threads may overwrite. */
  private volatile int rowBytes;

  /**
   * @param catalog what the plan was made from
   * @param relation what stands behind FROM
   * @param sql yields, per row: the key's ordinal, xmin, one value per form, and the application if
   *     {@code app}
   * @param forms in the order of the compared columns
   * @param app whether the application's column is fetched behind them
   * @param sized whether values may be long: the statement takes a limit and tells each row's size
   * @param filtered whether rows that do not meet a condition are as good as absent
   */
  SidePlan(
      SideCatalog catalog,
      String relation,
      String sql,
      List<ValueForm> forms,
      boolean app,
      boolean sized,
      boolean filtered) {
    this.catalog = catalog;
    this.relation = relation;
    this.sql = sql;
    this.forms = List.copyOf(forms);
    this.app = app;
    this.sized = sized;
    this.filtered = filtered;
  }

  Side side() {
    return catalog.side();
  }

  SideCatalog catalog() {
    return catalog;
  }

  String relation() {
    return relation;
  }

  String sql() {
    return sql;
  }

  List<ValueForm> forms() {
    return forms;
  }

  boolean app() {
    return app;
  }

  boolean sized() {
    return sized;
  }

  boolean filtered() {
    return filtered;
  }

  int rowBytes() {
    return rowBytes;
  }

  void sawRowBytes(int average) {
    rowBytes = Math.max(1, average);
  }
}
