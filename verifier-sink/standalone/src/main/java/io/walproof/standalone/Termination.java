package io.walproof.standalone;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import picocli.CommandLine;

/**
 * Turns SIGTERM and Ctrl-C into an orderly end with the right exit status: the JVM's shutdown waits
 * until the command has finished, within a bound, and then ends the process with the command's
 * status instead of the signal's. A start that does not come to its end soon is cut off, as by a
 * kill: it may be waiting for a server that never answers, and has decided nothing yet.
 */
final class Termination implements AutoCloseable {

  /** What the end needs besides the bounded steps themselves. */
  private static final Duration MARGIN = Duration.ofSeconds(15);

  /** How long a start may still take after a signal, so that it can be ended in order. */
  private static final Duration STARTING = Duration.ofSeconds(5);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicReference<ExitStatus> status = new AtomicReference<>(ExitStatus.ERROR);
  private final Duration bound;
  private final Consumer<String> tell;
  private final Thread hook = new Thread(this::onShutdown, "walproof-termination");

  private Termination(Duration bound, Consumer<String> tell) {
    this.bound = bound;
    this.tell = tell;
  }

  /**
   * Takes over the signals until closed.
   *
   * @param shutdownTimeout the bound of each of the end's two long steps
   * @param tell is told if the process has to be cut off, on another thread
   */
  private static Termination install(Duration shutdownTimeout, Consumer<String> tell) {
    // The engine and the verifier each have the timeout for themselves.
    Termination termination = new Termination(shutdownTimeout.multipliedBy(2).plus(MARGIN), tell);
    Runtime.getRuntime().addShutdownHook(termination.hook);
    return termination;
  }

  /**
   * Runs a command's work under a termination. A failure after a signal is told here: the process
   * ends as soon as the termination is closed.
   *
   * @param shutdownTimeout the bound of each of the end's two long steps
   * @param tell is told if the process has to be cut off, on another thread
   * @return the exit status
   */
  static int guard(Duration shutdownTimeout, CommandLine command, Consumer<String> tell, Work work)
      throws InterruptedException {
    try (Termination termination = install(shutdownTimeout, tell)) {
      try {
        ExitStatus status = work.run(termination);
        termination.finished(status);
        return status.code();
      } catch (RuntimeException e) {
        if (!termination.requested()) {
          throw e;
        }
        return Reports.failure(e, command, command.getParseResult());
      }
    }
  }

  /** What a command does until it ends by itself or is asked to. */
  @FunctionalInterface
  interface Work {
    /** Does it; says {@link Termination#started} once there is something to end in order. */
    ExitStatus run(Termination termination) throws InterruptedException;
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

  /** From now on there is something to end in order. */
  void started() {
    started.countDown();
  }

  /** The command has ended, with this status. */
  void finished(ExitStatus with) {
    status.set(with);
  }

  private void onShutdown() {
    requested.countDown();
    try {
      if (!started.await(STARTING.toMillis(), TimeUnit.MILLISECONDS)) {
        cutOff("stopped while starting; nothing was checked");
      }
      if (!finished.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        cutOff(
            "the end took longer than shutdown.timeout.ms allows; what is pending is not in the"
                + " audit, and is checked again by the next run");
      }
      Runtime.getRuntime().halt(status.get().code());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void cutOff(String why) {
    tell.accept(why);
    Runtime.getRuntime().halt(ExitStatus.ERROR.code());
  }

  @Override
  public void close() {
    started.countDown();
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already; the hook, which runs now, ends the process with our status.
    }
  }
}
