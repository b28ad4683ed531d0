package io.walproof.verifier.core;

import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.VerdictSimulation.World;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What names one simulated history, so that it can be played again.
 *
 * @param behaviour how the applier goes about its work
 * @param seed of everything that is left to chance
 * @param kind what the world is like
 */
record SimulatedHistory(Behaviour behaviour, long seed, Kind kind) {

  /** The system property that names a history to play again. */
  static final String REPLAY = "walproof.simulation.replay";

  private static final int STEPS = 250;
  private static final int TRACE_LINES = 40;

  /** More than any of the histories fills. */
  private static final long AMPLE = 1 << 20;

  /** Of worlds. */
  enum Kind {
    /** No versions of rows are kept. */
    PLAIN,
    /** They are. */
    VERSIONS,
    /** Rows hardly ever rest; no versions are kept. */
    HOT,
    /** Rows hardly ever rest, and versions are kept. */
    HOT_VERSIONS;

    boolean keepsVersions() {
      return this == VERSIONS || this == HOT_VERSIONS;
    }
  }

  World world() {
    boolean hot = kind == Kind.HOT || kind == Kind.HOT_VERSIONS;
    long versions = seed % 5 == 0 && !hot ? 1_000 : AMPLE;
    return new World(
        !hot && seed % 2 == 0,
        kind.keepsVersions() ? versions : 0,
        hot,
        !hot && seed % 3 == 0,
        !hot && seed % 7 == 2,
        !hot && seed % 7 < 2);
  }

  /** Plays it and holds everything against what is true in it. */
  SimulatedTally play() {
    return play(tally -> {});
  }

  /**
   * The same, and holds what became of it against something more.
   *
   * @throws AssertionError with the last lines of the history, and how to play it again
   */
  SimulatedTally play(Consumer<SimulatedTally> check) {
    try {
      return play(new SimulatedTrace(0), check);
    } catch (AssertionError | RuntimeException e) {
      SimulatedTrace trace = new SimulatedTrace(TRACE_LINES);
      String again = "does not fail again";
      try {
        play(trace, check);
      } catch (AssertionError | RuntimeException same) {
        again = same.toString();
      }
      throw new AssertionError(
          "%s%nin %s; its last %d lines:%n%s%nPlay it again: mvn -pl verifier-sink -am verify"
                  .formatted(again, world(), TRACE_LINES, trace)
              + " -Dtest=VerdictSimulationTest -Dit.test=none"
              + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false"
              + " -D"
              + REPLAY
              + "="
              + this,
          e);
    }
  }

  private SimulatedTally play(SimulatedTrace trace, Consumer<SimulatedTally> check) {
    SimulatedTally tally =
        new VerdictSimulation(seed, behaviour, world(), trace, MemoryAudit::new).run(STEPS).tally();
    check.accept(tally);
    return tally;
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return (behaviour + ":" + seed + ":" + kind).toLowerCase(Locale.ROOT);
  }

  static SimulatedHistory parse(String text) {
    String[] parts = text.toUpperCase(Locale.ROOT).split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException(
          REPLAY
              + " names a history as behaviour:seed:kind, with one of "
              + Arrays.toString(Behaviour.values())
              + " and one of "
              + Arrays.toString(Kind.values()));
    }
    return new SimulatedHistory(
        Behaviour.valueOf(parts[0]), Long.parseLong(parts[1]), Kind.valueOf(parts[2]));
  }
}
