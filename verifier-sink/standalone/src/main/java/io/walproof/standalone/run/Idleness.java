package io.walproof.standalone.run;

import io.walproof.connector.engine.CaptureException;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a source without changes from a stream that is late or broken: after the quiet time a mark
 * is set in the source's WAL, and only when it was streamed and still nothing has come up, there is
 * nothing left to check. Owned by one thread.
 */
final class Idleness {

  private static final Logger LOG = LoggerFactory.getLogger(Idleness.class);

  /** Between two attempts to set a mark on a source that does not answer. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** What it looks at. */
  interface Stream {
    /** Undecided keys. */
    int pending();

    /** When the last changed key came in, on the monotonic clock. */
    long lastChangeAt();

    /** How far the stream has come; every change up to there is pending or has ended. */
    Lsn reached();

    /** Whether no range check waits or runs; one may have come with what was streamed. */
    boolean rangesIdle();

    /**
     * Sets a mark in the source's WAL.
     *
     * @return empty where none can be set: then the quiet time alone counts
     * @throws CaptureException if the source does not answer
     */
    Optional<Lsn> mark();
  }

  private final Time time;
  private final Stream stream;

  /** Since when the mark stands, as the last change's arrival; a later change makes it void. */
  private long quietSince;

  private Optional<Lsn> mark = Optional.empty();
  private boolean marked;
  private boolean told;
  private long nextAttemptAt;

  Idleness(Time time, Stream stream) {
    this.time = time;
    this.stream = stream;
    this.nextAttemptAt = time.nanoTime();
  }

  boolean lastedFor(Duration duration) {
    long lastChange = stream.lastChangeAt();
    boolean quiet = stream.pending() == 0 && time.nanoTime() - lastChange >= duration.toNanos();
    if (!quiet || lastChange != quietSince) {
      marked = false;
      quietSince = lastChange;
    }
    if (!quiet || !setMark()) {
      return false;
    }
    // In this order: what was streamed before the mark is pending or has ended by then.
    return mark.map(place -> stream.reached().hasPassed(place)).orElse(true)
        && stream.rangesIdle()
        && stream.pending() == 0
        && stream.lastChangeAt() == quietSince;
  }

  private boolean setMark() {
    if (!marked && time.nanoTime() - nextAttemptAt >= 0) {
      try {
        mark = stream.mark();
        marked = true;
      } catch (CaptureException e) {
        if (!told) {
          told = true;
          LOG.warn("Whether all changes have arrived cannot be told yet: {}", e.getMessage());
        }
        nextAttemptAt = time.nanoTime() + RETRY.toNanos();
      }
    }
    return marked;
  }
}
