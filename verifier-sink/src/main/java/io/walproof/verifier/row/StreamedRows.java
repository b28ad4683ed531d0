package io.walproof.verifier.row;

import io.walproof.contract.StreamedRow;
import io.walproof.verifier.model.RowVersion;

/**
 * Hashes rows that the source's stream of changes shows, as its rows are hashed when they are read
 * by one plan. For one thread at a time.
 */
public interface StreamedRows {

  /** The plan. */
  TablePlan plan();

  /** The row, or why its texts do not tell what a read would have found. Never throws for these. */
  RowVersion.State state(StreamedRow.Contents contents);

  /** A deleted row, or why a delete does not mean that. */
  RowVersion.State absence();
}
