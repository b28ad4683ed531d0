package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VisibleTransactions;
import java.util.List;
import java.util.Optional;

/**
 * Reads rows by key on either side. One instance belongs to one worker thread and holds at most one
 * connection a side.
 */
public interface RowAccess extends AutoCloseable {

  /**
   * Plans the comparison of a table by the given key columns from both catalogs. Never throws for
   * what a server answers.
   */
  Opening open(TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel);

  /**
   * Reads the keys on one side, in one statement and one short read-only transaction. Never throws
   * for what a server answers (invariant A).
   */
  BatchRead read(
      Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel);

  /**
   * Asks anew for what reads do not ask each time, so that nobody is accused by old knowledge.
   *
   * @return empty if the plan stands; otherwise that it is stale, or that it could not be found out
   */
  default Optional<BatchRead> confirm(TablePlan plan, Deadline deadline, Cancellation cancel) {
    return Optional.empty();
  }

  /** Which commits on the source wait for a synchronous standby right now. */
  HeldCommits heldCommits(Deadline deadline, Cancellation cancel);

  @Override
  void close();

  /** How planning went. */
  sealed interface Opening {
    /**
     * The table can be compared.
     *
     * @param plan how
     */
    record Ready(TablePlan plan) implements Opening {}

    /**
     * The table is not judged at all, and why: no usable key, a kind of relation without xmin.
     *
     * @param reason a short code such as {@code no_usable_key}
     * @param detail a sentence for people
     */
    record Skipped(String reason, String detail) implements Opening {}

    /**
     * The table should be judged and cannot be.
     *
     * @param reason why
     * @param detail a sentence for people, with the remedy
     */
    record Unavailable(IncompleteReason reason, String detail) implements Opening {}
  }

  /** How a batch read went. */
  sealed interface BatchRead {
    /**
     * One result per key, in the keys' order.
     *
     * @param rows the results
     * @param visible transactions whose changes the read certainly saw; empty for the target, whose
     *     transactions are not the WAL's
     */
    record Rows(List<KeyRead> rows, Optional<VisibleTransactions> visible) implements BatchRead {
      /** Copies. */
      public Rows {
        rows = List.copyOf(rows);
      }
    }

    /** The catalog no longer agrees with the plan: open the table again and read again. */
    record PlanStale() implements BatchRead {}

    /**
     * Nothing was learned about any key.
     *
     * @param reason why
     * @param detail a sentence for people; no row values, no secrets
     */
    record Failed(IncompleteReason reason, String detail) implements BatchRead {}
  }
}
