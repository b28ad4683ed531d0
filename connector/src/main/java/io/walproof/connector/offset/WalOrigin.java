package io.walproof.connector.offset;

import java.util.Objects;
import java.util.Optional;

/**
 * Whose WAL a position's LSNs belong to.
 *
 * @param systemIdentifier {@code pg_control_system().system_identifier}; empty if an older build
 *     did not store it
 * @param timelines the cluster's timelines; empty if they are not known, so that nothing can be
 *     said of them
 */
public record WalOrigin(String systemIdentifier, Optional<TimelineHistory> timelines) {

  /** Refuses null. */
  public WalOrigin {
    Objects.requireNonNull(systemIdentifier, "systemIdentifier");
    Objects.requireNonNull(timelines, "timelines");
  }

  /** A cluster of whose timelines nothing is said. */
  public static WalOrigin of(String systemIdentifier) {
    return new WalOrigin(systemIdentifier, Optional.empty());
  }

  /** The same cluster, of whose timelines nothing is said. */
  public WalOrigin withoutTimelines() {
    return of(systemIdentifier);
  }
}
