package io.walproof.verifier.replay;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How replay is confirmed ({@code verify.replay.confirmation}). */
public enum ConfirmationStrategy {
  /** Whichever of the next three can be proven to apply. */
  AUTO,
  /** The source slot of the target's subscription has confirmed past the boundary. */
  SUBSCRIPTION,
  /** The target is a physical standby whose replay has passed. */
  STANDBY,
  /** A row written on the source arrived on the target, by an applier in commit order. */
  MARKER_TABLE,
  /** A Debezium connector has stored a position past it, and then a sink's group has caught up. */
  KAFKA_SINK,
  /** No applier is running, so there is nothing to wait for. */
  NONE;

  /** Lower case with underscores, as configured. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a configured value.
   *
   * @throws IllegalArgumentException naming the choices
   */
  public static ConfirmationStrategy parse(String text) {
    return Arrays.stream(values())
        .filter(strategy -> strategy.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "verify.replay.confirmation must be one of "
                        + Arrays.stream(values())
                            .map(ConfirmationStrategy::text)
                            .collect(Collectors.joining(", "))));
  }
}
