package io.walproof.verifier.defer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Holds mismatches for the recheck delay, first in first out; nothing ever comes back (invariant
 * F). Pure data, given the time; the caller guards it.
 */
public final class DeferredQueue {

  private record Waiting(long due, Deferred deferred) {}

  private final long delayNanos;
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();

  /** A queue with the delay ({@code verify.recheck.delay.ms}). */
  public DeferredQueue(Duration delay) {
    this.delayNanos = delay.toNanos();
  }

  /** Adds mismatches whose observations became durable at {@code now} or before. */
  public void add(List<Deferred> mismatches, long now) {
    mismatches.forEach(deferred -> queue.add(new Waiting(now + delayNanos, deferred)));
  }

  /** When the next one is due. */
  public OptionalLong nextDue() {
    return queue.isEmpty() ? OptionalLong.empty() : OptionalLong.of(queue.element().due());
  }

  /** How long the oldest one has been on hold; zero if there is none. */
  public Duration oldestAge(long now) {
    return queue.isEmpty()
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, now - (queue.element().due() - delayNanos)));
  }

  /** Takes what is due, oldest first. */
  public List<Deferred> takeDue(long now, int atMost) {
    List<Deferred> taken = new ArrayList<>();
    while (taken.size() < atMost && !queue.isEmpty() && queue.element().due() - now <= 0) {
      taken.add(queue.remove().deferred());
    }
    return taken;
  }

  /** Takes the mismatches of abandoned streams, due or not. */
  public List<Deferred> takeAbandoned() {
    List<Deferred> taken = new ArrayList<>();
    queue.removeIf(
        waiting -> waiting.deferred().entry().isAbandoned() && taken.add(waiting.deferred()));
    return taken;
  }

  /** Takes everything, due or not, for a shutdown. */
  public List<Deferred> takeAll() {
    List<Deferred> all = queue.stream().map(Waiting::deferred).toList();
    queue.clear();
    return all;
  }

  /** How many wait. */
  public int size() {
    return queue.size();
  }
}
