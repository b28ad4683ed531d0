package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.row.RangeAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks claims, one table after the other (design section 10). One instance runs on one thread;
 * {@link #progress()} may be asked by any.
 */
public final class RangeCheck {

  /**
   * What it works with. It closes none of these.
   *
   * @param time the clock
   * @param limits the bounds
   * @param access reads by ranges
   * @param replay confirms replay, for this check alone
   * @param checks the key checks
   * @param findings what the key checks' audit entries are shown to
   * @param ledgers the directory for ledgers
   * @param databases identifies the two databases, for the ledgers
   * @param restart forgets what earlier checks of the same claims proved
   * @param witness shows that nobody writes meanwhile, where that is wanted
   */
  public record Parts(
      Time time,
      RangeLimits limits,
      RangeAccess access,
      ReplayConfirmation replay,
      KeyChecks checks,
      Findings findings,
      Path ledgers,
      String databases,
      boolean restart,
      Optional<ExactWitness> witness) {}

  /**
   * How far a running check has come.
   *
   * @param table the table at hand
   * @param number its number, from 1
   * @param of how many there are
   * @param progress what was read of it
   * @param estimatedRows about how many rows it has; -1 if nobody knows
   * @param allRead whether every table is read, so that only key checks are waited for
   * @param stage what it is at, or waits for
   */
  public record Status(
      TableId table,
      int number,
      int of,
      RangeResult.Progress progress,
      long estimatedRows,
      boolean allRead,
      RangeStage stage) {}

  private final Parts parts;
  private volatile TablePass running;
  private volatile int number;
  private volatile int of;
  private volatile boolean allRead;

  /** A check that has not begun. */
  public RangeCheck(Parts parts) {
    this.parts = parts;
  }

  /**
   * Checks the claims. What the deadline or the cancellation cuts off is incomplete, and a later
   * check of the same claim continues from there.
   *
   * @return one result a claim, in order
   * @throws RangeException if two claims name one table, or the ledger cannot be used
   */
  public List<RangeResult> run(List<Claim> claims, Deadline deadline, Cancellation cancel)
      throws InterruptedException {
    Set<TableId> tables = new HashSet<>();
    for (Claim claim : claims) {
      if (!tables.add(claim.table())) {
        throw new RangeException(
            claim.table() + " is named twice; one check a table at a time, with one range");
      }
    }
    of = claims.size();
    allRead = false;
    List<TablePass> passes = new ArrayList<>();
    try {
      for (Claim claim : claims) {
        parts.findings().forget(claim.table());
        TablePass pass = new TablePass(parts, claim, deadline, cancel);
        passes.add(pass);
        number = passes.size();
        running = pass;
        pass.run();
      }
      allRead = true;
      boolean decided =
          passes.stream().noneMatch(TablePass::hasSuspects)
              || parts.checks().awaitDecided(deadline, cancel);
      List<RangeResult> results = new ArrayList<>();
      for (TablePass pass : passes) {
        results.add(pass.end(decided));
      }
      return results;
    } finally {
      running = null;
    }
  }

  /** The table at hand; empty between checks. */
  public Optional<Status> progress() {
    TablePass pass = running;
    return pass == null ? Optional.empty() : Optional.of(pass.status(number, of, allRead));
  }
}
