package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a capture is in its life, and why it ended. It moves one way: starting, running, closing,
 * ended; any step may be left out. Thread-safe.
 */
final class EngineLife {

  private enum State {
    STARTING,
    RUNNING,
    CLOSING,
    ENDED
  }

  private final Time time;

  /** Guards both fields, and is notified when they change. */
  private final Object monitor = new Object();

  private State state = State.STARTING;
  private CaptureException failure;
  private boolean polled;

  EngineLife(Time time) {
    this.time = time;
  }

  /** Debezium polls for changes. */
  void polling() {
    synchronized (monitor) {
      if (state == State.STARTING) {
        state = State.RUNNING;
        polled = true;
        monitor.notifyAll();
      }
    }
  }

  /** The capture shall end; true for the first who says so. */
  boolean beginClosing() {
    synchronized (monitor) {
      if (state == State.CLOSING || state == State.ENDED) {
        return false;
      }
      state = State.CLOSING;
      monitor.notifyAll();
      return true;
    }
  }

  /** Whether somebody asked for the end. */
  boolean isClosing() {
    synchronized (monitor) {
      return state == State.CLOSING;
    }
  }

  /** The engine's thread is done; where nobody asked for that, it is a failure. */
  void ended() {
    synchronized (monitor) {
      if (state == State.RUNNING && failure == null) {
        failure = new CaptureException(Reason.ENGINE, "the engine ended by itself");
      }
      state = State.ENDED;
      monitor.notifyAll();
    }
  }

  /** Keeps the first failure. */
  void failed(CaptureException e) {
    synchronized (monitor) {
      if (failure == null) {
        failure = e;
      }
      monitor.notifyAll();
    }
  }

  boolean isRunning() {
    synchronized (monitor) {
      return state == State.RUNNING && failure == null;
    }
  }

  Optional<CaptureException> failure() {
    synchronized (monitor) {
      return Optional.ofNullable(failure);
    }
  }

  /**
   * Waits until Debezium polls; gives what went wrong instead. A halt on drift may follow at once;
   * it is the capture's end like any later one, and no failed start.
   */
  Optional<CaptureException> awaitPolling(Duration timeout) throws InterruptedException {
    long deadline = time.nanoTime() + timeout.toNanos();
    synchronized (monitor) {
      while (state == State.STARTING && failure == null) {
        long left = deadline - time.nanoTime();
        if (left <= 0) {
          return Optional.of(
              new CaptureException(
                  Reason.TIMEOUT, "the engine did not start within drift.start.timeout.ms"));
        }
        time.waitOn(monitor, Duration.ofNanos(left));
      }
      if (polled && failure != null && failure.reason() == Reason.HALTED) {
        return Optional.empty();
      }
      if (failure != null) {
        return Optional.of(failure);
      }
      return state == State.RUNNING
          ? Optional.empty()
          : Optional.of(new CaptureException(Reason.ENGINE, "the engine ended while it started"));
    }
  }

  /** Waits until the engine's thread is done; false if it is not in time. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    long deadline = time.nanoTime() + timeout.toNanos();
    synchronized (monitor) {
      while (state != State.ENDED) {
        long left = deadline - time.nanoTime();
        if (left <= 0) {
          return false;
        }
        time.waitOn(monitor, Duration.ofNanos(left));
      }
      return true;
    }
  }
}
