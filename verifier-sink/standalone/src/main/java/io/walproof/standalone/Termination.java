package io.walproof.standalone;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Turns SIGTERM and Ctrl-C into an orderly end with the right exit status: the JVM's shutdown waits
 * until the command has finished, within a bound, and then ends the process with the command's
 * status instead of the signal's.
 */
final class Termination implements AutoCloseable {

  /** What the end needs besides the bounded steps themselves. */
  private static final Duration MARGIN = Duration.ofSeconds(15);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicReference<ExitStatus> status = new AtomicReference<>(ExitStatus.ERROR);
  private final Duration bound;
  private final Thread hook = new Thread(this::onShutdown, "walproof-termination");

  private Termination(Duration bound) {
    this.bound = bound;
  }

  /** Takes over the signals until closed. */
  static Termination install(Duration shutdownTimeout) {
    // The engine and the verifier each have the timeout for themselves.
    Termination termination = new Termination(shutdownTimeout.multipliedBy(2).plus(MARGIN));
    Runtime.getRuntime().addShutdownHook(termination.hook);
    return termination;
  }

  boolean requested() {
    return requested.getCount() == 0;
  }

  /** Waits for a signal, at most this long. */
  void awaitRequest(Duration atMost) throws InterruptedException {
    if (requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return;
    }
  }

  /** The command has ended, with this status. */
  void finished(ExitStatus with) {
    status.set(with);
  }

  private void onShutdown() {
    requested.countDown();
    try {
      if (finished.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(status.get().code());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already; the hook, which runs now, ends the process with our status.
    }
  }
}
