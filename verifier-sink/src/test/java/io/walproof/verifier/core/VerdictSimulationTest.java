package io.walproof.verifier.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.VerdictSimulation.World;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Properties of the verdicts over many seeded histories. {@code -Dwalproof.simulation.seeds=100000}
 * makes it the long run.
 */
class VerdictSimulationTest {

  private static final int STEPS = 250;

  /** More than any of the histories fills. */
  private static final long AMPLE = 1 << 20;

  private static final long SEEDS =
      Long.getLong("walproof.simulation.seeds", 2_400L) / Behaviour.values().length;

  /** Soundness: whatever a correct applier's pace, nothing is reported as failed. */
  @ParameterizedTest
  @EnumSource(names = {"CORRECT", "BATCHING", "PAUSING", "RESTARTING", "STOPPED"})
  void aCorrectApplierIsNeverAccused(Behaviour behaviour) {
    for (long seed = 0; seed < SEEDS; seed++) {
      accusesNobody(behaviour, seed, new World(true, 0, false));
      accusesNobody(behaviour, seed, versions(seed));
    }
  }

  /** Versions of rows in all circumstances, a small memory included. */
  private static World versions(long seed) {
    return new World(seed % 2 == 0, seed % 5 == 0 ? 1_000 : AMPLE, seed % 3 == 0);
  }

  private static void accusesNobody(Behaviour behaviour, long seed, World world) {
    VerdictSimulation history = play(seed, behaviour, world);
    for (Decision decision : history.decisions()) {
      if (decision.verdict() instanceof Verdict.Unresolved) {
        throw new AssertionError(
            behaviour
                + " seed "
                + seed
                + " in "
                + world
                + ": "
                + decision
                + "\n"
                + history.story());
      }
    }
    if (behaviour == Behaviour.STOPPED) {
      assertThat(history.decisions())
          .as("seed %s", seed)
          .allSatisfy(d -> assertThat(d.verdict()).isNotInstanceOf(Verdict.Advanced.class));
    }
  }

  /**
   * Completeness: a row that ends wrong was not passed by its last check. It may be excused as
   * advanced where the target's row had moved since its first read; that must stay rare. Values do
   * not recur here: an update to what the target holds anyway matches before it is applied.
   */
  @ParameterizedTest
  @EnumSource(
      names = {
        "LOSES_UPDATES",
        "LOSES_INSERTS",
        "WRITES_A_STALE_VERSION",
        "SKIPS_TRANSACTIONS",
        "DAMAGES_VALUES",
        "APPLIES_PARTIALLY"
      })
  void aRowThatEndsWrongIsNeverPassed(Behaviour behaviour) {
    endsWrong(behaviour, new World(false, 0, false), 10);
    int[] byVersions = endsWrong(behaviour, new World(false, AMPLE, false), 30);
    System.out.printf(
        "%s: rows that ended wrong: %d found, %d excused with versions%n",
        behaviour, byVersions[0], byVersions[1]);
  }

  /** How many were found wrong, and how many excused: at most one in so many. */
  private static int[] endsWrong(Behaviour behaviour, World world, int oneIn) {
    int unresolved = 0;
    int excused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      VerdictSimulation history = play(seed, behaviour, world);
      for (RowKey key : history.differing()) {
        Verdict last = history.lastDecision(key).map(Decision::verdict).orElse(null);
        if (last instanceof Verdict.Unresolved) {
          unresolved++;
        } else if (last instanceof Verdict.Advanced) {
          excused++;
        } else {
          throw new AssertionError(
              behaviour
                  + " seed "
                  + seed
                  + ": "
                  + key
                  + " passed as "
                  + last
                  + "\n"
                  + history.story());
        }
      }
    }
    assertThat(unresolved).as("rows found wrong").isPositive();
    assertThat(excused)
        .as("excused as advanced, of %s", unresolved)
        .isLessThan(unresolved / oneIn + 1);
    return new int[] {unresolved, excused};
  }

  /** Rows that hardly ever rest: what versions make of what was only seen to move. */
  @Test
  void mostOfWhatOnlyMovedIsDecidedByVersions() {
    Map<String, Integer> without = new TreeMap<>();
    Map<String, Integer> with = new TreeMap<>();
    for (long seed = 0; seed < SEEDS; seed += 4) {
      count(play(seed, Behaviour.BATCHING, new World(false, 0, true)), without);
      count(play(seed, Behaviour.BATCHING, new World(false, AMPLE, true)), with);
    }
    System.out.printf("hot rows without versions %s, with %s%n", without, with);
    assertThat(with.getOrDefault("converged by version", 0)).isPositive();
    int advanced =
        with.entrySet().stream()
            .filter(e -> e.getKey().startsWith("advanced"))
            .mapToInt(Map.Entry::getValue)
            .sum();
    assertThat(advanced).isLessThan(without.get("advanced") / 4);
  }

  private static void count(VerdictSimulation history, Map<String, Integer> outcomes) {
    for (Decision decision : history.decisions()) {
      String word = decision.verdict().outcome();
      if (decision.verdict() instanceof Verdict.Advanced advanced) {
        word += advanced.gap().map(gap -> ", " + gap.text()).orElse("");
      } else if (decision.verdict() instanceof Verdict.Converged converged
          && converged.matchedVersion().isPresent()) {
        word += " by version";
      }
      outcomes.merge(word, 1, Integer::sum);
    }
  }

  /** A row that never rests, to which an old version is written, is caught in the act. */
  @Test
  void anOldVersionOnAHotRowIsCalledStale() {
    int stale = 0;
    for (long seed = 0; seed < SEEDS; seed += 4) {
      stale +=
          (int)
              play(seed, Behaviour.WRITES_A_STALE_VERSION, new World(false, AMPLE, true))
                  .decisions()
                  .stream()
                  .filter(d -> d.verdict().equals(new Verdict.Unresolved(Kind.STALE)))
                  .count();
    }
    assertThat(stale).isPositive();
  }

  /**
   * A stray write to a row that nobody changes is beyond key checks, so only part of these is
   * found; the README says so.
   */
  @Test
  void strayWritesAreFoundWhereTheRowItselfChanges() {
    long found = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      found +=
          play(seed, Behaviour.WRITES_THE_WRONG_ROW, new World(false, 0, false))
              .decisions()
              .stream()
              .filter(d -> d.verdict() instanceof Verdict.Unresolved)
              .count();
    }
    assertThat(found).isPositive();
  }

  private static VerdictSimulation play(long seed, Behaviour behaviour, World world) {
    boolean crashes = seed % 3 == 0;
    VerdictSimulation history = new VerdictSimulation(seed, behaviour, world).run(STEPS, crashes);
    assertThat(history.watermark().decidedThrough()).isEqualTo(history.watermark().issued());
    assertThat(history.coverage().pending()).isZero();
    long rechecked = history.decisions().size();
    if (crashes) {
      // An observation whose process died has no decision; its key was observed again.
      assertThat(rechecked).isLessThanOrEqualTo(history.observations());
    } else {
      assertThat(rechecked).as("one recheck each").isEqualTo(history.observations());
    }
    assertThat(history.decisions())
        .allSatisfy(d -> assertThat(d.boundary()).as("judged without boundary").isPresent());
    return history;
  }
}
