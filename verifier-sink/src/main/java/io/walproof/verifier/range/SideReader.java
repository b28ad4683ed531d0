package io.walproof.verifier.range;

import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RangeAccess.Opening;
import io.walproof.verifier.row.RangeAccess.Read;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowsChunk;
import java.util.function.Function;

/**
 * Reads ranges with the bounds of one check: makes a new plan when the catalog changed, and reads
 * keys alone where values cannot be read, whose rows the key checks then take one by one. Rests
 * after each read. Thread-safe.
 */
final class SideReader {

  /** Why a walk ends whose plan no longer fits. */
  static final String SCHEMA_CHANGED = "schema_changed";

  /** How often a table may change under one check. */
  private static final int RENEWALS = 5;

  private final Time time;
  private final RangeLimits limits;
  private final RangeAccess access;
  private final PassProgress progress;
  private final DutyCycle dutyCycle;
  private final Deadline deadline;
  private RangePlan plan;
  private int renewals;

  SideReader(
      Time time,
      RangeLimits limits,
      RangeAccess access,
      PassProgress progress,
      RangePlan plan,
      Deadline deadline) {
    this.progress = progress;
    this.time = time;
    this.limits = limits;
    this.access = access;
    this.dutyCycle = new DutyCycle(time, limits.dutyCycle());
    this.plan = plan;
    this.deadline = deadline;
  }

  /** What a read yields. */
  sealed interface Result {
    /**
     * Rows.
     *
     * @param chunk they
     */
    record Rows(RowsChunk chunk) implements Result {}

    /**
     * No more.
     *
     * @param end why
     */
    record Ended(WalkEnd end) implements Result {}
  }

  synchronized RangePlan plan() {
    return plan;
  }

  /** Bounds one read by its own limit and by the check's deadline. */
  Deadline readDeadline() {
    return Deadline.in(time, limits.readTimeout()).earlierOf(deadline);
  }

  /** Does other work on a side, and rests after it. */
  <T> T resting(Function<Deadline, T> work, Cancellation cancel) throws InterruptedException {
    long began = time.nanoTime();
    T result = work.apply(readDeadline());
    progress.rests(true);
    try {
      dutyCycle.restAfter(began, cancel);
    } finally {
      progress.rests(false);
    }
    return result;
  }

  Result read(Side side, KeyRange range, int limit, Content wanted, Cancellation cancel)
      throws InterruptedException {
    Content content = wanted;
    while (true) {
      RangePlan used = plan();
      Content now = content;
      Read read =
          resting(until -> access.read(side, used, range, limit, now, until, cancel), cancel);
      if (read instanceof Read.Rows rows) {
        return new Result.Rows(rows.chunk());
      }
      if (read instanceof Read.Failed failed) {
        if (!failed.values() || content == Content.KEYS) {
          return new Result.Ended(ended(failed.reason(), failed.detail(), cancel));
        }
        content = Content.KEYS;
      } else {
        WalkEnd stopped = renew(used, cancel);
        if (stopped != null) {
          return new Result.Ended(stopped);
        }
      }
    }
  }

  /** What a failed read means for the walk. */
  WalkEnd ended(IncompleteReason reason, String detail, Cancellation cancel) {
    if (cancel.isCancelled() || reason == IncompleteReason.CANCELLED) {
      return WalkEnd.cancelled();
    }
    if (deadline.hasPassed()) {
      return WalkEnd.deadline();
    }
    return WalkEnd.stopped(reason.text(), detail);
  }

  /**
   * Replaces a plan that no longer fits.
   *
   * @return why the walk cannot go on; null if it can
   */
  synchronized WalkEnd renew(RangePlan stale, Cancellation cancel) {
    if (plan != stale) {
      return null;
    }
    if (++renewals > RENEWALS) {
      return WalkEnd.stopped(SCHEMA_CHANGED, "the table's columns kept changing");
    }
    Opening opening = access.open(stale.table().table(), readDeadline(), cancel);
    if (opening instanceof Opening.Unavailable unavailable) {
      return ended(unavailable.reason(), unavailable.detail(), cancel);
    }
    if (opening instanceof Opening.Skipped skipped) {
      return WalkEnd.stopped(skipped.reason(), skipped.detail());
    }
    RangePlan fresh = ((Opening.Ready) opening).plan();
    if (!fresh.keyColumns().equals(stale.keyColumns())
        || fresh.pairing() != stale.pairing()
        || !fresh.table().fingerprint().equals(stale.table().fingerprint())) {
      // What is behind was compared by other columns or rules, or lies elsewhere in the order.
      return WalkEnd.stopped(
          SCHEMA_CHANGED,
          "the table's columns, its key or its order kept changing; the next check begins anew");
    }
    plan = fresh;
    return null;
  }
}
