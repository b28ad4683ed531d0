package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.BatchRead;
import java.util.List;
import java.util.Set;

/**
 * Reads rows by ranges of the key on either side, each range in one short read-only transaction.
 * Thread-safe; each call borrows one connection. Never throws for what a server answers (invariant
 * A).
 */
public interface RangeAccess {

  /** Plans a table by its own key, from both catalogs. */
  Opening open(TableId table, Deadline deadline, Cancellation cancel);

  /**
   * Reads the range's first rows, in the plan's order for the side.
   *
   * @param limit at most so many rows; fewer mean that the range's end was reached
   * @param content what is read of each row
   */
  Read read(
      Side side,
      RangePlan plan,
      KeyRange range,
      int limit,
      Content content,
      Deadline deadline,
      Cancellation cancel);

  /** Has the server digest the range's rows. */
  Digest digest(Side side, RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel);

  /** The key that lies so many rows behind the range's first, in the source's order. */
  KeyAt keyAt(RangePlan plan, KeyRange range, int offset, Deadline deadline, Cancellation cancel);

  /** How many of the target's rows have NULL in a key column, and so lie in no range. */
  KeylessRows keylessRows(RangePlan plan, Deadline deadline, Cancellation cancel);

  /** Looks keys up by equality. */
  BatchRead lookup(
      Side side, RangePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel);

  /** Which commits on the source wait for a synchronous standby right now. */
  HeldCommits heldCommits(Deadline deadline, Cancellation cancel);

  /**
   * Which of the keys lie in the range, by the source's order.
   *
   * @return their places, or what failed
   */
  Within within(
      RangePlan plan, KeyRange range, List<RowKey> keys, Deadline deadline, Cancellation cancel);

  /** Whether the source takes the bounds for values of its key columns. */
  BoundCheck check(RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel);

  /** About how many rows the source's table has, by its statistics; -1 if nobody knows. */
  long estimatedRows(TableId table, Deadline deadline, Cancellation cancel);

  /** What a read takes of each row. */
  enum Content {
    /** Key and digest hash: the fastest, for comparing chunks with chunks. */
    LINES,
    /** Key and row hash, which compares with looked-up rows. */
    ROWS,
    /** The key alone, where values cannot be read. */
    KEYS
  }

  /** How counting rows without a key went. */
  sealed interface KeylessRows {
    /**
     * They are counted.
     *
     * @param rows how many
     */
    record Counted(long rows) implements KeylessRows {}

    /**
     * They are not.
     *
     * @param detail a sentence for people; no row values, no secrets
     */
    record Failed(String detail) implements KeylessRows {}
  }

  /** How planning went. */
  sealed interface Opening {
    /**
     * The table can be compared.
     *
     * @param plan how
     */
    record Ready(RangePlan plan) implements Opening {}

    /**
     * The table cannot be judged by ranges at all.
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

  /** How reading a range went. */
  sealed interface Read {
    /**
     * Rows.
     *
     * @param chunk they
     */
    record Rows(RowsChunk chunk) implements Read {}

    /** The catalog no longer agrees with the plan. */
    record PlanStale() implements Read {}

    /**
     * Nothing was learned.
     *
     * @param reason why
     * @param detail a sentence for people; no row values, no secrets
     * @param values whether some row's values cannot be read, so that its key still could be
     */
    record Failed(IncompleteReason reason, String detail, boolean values) implements Read {}
  }

  /** How a digest went. */
  sealed interface Digest {
    /**
     * It was made.
     *
     * @param digest it
     */
    record Made(ServerDigest digest) implements Digest {}

    /** The catalog no longer agrees with the plan. */
    record PlanStale() implements Digest {}

    /**
     * It was not.
     *
     * @param reason why
     * @param detail a sentence for people
     * @param values whether some row's values cannot be read, and others can
     */
    record Failed(IncompleteReason reason, String detail, boolean values) implements Digest {}
  }

  /** How looking for a key went. */
  sealed interface KeyAt {
    /**
     * It is there.
     *
     * @param key its texts, in the plan's order
     */
    record Key(List<String> key) implements KeyAt {
      /** Copies. */
      public Key {
        key = List.copyOf(key);
      }
    }

    /** The range has fewer rows. */
    record Beyond() implements KeyAt {}

    /**
     * Nobody knows.
     *
     * @param reason why
     * @param detail a sentence for people
     */
    record Failed(IncompleteReason reason, String detail) implements KeyAt {}
  }

  /** How the question went. */
  sealed interface Within {
    /**
     * An answer.
     *
     * @param places of those that do, from 0
     */
    record Places(Set<Integer> places) implements Within {
      /** Copies. */
      public Places {
        places = Set.copyOf(places);
      }
    }

    /**
     * No answer.
     *
     * @param reason why
     * @param detail a sentence for people
     */
    record Failed(IncompleteReason reason, String detail) implements Within {}
  }

  /** What became of a look at bounds. */
  sealed interface BoundCheck {
    /** They are values of the key's types. */
    record Accepted() implements BoundCheck {}

    /** They are not. */
    record Refused() implements BoundCheck {}

    /**
     * Nobody knows.
     *
     * @param reason why
     * @param detail a sentence for people
     */
    record Failed(IncompleteReason reason, String detail) implements BoundCheck {}
  }
}
