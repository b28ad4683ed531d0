package io.walproof.connector.catalog;

import io.walproof.contract.DriftEvent.ColumnChange;
import java.util.List;
import java.util.Optional;

/**
 * What differs of one table between two readings of the catalog.
 *
 * @param changes what is known of it
 * @param complete whether that is all; not where only a digest was kept of what was before
 * @param loss what it says of changes that are not delivered
 */
record CatalogDifference(List<ColumnChange> changes, boolean complete, Optional<Loss> loss) {

  /** Copies. */
  CatalogDifference {
    changes = List.copyOf(changes);
  }

  /** Why changes of a table are not delivered. */
  enum Loss {
    /** The publication does not carry it any more. */
    LEFT,
    /** The publication carries it again. */
    RETURNED,
    /** The publication carries it as another member than before, so it may have left meanwhile. */
    ANEW,
    /** Rows of the table come under names that are not captured. */
    ELSEWHERE,
    /** Rows of the table come under captured names again. */
    CAPTURED_AGAIN,
    /** The table was not there, and is again and published. */
    EXISTS_AGAIN
  }

  boolean isEmpty() {
    return changes.isEmpty() && complete;
  }
}
