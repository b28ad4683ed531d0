package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeResult;
import java.util.List;
import java.util.Map;

/** What the scheduler has done by others: everything that touches a server or a disk. */
public interface RangeWork {

  /**
   * Asks what is claimed now.
   *
   * @throws RuntimeException with a message for the operator
   */
  Survey survey(Cancellation cancel) throws InterruptedException;

  /**
   * Opens what a round of checks needs.
   *
   * @throws RuntimeException with a message for the operator
   */
  Desk open(Survey survey, Cancellation cancel) throws InterruptedException;

  /**
   * Makes durable what no check records by itself.
   *
   * @throws io.walproof.verifier.audit.AuditException if that fails
   */
  void record(AuditEntry entry);

  /** A round's databases and key checks. Thread-safe; closed once, when no check is running. */
  interface Desk extends AutoCloseable {

    /**
     * Checks one claim. Belongs to the calling thread.
     *
     * @param restart forgets what earlier checks of the claim proved
     * @param cancel ends it within a second
     * @param turn which the caller has, and has again afterwards
     */
    RangeResult check(
        Claim claim, boolean restart, Deadline deadline, Cancellation cancel, ReadingTurn turn)
        throws InterruptedException;

    /** How far the running checks have come. */
    List<RangeCheck.Status> progress();

    /** Mismatches of these checks that wait for their recheck. */
    OnHold onHold();

    /** What became of the keys that the checks named, by table; also after the close. */
    Map<TableId, Coverage> keys();

    @Override
    void close();
  }
}
