package io.walproof.verifier.ingest;

import java.util.BitSet;

/**
 * How far one stream of changes is decided. Every change gets a sequence number in arrival order;
 * an offset may be committed up to {@link #decidedThrough()} and no further (design section 8.7).
 * One instance per stream whose offsets commit on their own. Thread-safe.
 *
 * <p>Costs one bit per change from the oldest open one on.
 */
public final class Watermark {

  /** How many leading bits may be spent before they are dropped. */
  private static final int SLACK = 1 << 16;

  /** Bit n: whether sequence number {@code origin + n} is closed. */
  private BitSet closed = new BitSet();

  private long origin = 1;

  /** The lowest number that is not closed; everything before it is decided. */
  private long firstOpen = 1;

  private long issued;
  private boolean abandoned;

  /** The next sequence number, undecided until {@link #close} is called with it. From 1. */
  public synchronized long issue() {
    return ++issued;
  }

  /**
   * Marks a change as decided.
   *
   * @throws IllegalStateException if it was never issued or is closed already: deciding twice is a
   *     bug that must not hide
   */
  public synchronized void close(long sequence) {
    if (sequence < firstOpen
        || sequence > issued
        || closed.get(Math.toIntExact(sequence - origin))) {
      throw new IllegalStateException("sequence " + sequence + " is not open");
    }
    closed.set(Math.toIntExact(sequence - origin));
    if (sequence == firstOpen) {
      firstOpen = origin + closed.nextClearBit(Math.toIntExact(firstOpen - origin));
      dropLeading();
    }
  }

  private void dropLeading() {
    int leading = Math.toIntExact(firstOpen - origin);
    if (leading >= SLACK) {
      closed = closed.get(leading, Math.max(leading, closed.length()));
      origin = firstOpen;
    }
  }

  /** The largest number such that it and everything before it is decided; 0 at the start. */
  public synchronized long decidedThrough() {
    return firstOpen - 1;
  }

  /** Nobody will commit this stream's offset any more: what is open in it need not be decided. */
  public synchronized void abandon() {
    abandoned = true;
  }

  /** Whether it was abandoned. */
  public synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** The last number issued. */
  public synchronized long issued() {
    return issued;
  }
}
