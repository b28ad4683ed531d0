package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Cancellation;
import java.util.List;

/**
 * Goes through a claim's range once. What both ways share: what a compared chunk leaves behind, in
 * the order that a crash requires: ledger first, then the key checks. For one thread.
 */
abstract sealed class Walk permits OrderedWalk, ServerWalk, LookupWalk {

  final Parts parts;

  /**
   * What a walk works with.
   *
   * @param claim the claim
   * @param limits the bounds
   * @param reader the reads
   * @param ledger what is proved so far
   * @param progress the same, for people
   * @param targetOnly where rows go that only the target has
   * @param checks the key checks
   * @param cancel stops it
   */
  record Parts(
      Claim claim,
      RangeLimits limits,
      SideReader reader,
      RangeLedger ledger,
      PassProgress progress,
      TargetOnlyRows targetOnly,
      KeyChecks checks,
      Cancellation cancel) {}

  Walk(Parts parts) {
    this.parts = parts;
  }

  /** Goes on from where the ledger stands. */
  abstract WalkEnd run() throws InterruptedException;

  /**
   * A piece of the source is compared.
   *
   * @return whether the key checks took what it did not prove
   */
  final boolean compared(Covered piece, boolean equal, List<RowKey> suspects)
      throws InterruptedException {
    parts
        .ledger()
        .source(
            piece.to(),
            piece.rows(),
            piece.bytes(),
            equal,
            suspects.stream().map(RowKey::texts).toList());
    parts.progress().chunk(piece.rows(), piece.bytes(), equal, piece.last());
    return submit(suspects);
  }

  /** A key of the plan's columns. */
  final RowKey key(List<String> texts) {
    return parts.reader().plan().key(texts);
  }

  final boolean submit(List<RowKey> suspects) throws InterruptedException {
    for (RowKey key : suspects) {
      if (!parts.checks().submit(parts.claim().table(), key)) {
        return false;
      }
      parts.progress().suspect();
    }
    return true;
  }

  /** Rows that only the target seems to have. */
  final void extra(List<RowKey> keys) {
    if (!keys.isEmpty()) {
      parts.ledger().extra(keys.stream().map(RowKey::texts).toList());
      parts.targetOnly().add(keys);
    }
  }
}
