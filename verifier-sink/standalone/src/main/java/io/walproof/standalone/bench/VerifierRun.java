package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.assembly.AssembledVerifier;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.ingest.Watermark;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * One run of the whole verifier, or of several that share the keys as a connector's tasks do.
 *
 * @param seconds from the first key to the last decision
 * @param sourceCpuSeconds what the source's processes that served it took
 * @param outcomes how many keys ended how
 */
record VerifierRun(double seconds, double sourceCpuSeconds, Map<String, Long> outcomes) {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(1);

  /**
   * Checks the keys.
   *
   * @param tasks how many verifiers, each with its own connections, workers and audit
   * @param recheckDelay how long a mismatch is on hold
   */
  static VerifierRun of(
      TwoSides sides,
      List<List<Long>> batches,
      int batch,
      int tasks,
      Duration recheckDelay,
      Time time)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    List<Task> running = new ArrayList<>();
    try (Connection watcher = sides.source().connect(ReplicatedPair.DATABASE)) {
      for (int task = 0; task < tasks; task++) {
        running.add(Task.start(sides, batch, recheckDelay, time));
      }
      long began = time.nanoTime();
      for (int i = 0; i < batches.size(); i++) {
        Task task = running.get(i % tasks);
        KeyStream.submit(task.assembled.verifier(), task.watermark, batches.get(i));
      }
      long end = began + PATIENCE.toNanos();
      for (Task task : running) {
        task.await(end, time);
      }
      double seconds = (time.nanoTime() - began) / 1e9;
      Map<String, Long> outcomes = new TreeMap<>();
      for (Task task : running) {
        task.assembled
            .verifier()
            .total()
            .outcomes()
            .forEach((outcome, keys) -> outcomes.merge(outcome, keys, Long::sum));
      }
      return new VerifierRun(seconds, ServerCpu.ofWalproof(watcher), outcomes);
    } finally {
      for (Task task : running) {
        task.stop();
      }
    }
  }

  /** Its keys a second. */
  double perSecond() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum() / seconds;
  }

  /** Refuses a run that found anything else. */
  VerifierRun require(Map<String, Long> expected) {
    if (!outcomes.equals(expected)) {
      throw new IllegalStateException("keys ended as " + outcomes + " instead of " + expected);
    }
    return this;
  }

  /** One verifier and what it stands on. */
  private record Task(
      Deque<AutoCloseable> opened, AssembledVerifier assembled, Watermark watermark) {

    static Task start(TwoSides sides, int batch, Duration recheckDelay, Time time)
        throws IOException {
      Deque<AutoCloseable> opened = new ArrayDeque<>();
      boolean started = false;
      try {
        TemporaryState folder = TemporaryState.create();
        opened.push(folder);
        StateDirectory state = StateDirectory.open(folder.path());
        opened.push(state);
        FileAuditLog audit = FileAuditLog.open(state, "bench", time);
        opened.push(audit);
        AssembledVerifier assembled =
            AssembledVerifier.start(
                TwoSides.verifier(sides.sourceUrl(), sides.targetUrl(), batch, recheckDelay),
                audit,
                time);
        started = true;
        return new Task(opened, assembled, new Watermark());
      } finally {
        if (!started) {
          close(opened);
        }
      }
    }

    private static void close(Deque<AutoCloseable> opened) throws IOException {
      for (AutoCloseable each : opened) {
        try {
          each.close();
        } catch (IOException | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IOException(e);
        }
      }
    }

    void await(long end, Time time) throws TimeoutException, InterruptedException {
      while (assembled.verifier().pending() > 0) {
        if (assembled.verifier().failure().isPresent()) {
          throw new IllegalStateException(assembled.verifier().failure().get());
        }
        if (time.nanoTime() - end > 0) {
          throw new TimeoutException("the verifier did not end within " + PATIENCE);
        }
        time.sleep(POLL);
      }
    }

    void stop() throws IOException, InterruptedException {
      try {
        assembled.stop(PATIENCE);
      } finally {
        close(opened);
      }
    }
  }
}
