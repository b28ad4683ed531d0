package io.walproof.verifier.database;

/** What a transaction is for. */
public enum TransactionKind {
  /** Reads rows: each statement sees the newest commits. */
  ROWS("READ COMMITTED READ ONLY"),
  /** Reads the catalog by several statements that must see one state. */
  CATALOG("REPEATABLE READ READ ONLY"),
  /** Writes the marker row, the only write there is (invariant L). */
  MARKER("READ COMMITTED READ WRITE");

  private final String sql;

  TransactionKind(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }
}
