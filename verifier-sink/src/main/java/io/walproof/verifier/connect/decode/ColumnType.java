package io.walproof.verifier.connect.decode;

import java.util.Objects;

/**
 * A source column's type, domains resolved.
 *
 * @param position the column's place in the table, from 1; places may be missing
 * @param column the column's name
 * @param builtIn whether the type is PostgreSQL's own, and no extension's or user's
 * @param name the type's name in the catalog, such as {@code int4}
 * @param kind {@code pg_type.typtype}: base, enum, range, ...
 * @param modifier the type modifier, -1 for none
 */
record ColumnType(
    int position, String column, boolean builtIn, String name, char kind, int modifier) {

  private static final int MOST_DIGITS = 6;

  /** Names are required. */
  ColumnType {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(name, "name");
  }

  /** Digits of a second's fraction, for the types that have one. */
  int fractionDigits() {
    return modifier < 0 ? MOST_DIGITS : modifier;
  }

  boolean isEnum() {
    return kind == 'e';
  }

  boolean isRange() {
    return kind == 'r';
  }
}
