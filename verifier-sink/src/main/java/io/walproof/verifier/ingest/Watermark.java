package io.walproof.verifier.ingest;

import java.util.TreeSet;

/**
 * How far one stream of changes is decided. Every change gets a sequence number in arrival order;
 * an offset may be committed up to {@link #decidedThrough()} and no further (design section 8.7).
 * One instance per stream whose offsets commit on their own. Thread-safe.
 */
public final class Watermark {

  private final TreeSet<Long> open = new TreeSet<>();
  private long issued;

  /** The next sequence number, undecided until {@link #close} is called with it. From 1. */
  public synchronized long issue() {
    issued++;
    open.add(issued);
    return issued;
  }

  /**
   * Marks a change as decided.
   *
   * @throws IllegalStateException if it was never issued or is closed already: deciding twice is a
   *     bug that must not hide
   */
  public synchronized void close(long sequence) {
    if (!open.remove(sequence)) {
      throw new IllegalStateException("sequence " + sequence + " is not open");
    }
  }

  /** The largest number such that it and everything before it is decided; 0 at the start. */
  public synchronized long decidedThrough() {
    return open.isEmpty() ? issued : open.first() - 1;
  }

  /** The last number issued. */
  public synchronized long issued() {
    return issued;
  }
}
