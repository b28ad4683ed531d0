package io.walproof.verifier.core;

import static io.walproof.verifier.core.VerifierHarness.ORDERS;
import static io.walproof.verifier.core.VerifierHarness.key;
import static io.walproof.verifier.model.Side.SOURCE;
import static io.walproof.verifier.model.Side.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may become of a key after its first mismatch, through the whole verifier. */
class SituationsTest {

  private static final Verdict CONVERGED = new Verdict.Converged();
  private static final Verdict ADVANCED = new Verdict.Advanced();
  private static final Verdict MISSING = new Verdict.Unresolved(Kind.MISSING);
  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);
  private static final Verdict STALLED = new Verdict.Unresolved(Kind.TARGET_STALLED);

  @SuppressWarnings("ImmutableEnumChecker")
  private enum Situation {
    TARGET_CATCHES_UP(true, w -> w.target(2), CONVERGED, false),
    MISSING_TARGET_ROW_ARRIVES(false, w -> w.target(2), CONVERGED, false),
    UNCHANGED_AND_STILL_DIFFERENT(true, w -> {}, DIFFERENT, false),
    UNCHANGED_AND_STILL_MISSING(false, w -> {}, MISSING, false),
    BOTH_CHANGE_AND_DIFFER(
        true,
        w -> {
          w.source(3);
          w.target(4);
        },
        ADVANCED,
        true),
    BOTH_CHANGE_AND_MATCH(
        true,
        w -> {
          w.source(3);
          w.target(3);
        },
        CONVERGED,
        true),
    SOURCE_CHANGES_BACK_TO_WHAT_TARGET_ALWAYS_HELD(true, w -> w.source(1), CONVERGED, true),
    DELETED_ON_BOTH(
        true,
        w -> {
          w.delete(SOURCE);
          w.delete(TARGET);
        },
        CONVERGED,
        true),
    SOURCE_UPDATED_TARGET_NOT(true, w -> w.source(3), STALLED, true),
    SOURCE_DELETED_TARGET_NOT(true, w -> w.delete(SOURCE), STALLED, true),
    NO_OP_UPDATE(true, w -> w.source(2), STALLED, true),
    UPDATE_AND_REVERT(
        true,
        w -> {
          w.source(3);
          w.source(2);
        },
        STALLED,
        true),
    DELETE_AND_REINSERT(
        true,
        w -> {
          w.delete(SOURCE);
          w.source(2);
        },
        STALLED,
        true);

    private final boolean targetHadRow;
    private final Consumer<World> meanwhile;
    private final Verdict expected;
    private final boolean sourceChanged;

    Situation(
        boolean targetHadRow, Consumer<World> meanwhile, Verdict expected, boolean sourceChanged) {
      this.targetHadRow = targetHadRow;
      this.meanwhile = meanwhile;
      this.expected = expected;
      this.sourceChanged = sourceChanged;
    }
  }

  private record World(VerifierHarness harness, RowKey key) {
    void source(long value) {
      harness.tables.put(SOURCE, ORDERS, key, value);
    }

    void target(long value) {
      harness.tables.put(TARGET, ORDERS, key, value);
    }

    void delete(Side side) {
      harness.tables.delete(side, ORDERS, key);
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsAsTheDecisionTableSays(Situation situation) {
    try (VerifierHarness harness = new VerifierHarness()) {
      World world = new World(harness, key(1));
      world.source(2);
      if (situation.targetHadRow) {
        world.target(1);
      }
      harness.submit(1, Operation.UPDATE);
      harness.awaitObserved(1);
      situation.meanwhile.accept(world);
      List<Decision> decisions = harness.awaitDecided(1);

      Decision decision = decisions.get(0);
      assertThat(decision.verdict()).isEqualTo(situation.expected);
      assertThat(decision.sourceChanged()).isEqualTo(situation.sourceChanged);
      assertThat(decision.boundary()).isPresent();
      assertThat(harness.watermark.decidedThrough()).isEqualTo(harness.watermark.issued());
      assertThat(harness.verifier.total().pending()).isZero();
    }
  }
}
