package io.walproof.verifier.model;

import io.walproof.contract.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A flag that is raised once, and what to do then: a running statement registers its own cancel.
 * Thread-safe.
 */
public final class Cancellation {

  private final List<Runnable> actions = new ArrayList<>();
  private boolean cancelled;

  /** Whether the flag is up. */
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Raises the flag and runs every registered action, each at most once. */
  public void cancel() {
    List<Runnable> toRun;
    synchronized (this) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      toRun = List.copyOf(actions);
      actions.clear();
      notifyAll();
    }
    toRun.forEach(Runnable::run);
  }

  /**
   * Runs the action when the flag is raised, or at once if it already is.
   *
   * @return closes the registration; after that the action no longer runs
   */
  public Registration onCancel(Runnable action) {
    synchronized (this) {
      if (!cancelled) {
        actions.add(action);
        return () -> {
          synchronized (Cancellation.this) {
            actions.remove(action);
          }
        };
      }
    }
    action.run();
    return () -> {};
  }

  /** Waits for the flag, at most this long. */
  public void await(Time time, Duration atMost) throws InterruptedException {
    Deadline end = Deadline.in(time, atMost);
    synchronized (this) {
      while (!cancelled && !end.hasPassed()) {
        time.waitOn(this, end.remaining(atMost));
      }
    }
  }

  /** An open registration. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
