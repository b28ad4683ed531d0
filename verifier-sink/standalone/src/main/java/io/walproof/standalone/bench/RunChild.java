package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.run.RunSession;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A {@code walproof run} in a JVM of its own, followed by what it writes.
 *
 * @param child its JVM
 * @param state its {@code state.dir}
 * @param time the clock
 */
record RunChild(ChildJvm child, Path state, Time time) {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(10);

  /** The position is durable just before the engine starts; from then on no change is missed. */
  void awaitRunning() throws InterruptedException {
    await(POLL, this::isRunning, "walproof run did not start");
  }

  /** Waits until so many keys were put on hold. */
  void awaitDeferred(int keys) throws InterruptedException {
    Path audit = StateDirectory.auditFile(state);
    await(
        POLL,
        () -> AuditSummary.ofLastRun(audit).total().deferred() >= keys,
        "walproof run did not put all keys on hold");
  }

  /** Waits for the first key that is decided, without losing time. */
  void awaitDecision() throws InterruptedException {
    Path audit = StateDirectory.auditFile(state);
    await(
        SOON,
        () -> isRunning() && !AuditSummary.ofLastRun(audit).total().outcomes().isEmpty(),
        "walproof run decided nothing");
  }

  /** The audit has the run's beginning by then too. */
  private boolean isRunning() {
    return Files.exists(RunSession.offsetsFile(state));
  }

  private void await(Duration poll, BooleanSupplier condition, String otherwise)
      throws InterruptedException {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (!child.isAlive()) {
        throw new IllegalStateException(
            "walproof run ended by itself with status " + child.await(Duration.ZERO));
      }
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException(otherwise + " within " + PATIENCE);
      }
      time.sleep(poll);
    }
  }
}
