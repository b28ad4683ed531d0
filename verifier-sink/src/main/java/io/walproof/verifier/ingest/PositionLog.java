package io.walproof.verifier.ingest;

import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Positions that were reached and may not be committed yet: each may be once every change up to its
 * sequence number is decided. Bounded: when it is full every second position is dropped, which only
 * makes the committed offset coarser. Thread-safe.
 *
 * @param <P> the position
 */
public final class PositionLog<P> {

  private record Reached<P>(long sequence, P position) {}

  private final int limit;
  private final ArrayDeque<Reached<P>> reached = new ArrayDeque<>();

  /** A log that holds at most this many positions, at least two. */
  public PositionLog(int limit) {
    if (limit < 2) {
      throw new IllegalArgumentException("a position log holds at least two positions");
    }
    this.limit = limit;
  }

  /**
   * Notes that the stream has reached a position.
   *
   * @param sequence the last change that it stands behind
   */
  public synchronized void reached(long sequence, P position) {
    if (!reached.isEmpty() && reached.getLast().sequence() == sequence) {
      reached.removeLast();
    } else if (reached.size() == limit) {
      thin();
    }
    reached.addLast(new Reached<>(sequence, position));
  }

  /** The latest position that may be committed, and forgets it and those before it. */
  public synchronized Optional<P> takeThrough(long decided) {
    P latest = null;
    while (!reached.isEmpty() && reached.getFirst().sequence() <= decided) {
      latest = reached.removeFirst().position();
    }
    return Optional.ofNullable(latest);
  }

  synchronized int size() {
    return reached.size();
  }

  /** Of each two neighbours the later stays: it implies the earlier. */
  private void thin() {
    ArrayDeque<Reached<P>> kept = new ArrayDeque<>();
    boolean keep = reached.size() % 2 == 1;
    for (Reached<P> entry : reached) {
      if (keep) {
        kept.addLast(entry);
      }
      keep = !keep;
    }
    reached.clear();
    reached.addAll(kept);
  }
}
