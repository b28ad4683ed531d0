package io.walproof.verifier.connect;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.model.AuditEntry;
import java.util.List;

/** Notes how long it takes until records are durable. Thread-safe. */
public final class TimedAuditLog implements AuditLog {

  private final AuditLog log;
  private final Time time;
  private volatile long lastNanos;
  private volatile long records;

  /**
   * Around a log, which is closed with this.
   *
   * @param time the clock
   */
  public TimedAuditLog(AuditLog log, Time time) {
    this.log = log;
    this.time = time;
  }

  @Override
  public synchronized void append(List<AuditEntry> entries) {
    long began = time.nanoTime();
    log.append(entries);
    lastNanos = time.nanoTime() - began;
    records = records + entries.size();
  }

  /** How long the last batch took, in milliseconds. */
  long lastMillis() {
    return lastNanos / 1_000_000;
  }

  /** Records that are durable. */
  long records() {
    return records;
  }

  @Override
  public void close() {
    log.close();
  }
}
