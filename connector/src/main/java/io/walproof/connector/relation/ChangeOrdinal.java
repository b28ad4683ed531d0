package io.walproof.connector.relation;

import io.walproof.contract.Lsn;
import java.util.Objects;

/**
 * A change's place in the stream: by its transaction's commit, then by its own LSN, then by its
 * number among the transaction's changes at that LSN (the rows of one COPY share LSNs). PostgreSQL
 * resends transactions whole and in this order, so a change has the same ordinal in every life of
 * the stream, also when the publication was altered in between.
 *
 * @param commit the LSN of the transaction's commit record, as BEGIN announces it
 * @param lsn the change's own LSN
 * @param number from 0
 */
public record ChangeOrdinal(Lsn commit, Lsn lsn, long number) implements Comparable<ChangeOrdinal> {

  /** Before every change. */
  public static final ChangeOrdinal NONE = new ChangeOrdinal(Lsn.NONE, Lsn.NONE, 0);

  /** Refuses null and negative numbers. */
  public ChangeOrdinal {
    Objects.requireNonNull(commit, "commit");
    Objects.requireNonNull(lsn, "lsn");
    if (number < 0) {
      throw new IllegalArgumentException("a change's number is not negative");
    }
  }

  @Override
  public int compareTo(ChangeOrdinal other) {
    int byCommit = commit.compareTo(other.commit);
    if (byCommit != 0) {
      return byCommit;
    }
    int byLsn = lsn.compareTo(other.lsn);
    return byLsn != 0 ? byLsn : Long.compare(number, other.number);
  }

  /** The later of the two. */
  public static ChangeOrdinal max(ChangeOrdinal a, ChangeOrdinal b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /**
   * Reads {@link #toString()}'s form.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static ChangeOrdinal parse(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("'" + text + "' is not a change's position");
    }
    return new ChangeOrdinal(Lsn.parse(parts[0]), Lsn.parse(parts[1]), Long.parseLong(parts[2]));
  }

  /** Commit LSN, own LSN and number with single spaces between. */
  @Override
  public String toString() {
    return commit + " " + lsn + " " + number;
  }
}
