package io.walproof.verifier.schedule;

import java.time.Duration;
import java.util.Objects;

/**
 * Mismatches that wait for their one recheck.
 *
 * @param keys how many
 * @param oldest how long the oldest has waited; zero if there is none
 */
public record OnHold(int keys, Duration oldest) {

  /** None. */
  public static final OnHold NONE = new OnHold(0, Duration.ZERO);

  /** The duration is required. */
  public OnHold {
    Objects.requireNonNull(oldest, "oldest");
  }

  /** These and others together. */
  public OnHold and(OnHold other) {
    return new OnHold(
        keys + other.keys, oldest.compareTo(other.oldest) > 0 ? oldest : other.oldest);
  }
}
