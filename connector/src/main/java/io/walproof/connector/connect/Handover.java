package io.walproof.connector.connect;

import io.walproof.connector.offset.Position;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The bounded queue between the capture's thread and the worker's. When it is full the capture
 * waits. Batches stay whole, so that a drift event and its deciding change leave together; a batch
 * that is larger than the bound is taken when the queue is empty. Thread-safe.
 */
final class Handover {

  private final int maxRecords;
  private final Time time;
  private final Object monitor = new Object();
  private final Queue<List<SourceRecord>> batches = new ArrayDeque<>();
  private int records;

  /** Behind everything that was put and is not carried by a record; null if there is none. */
  private Position trailing;

  private boolean closed;

  Handover(int maxRecords, Time time) {
    this.maxRecords = maxRecords;
    this.time = time;
  }

  /**
   * Adds a batch, waiting for room. What is put after the end is dropped; it is delivered again
   * after the next start.
   *
   * @param batch may be empty
   * @param behind a position past the last record, if the batch went on after it
   */
  void put(List<SourceRecord> batch, Optional<Position> behind) throws InterruptedException {
    synchronized (monitor) {
      while (!closed && records > 0 && records + batch.size() > maxRecords) {
        monitor.wait();
      }
      if (closed) {
        return;
      }
      if (!batch.isEmpty()) {
        batches.add(batch);
        records += batch.size();
        trailing = null;
      }
      behind.ifPresent(position -> trailing = position);
      monitor.notifyAll();
    }
  }

  /** The next batch, waiting for one; empty if there is none in time. */
  List<SourceRecord> take(Duration atMost) throws InterruptedException {
    long deadline = time.nanoTime() + atMost.toNanos();
    synchronized (monitor) {
      long left = deadline - time.nanoTime();
      while (batches.isEmpty() && !closed && left > 0) {
        time.waitOn(monitor, Duration.ofNanos(left));
        left = deadline - time.nanoTime();
      }
      List<SourceRecord> next = batches.poll();
      if (next == null) {
        return List.of();
      }
      records -= next.size();
      monitor.notifyAll();
      return next;
    }
  }

  /** Takes the position that no record carries; only once all records are taken. */
  Optional<Position> takeTrailing() {
    synchronized (monitor) {
      if (trailing == null || !batches.isEmpty()) {
        return Optional.empty();
      }
      Position position = trailing;
      trailing = null;
      return Optional.of(position);
    }
  }

  /** Records that wait. */
  int size() {
    synchronized (monitor) {
      return records;
    }
  }

  /** Ends all waiting, for good. */
  void close() {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
  }
}
