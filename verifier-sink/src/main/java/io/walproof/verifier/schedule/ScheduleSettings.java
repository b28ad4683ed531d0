package io.walproof.verifier.schedule;

import io.walproof.verifier.range.OffsetClaims;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * When tables are checked without being asked for, and within which bounds.
 *
 * @param onResume {@code verify.range.on.resume}: at each start
 * @param interval {@code verify.range.interval.ms}: between two beginnings; empty for no schedule
 * @param onDrift {@code verify.range.on.drift}: when a table was created anew, or a gap named
 * @param deadline {@code verify.range.deadline.ms}: how long one table's check may take
 * @param waitingMax {@code verify.range.queue.max}: tables and reasons that may wait
 * @param retry {@code verify.range.retry.ms}: between two attempts to begin
 * @param retriesMax {@code verify.range.retries.max}: how many attempts follow a failed one
 * @param claims the connector whose offsets say what was delivered; empty for whole tables
 * @param known {@code verify.range.claim.initial.snapshot}, {@code verify.range.claim.tables} and
 *     {@code verify.range.claim.zone}: what those offsets do not show
 */
public record ScheduleSettings(
    boolean onResume,
    Optional<Duration> interval,
    boolean onDrift,
    Duration deadline,
    int waitingMax,
    Duration retry,
    int retriesMax,
    Optional<RestOffsets> claims,
    OffsetClaims.Known known) {

  /** Refuses what cannot work. */
  public ScheduleSettings {
    Objects.requireNonNull(interval, "interval");
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(known, "known");
    if (interval.filter(each -> each.isZero() || each.isNegative()).isPresent()
        || deadline.isZero()
        || deadline.isNegative()
        || waitingMax < 1
        || retriesMax < 0) {
      throw new IllegalArgumentException("schedules, deadlines and queues are positive");
    }
  }

  /** Whether anything can set a check off. */
  public boolean isOn() {
    return onResume || onDrift || interval.isPresent();
  }
}
