package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;

/** The key checks (design section 8) as range checks use them. Thread-safe. */
public interface KeyChecks {

  /**
   * Hands a key over that the digests did not prove; waits while too many are undecided.
   *
   * @return false if verification was stopped and the key was not taken
   */
  boolean submit(TableId table, RowKey key) throws InterruptedException;

  /**
   * Waits until every key that was handed over is decided.
   *
   * @return whether they are
   */
  boolean awaitDecided(Deadline deadline, Cancellation cancel) throws InterruptedException;

  /** Makes an entry durable. */
  void record(AuditEntry entry);
}
