package io.walproof.verifier.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.verifier.audit.AuditCheck;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.SimulatedHistory.Kind;
import io.walproof.verifier.core.VerdictSimulation.World;
import io.walproof.verifier.model.AuditEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Properties of the verdicts over many seeded histories, without and with versions of rows; {@link
 * SimulatedWitness} holds them. {@code -Dwalproof.simulation.seeds=100000} makes it the long run.
 */
class VerdictSimulationTest {

  private static final long SEEDS =
      Long.getLong("walproof.simulation.seeds", 2_400L) / Behaviour.values().length;

  /**
   * Soundness and completeness. A fault that a behaviour is named after must have come up, and have
   * been found on rows at rest; what is excused, because the row had moved, must stay rarer.
   */
  @ParameterizedTest
  @EnumSource
  void everyVerdictIsTrue(Behaviour behaviour) {
    for (Kind kind : List.of(Kind.PLAIN, Kind.VERSIONS)) {
      SimulatedTally tally = new SimulatedTally();
      for (long seed = 0; seed < SEEDS; seed++) {
        tally.add(new SimulatedHistory(behaviour, seed, kind).play());
      }
      System.out.printf("%s, %s, %d histories: %s%n", behaviour, kind, SEEDS, tally);
      assertThat(tally.outcomes).as("%s, %s", behaviour, kind).isNotEmpty();
      if (behaviour.faulty()) {
        assertThat(tally.injected).as("%s, %s: rows made wrong", behaviour, kind).isPositive();
        assertThat(tally.found).as("%s, %s: found at rest", behaviour, kind).isPositive();
        assertThat(tally.endedExcused)
            .as("%s, %s: ended wrong and excused", behaviour, kind)
            .isLessThan(tally.endedFound / (kind.keepsVersions() ? 30 : 10) + 1);
      }
    }
  }

  /** The audit's own file, through every death: whole, and it holds what was recorded. */
  @Test
  void theAuditIsWholeAfterEveryDeath(@TempDir Path directory) {
    for (int seed = 0; seed < 20; seed++) {
      Path state = directory.resolve("s" + seed);
      World world = new World(false, 0, false, true, false, true);
      long[] recorded = new long[1];
      new VerdictSimulation(
              seed,
              Behaviour.LOSES_UPDATES,
              world,
              new SimulatedTrace(0),
              () -> new CountedAudit(state, recorded))
          .run(150);
      AuditCheck check = AuditCheck.of(StateDirectory.auditFile(state));
      assertThat(check.problem()).as("seed %s", seed).isEmpty();
      assertThat(check.records()).as("seed %s", seed).isEqualTo(recorded[0]).isPositive();
    }
  }

  /** One process's hold of the state directory. */
  private static final class CountedAudit implements AuditLog {
    private final StateDirectory state;
    private final AuditLog file;
    private final long[] recorded;

    CountedAudit(Path path, long[] recorded) {
      this.state = StateDirectory.open(path);
      this.file = FileAuditLog.open(state, "simulated", new ManualTime());
      this.recorded = recorded;
    }

    @Override
    public void append(List<AuditEntry> entries) {
      file.append(entries);
      recorded[0] += entries.size();
    }

    @Override
    public void close() {
      file.close();
      state.close();
    }
  }

  /** Rows that hardly ever rest: what versions make of what was only seen to move. */
  @Test
  void mostOfWhatOnlyMovedIsDecidedByVersions() {
    SimulatedTally without = new SimulatedTally();
    SimulatedTally with = new SimulatedTally();
    for (long seed = 0; seed < SEEDS; seed++) {
      without.add(new SimulatedHistory(Behaviour.BATCHING, seed, Kind.HOT).play());
      with.add(new SimulatedHistory(Behaviour.BATCHING, seed, Kind.HOT_VERSIONS).play());
    }
    System.out.printf("hot rows without versions: %s%nhot rows with versions: %s%n", without, with);
    assertThat(with.beginning("converged by version")).isPositive();
    assertThat(with.beginning("advanced")).isLessThan(without.beginning("advanced") / 4);
  }

  /** A row that never rests, to which an old version is written, is caught in the act. */
  @Test
  void anOldVersionOnAHotRowIsCalledStale() {
    long stale = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      stale +=
          new SimulatedHistory(Behaviour.WRITES_A_STALE_VERSION, seed, Kind.HOT_VERSIONS)
              .play()
              .beginning("unresolved stale");
    }
    assertThat(stale).isPositive();
  }

  @Test
  void aHistoryThatFailsSaysWhatHappenedAndHowToPlayItAgain() {
    SimulatedHistory history = new SimulatedHistory(Behaviour.LOSES_UPDATES, 1, Kind.VERSIONS);
    assertThatThrownBy(
            () -> history.play(tally -> assertThat(tally.injected).as("made wrong").isZero()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("made wrong")
        .hasMessageContaining("source transaction")
        .hasMessageEndingWith("-Dwalproof.simulation.replay=loses_updates:1:versions");
    assertThat(SimulatedHistory.parse(history.toString())).isEqualTo(history);
  }

  /** Of what a failing history printed. */
  @Test
  @EnabledIfSystemProperty(named = SimulatedHistory.REPLAY, matches = ".+")
  void replay() {
    SimulatedHistory history = SimulatedHistory.parse(System.getProperty(SimulatedHistory.REPLAY));
    System.out.println(history + ": " + history.play());
  }
}
