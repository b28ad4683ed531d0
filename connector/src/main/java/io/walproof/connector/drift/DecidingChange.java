package io.walproof.connector.drift;

import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import java.util.Objects;

/**
 * The delivered change on which a decision is made.
 *
 * @param shape the shape it was decoded with
 * @param hash that shape's hash
 * @param lsn its LSN
 * @param transactionId its transaction
 * @param occurrence whether a change with the shape before was delivered by this same process
 */
public record DecidingChange(
    Shape shape, ShapeHash hash, Lsn lsn, long transactionId, Occurrence occurrence) {
  /** Refuses missing parts. */
  public DecidingChange {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(lsn, "lsn");
    Objects.requireNonNull(occurrence, "occurrence");
  }
}
