package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;

/**
 * One key column in an order.
 *
 * @param column the name that it is known by
 * @param own its name on its side
 * @param place its place among the plan's key columns
 * @param bound the type that a bound's text is cast to
 * @param common a type that both sides' values fit
 * @param sort how it is sorted
 */
record OrderTerm(
    String column, String own, int place, TypeName bound, TypeName common, IndexSort sort) {

  private static final int LESS = 0;
  private static final int LESS_OR_EQUAL = 1;
  private static final int EQUAL = 2;
  private static final int GREATER_OR_EQUAL = 3;
  private static final int GREATER = 4;

  String expression() {
    return "t."
        + SqlIdentifier.quoted(own)
        + sort.collation().map(collation -> " COLLATE " + collation).orElse("");
  }

  /** A COPY takes no parameters; with standard_conforming_strings a quote is all there is. */
  String literal(KeyRange.Bound at) {
    return "CAST('" + at.key().get(place).replace("'", "''") + "' AS " + bound.sql() + ')';
  }

  /** "Behind" in this order. */
  String behind(boolean orAt) {
    return sort.operators()
        .get(
            sort.descending()
                ? (orAt ? LESS_OR_EQUAL : LESS)
                : (orAt ? GREATER_OR_EQUAL : GREATER));
  }

  /** "Before" in this order. */
  String before(boolean orAt) {
    return sort.operators()
        .get(
            sort.descending()
                ? (orAt ? GREATER_OR_EQUAL : GREATER)
                : (orAt ? LESS_OR_EQUAL : LESS));
  }

  String at() {
    return sort.operators().get(EQUAL);
  }

  /** The same from the other end. */
  OrderTerm backward() {
    return new OrderTerm(column, own, place, bound, common, sort.backward());
  }

  String orderBy() {
    return expression()
        + " USING "
        + before(false)
        + (sort.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
  }
}
