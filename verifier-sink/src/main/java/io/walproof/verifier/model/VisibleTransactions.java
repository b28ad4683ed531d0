package io.walproof.verifier.model;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The transactions that a query sees, from {@code pg_current_snapshot()}: PostgreSQL's text form
 * {@code xmin:xmax:in-progress,...} of 64-bit transaction ids.
 *
 * <p>A change can be in the WAL, and even reach us, long before a query sees it: a commit that
 * waits for a synchronous standby is decoded first, and a standby that is read from lags behind. A
 * read that does not see the change yet must not be taken for a check of it.
 *
 * @param xmin every transaction before this is finished
 * @param xmax no transaction from this one on is visible
 * @param inProgress transactions between the two that are not finished
 */
public record VisibleTransactions(long xmin, long xmax, Set<Long> inProgress) {

  private static final long EPOCH = 1L << 32;

  /** Copies. */
  public VisibleTransactions {
    inProgress = Set.copyOf(inProgress);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static VisibleTransactions parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("'" + text + "' is not a snapshot");
    }
    Set<Long> inProgress =
        parts[2].isEmpty()
            ? Set.of()
            : Arrays.stream(parts[2].split(",", -1))
                .map(Long::parseLong)
                .collect(Collectors.toSet());
    return new VisibleTransactions(Long.parseLong(parts[0]), Long.parseLong(parts[1]), inProgress);
  }

  /** What both see. */
  public VisibleTransactions and(VisibleTransactions other) {
    Set<Long> unfinished = new HashSet<>(inProgress);
    unfinished.addAll(other.inProgress);
    return new VisibleTransactions(
        Math.min(xmin, other.xmin), Math.min(xmax, other.xmax), unfinished);
  }

  /**
   * Whether a committed transaction's changes are seen.
   *
   * @param transactionId its 32-bit id as the WAL has it, 0 for none; it lies within half the
   *     number space of the snapshot, as PostgreSQL guarantees
   */
  public boolean shows(long transactionId) {
    if (transactionId == 0) {
      return true;
    }
    long full = full(transactionId);
    return full < xmin || (full < xmax && !inProgress.contains(full));
  }

  /**
   * Whether a transaction or subtransaction had certainly ended. Of those in progress a snapshot
   * names no subtransactions.
   *
   * @param transactionId as in {@link #shows}
   */
  public boolean finished(long transactionId) {
    return full(transactionId) < xmin;
  }

  private long full(long transactionId) {
    long full = (xmax & -EPOCH) | transactionId;
    if (full - xmax >= EPOCH / 2) {
      full -= EPOCH;
    } else if (xmax - full > EPOCH / 2) {
      full += EPOCH;
    }
    return full;
  }
}
