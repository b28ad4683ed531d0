package io.walproof.connector.engine;

import io.debezium.engine.DebeziumEngine;
import io.walproof.contract.Time;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Debezium to stop, on a thread of its own, because that may block. */
final class EngineCloser {

  private static final Logger LOG = LoggerFactory.getLogger(EngineCloser.class);
  private static final Duration RETRY = Duration.ofMillis(50);

  private EngineCloser() {}

  /**
   * Begins.
   *
   * @param runs the thread that runs the engine
   * @param atMost how long to ask again while Debezium refuses
   */
  static void begin(DebeziumEngine<?> debezium, Thread runs, Duration atMost, Time time) {
    Thread closer =
        new Thread(() -> stop(debezium, runs, atMost, time), runs.getName() + "-closer");
    closer.setDaemon(true);
    closer.start();
  }

  private static void stop(DebeziumEngine<?> debezium, Thread runs, Duration atMost, Time time) {
    long deadline = time.nanoTime() + atMost.toNanos();
    while (runs.isAlive() && time.nanoTime() - deadline < 0) {
      try {
        debezium.close();
        return;
      } catch (IllegalStateException e) {
        // Debezium refuses to stop while its tasks are starting, and while it stops by itself.
        LOG.debug("The engine cannot be stopped yet", e);
      } catch (IOException e) {
        LOG.warn("Stopping the engine failed", e);
        return;
      }
      try {
        time.sleep(RETRY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
