package io.walproof.connector.engine;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.contract.Lsn;
import java.util.Optional;

/**
 * Whether a source goes on where a position ends: with the WAL that the position was delivered
 * from, and with a slot that still has what comes next. Pure.
 *
 * @param from up to where what was delivered is what the source has; the position's own end unless
 *     the source diverged
 * @param divergence what was delivered that the source does not have, empty if it has all of it
 * @param missing why the slot does not deliver everything since {@code from}, empty if it does
 */
record Continuity(Lsn from, Optional<String> divergence, Optional<String> missing) {

  /**
   * Compares.
   *
   * @param name the slot's name
   * @param slot the slot, empty if there is none
   * @param stored the durable position
   * @param source whose WAL the source has
   */
  static Continuity of(String name, Optional<SlotState> slot, Position stored, WalOrigin source) {
    Optional<Lsn> shared = source.timelines().flatMap(stored::divergesFrom);
    if (shared.isEmpty()) {
      return new Continuity(
          stored.resume(), Optional.empty(), SlotCheck.problem(name, slot, stored.resume()));
    }
    boolean unrelated = shared.get().equals(Lsn.NONE);
    Lsn from = unrelated ? stored.resume() : Lsn.min(stored.resume(), shared.get());
    long timeline = source.timelines().orElseThrow().current();
    String divergence =
        unrelated
            ? "the source is on timeline "
                + timeline
                + ", and it is not known where that left the timelines of the stored position "
                + stored.resume()
                + " ("
                + stored.origin().timelines().orElseThrow()
                + ")"
            : "the source is on timeline "
                + timeline
                + " (a failover, or a restore), which left the stored position's WAL at "
                + shared.get()
                + "; what was delivered from there to "
                + stored.delivered()
                + " is not in the source any more, and the target may have it";
    return new Continuity(from, Optional.of(divergence), SlotCheck.problem(name, slot, from));
  }

  /** What is wrong, empty if nothing is. */
  Optional<String> problem() {
    if (divergence.isPresent() && missing.isPresent()) {
      return Optional.of(divergence.get() + "; and " + missing.get());
    }
    return divergence.or(() -> missing);
  }
}
