package io.walproof.verifier.row;

import java.util.List;

/**
 * How one side is read by ranges.
 *
 * @param side its rows
 * @param sql its statements
 * @param columns the names of the compared columns, in the order of the statement's values
 * @param keyPlaces for each key column its place among those values
 * @param indexed whether an index serves the order
 */
record RangeSide(
    SidePlan side, RangeSql sql, List<String> columns, List<Integer> keyPlaces, boolean indexed) {

  RangeSide {
    columns = List.copyOf(columns);
    keyPlaces = List.copyOf(keyPlaces);
  }
}
