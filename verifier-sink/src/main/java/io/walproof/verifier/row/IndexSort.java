package io.walproof.verifier.row;

import java.util.List;
import java.util.Optional;

/**
 * How a btree index sorts one of its columns.
 *
 * @param operators "less", "less or equal", "equal", "greater or equal", "greater", for SQL; empty
 *     if the operator class has another set
 * @param collation the index's collation for the column, for SQL; empty where the type has none
 * @param sorting what decides the order beside the type: provider, locale and version of the
 *     collation, and the labels of an enum. Equal texts on two servers mean that both sort alike as
 *     far as can be told; {@code bytes} with the encoding means that they certainly do
 * @param descending whether larger values come first
 * @param nullsFirst where NULL would be; the planner wants to know
 */
record IndexSort(
    List<String> operators,
    Optional<String> collation,
    String sorting,
    boolean descending,
    boolean nullsFirst) {

  /** Strategies of a btree operator class. */
  static final int STRATEGIES = 5;

  static final IndexSort UNKNOWN =
      new IndexSort(List.of(), Optional.empty(), "unknown", false, false);

  IndexSort {
    operators = List.copyOf(operators);
  }

  /** Whether texts that are equal to it are the same to the last byte. */
  boolean isDeterministic() {
    return sorting.startsWith("bytes ") || sorting.endsWith(" t");
  }

  /** The same rows from the other end. */
  IndexSort backward() {
    return new IndexSort(operators, collation, sorting, !descending, !nullsFirst);
  }
}
