package io.walproof.verifier.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What can have happened to a key after its first mismatch, by name, and what must hold for any
 * reads. A snapshot is written {@code contents@xmin}, an absent row {@code -}.
 */
class KeyDecisionTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // situation,                                   S0,   T0,   S1,   T,    S2,   verdict, changed
    "target catches up,                             b@10, a@50, b@10, b@51, b@10, converged, false",
    "missing target row arrives,                    a@10, -,    a@10, a@51, a@10, converged, false",
    "unchanged and still different,                 b@10, a@50, b@10, a@50, b@10, different, false",
    "unchanged and still missing,                   a@10, -,    a@10, -,    a@10, missing, false",
    "both change and differ,                        b@10, a@50, c@11, b@51, c@11, advanced, true",
    "both change and match,                         b@10, a@50, c@11, c@51, c@11, converged, true",
    "source changes back to what the target held,   b@10, a@50, a@11, a@50, a@11, converged, true",
    "deleted on both,                               b@10, a@50, -,    -,    -,    converged, true",
    "source updated and target not,                 b@10, a@50, c@11, a@50, c@11, stalled, true",
    "source deleted and target not,                 b@10, a@50, -,    a@50, -,    stalled, true",
    "no-op update,                                  b@10, a@50, b@11, a@50, b@11, stalled, true",
    "update and revert,                             b@10, a@50, b@12, a@50, b@12, stalled, true",
    "delete and re-insert,                          b@10, a@50, b@13, a@50, b@13, stalled, true",
    // The same three, where the applier is alive.
    "no-op update that the target replayed,         b@10, a@50, b@11, b@51, b@11, converged, true",
    "re-insert seen between the source reads,       b@10, a@50, -,    b@51, b@13, advanced, true",
    // V13, and its neighbours.
    "inserted and deleted again,                    a@10, -,    -,    -,    -,    converged, true",
    "target row deleted and source row stays,       b@10, a@50, b@10, -,    b@10, missing, false",
    "target row deleted and source row changed,     b@10, a@50, c@11, -,    c@11, stalled, true",
    "target row deleted while the source row goes,  b@10, a@50, b@10, -,    -,    advanced, true",
    "target row changed to another wrong value,     b@10, a@50, b@10, c@51, b@10, advanced, false",
    "target row rewritten with the same value,      b@10, a@50, b@10, a@51, b@10, advanced, false",
    "match seen only while the source moved,        b@10, a@50, b@10, b@51, c@11, advanced, true",
    // A correct applier, seen while the source row keeps changing.
    "stands at the version of S1,                   b@10, c@50, c@11, c@50, d@12, converged, true",
    "already stands at the version of S2,           b@10, c@50, d@11, c@50, c@12, converged, true",
    "stands at a version that neither read saw,     b@10, a@50, c@11, -,    d@13, advanced, true",
    "came and went between the source reads,        b@10, -,    c@11, -,    d@13, unstable, true",
    "absent while the source row was gone,          b@10, -,    -,    -,    d@13, converged, true",
    "stands still while the source moves on,        b@10, a@50, c@11, a@50, d@12, stalled, true",
    "row only on the target,                        -,    a@50, -,    a@50, -,    different, false",
  })
  void situation(
      String name,
      String s0,
      String t0,
      String s1,
      String t,
      String s2,
      String verdict,
      boolean sourceChanged) {
    Evidence evidence = new Evidence(at(s0), at(t0), at(s1), at(t), at(s2), OptionalLong.empty());
    assertThat(KeyDecision.decide(evidence, Set.of(7L)))
        .isEqualTo(new Judgement(expected(verdict), sourceChanged));
  }

  @Test
  void onlyAFreshSourceOwnerThatIsListedIsIgnored() {
    Evidence mismatch = owned(OptionalLong.of(42));
    assertThat(KeyDecision.decide(mismatch, Set.of(7L, 42L)).verdict())
        .isEqualTo(new Verdict.IgnoredApp(42));
    assertThat(KeyDecision.decide(mismatch, Set.of(7L)).verdict())
        .isEqualTo(new Verdict.Unresolved(Kind.DIFFERENT));
    assertThat(KeyDecision.decide(owned(OptionalLong.empty()), Set.of(7L, 42L)).verdict())
        .isEqualTo(new Verdict.Unresolved(Kind.DIFFERENT));
  }

  @Property
  void anObstacleIsAlwaysIncomplete(@ForAll("evidence") Evidence e) {
    for (IncompleteReason reason : EnumSet.allOf(IncompleteReason.class)) {
      Judgement judgement =
          KeyDecision.incomplete(
              reason, Optional.of(e.s0()), Optional.of(e.s1()), Optional.of(e.s2()));
      assertThat(judgement.verdict()).isEqualTo(new Verdict.Incomplete(reason));
      assertThat(judgement.sourceChanged())
          .isEqualTo(KeyDecision.decide(e, Set.of()).sourceChanged());
    }
  }

  @Test
  void sourceChangedIsNotClaimedFromReadsThatDidNotHappen() {
    Optional<RowSnapshot> a = Optional.of(at("a@10"));
    Optional<RowSnapshot> b = Optional.of(at("b@11"));
    Optional<RowSnapshot> none = Optional.empty();
    assertThat(obstacle(none, a, b)).isFalse();
    assertThat(obstacle(a, none, none)).isFalse();
    assertThat(obstacle(a, a, none)).isFalse();
    assertThat(obstacle(a, b, none)).isTrue();
    assertThat(obstacle(a, none, b)).isTrue();
    assertThat(obstacle(a, a, b)).isTrue();
    assertThat(obstacle(a, b, a)).isTrue();
  }

  /** Invariant G. */
  @Property(tries = 5_000)
  void aTargetThatEqualsAStableSourceIsNeverAFailure(@ForAll("evidence") Evidence e) {
    Evidence equal =
        new Evidence(e.s0(), e.t0(), e.s1(), likeOnTarget(e.s1()), e.s1(), e.sourceApp());
    assertThat(KeyDecision.decide(equal, Set.of(7L)).verdict()).isEqualTo(new Verdict.Converged());
  }

  /** The same situation with other hashes and other transaction ids is the same decision. */
  @Property(tries = 5_000)
  void renamingHashesAndTransactionIdsChangesNothing(
      @ForAll("evidence") Evidence e,
      @ForAll @Size(4) Set<Long> hashes,
      @ForAll @Size(4) Set<Long> sourceXmins,
      @ForAll @Size(4) Set<Long> targetXmins) {
    Long[] h = hashes.toArray(Long[]::new);
    Long[] s = sourceXmins.toArray(Long[]::new);
    Long[] t = targetXmins.toArray(Long[]::new);
    Evidence renamed =
        new Evidence(
            renamed(e.s0(), h, s),
            renamed(e.t0(), h, t),
            renamed(e.s1(), h, s),
            renamed(e.t(), h, t),
            renamed(e.s2(), h, s),
            e.sourceApp());
    assertThat(KeyDecision.decide(renamed, Set.of(7L)))
        .isEqualTo(KeyDecision.decide(e, Set.of(7L)));
  }

  @Provide
  Arbitrary<Evidence> evidence() {
    Arbitrary<RowSnapshot> snapshots =
        Arbitraries.integers()
            .between(-1, 15)
            .map(
                i ->
                    i < 0
                        ? RowSnapshot.absent()
                        : new RowSnapshot.Present(new RowHash(0, i / 4), i % 4));
    return Combinators.combine(
            snapshots,
            snapshots,
            snapshots,
            snapshots,
            snapshots,
            Arbitraries.of(OptionalLong.empty(), OptionalLong.of(7), OptionalLong.of(8)))
        .as(Evidence::new);
  }

  private static RowSnapshot renamed(RowSnapshot snapshot, Long[] hashes, Long[] xmins) {
    if (!(snapshot instanceof RowSnapshot.Present present)) {
      return snapshot;
    }
    long hash = hashes[(int) present.hash().low()];
    return new RowSnapshot.Present(new RowHash(~hash, hash), xmins[(int) present.xmin()]);
  }

  private static RowSnapshot likeOnTarget(RowSnapshot source) {
    return source instanceof RowSnapshot.Present present
        ? new RowSnapshot.Present(present.hash(), present.xmin() + 1_000)
        : source;
  }

  private static boolean obstacle(
      Optional<RowSnapshot> s0, Optional<RowSnapshot> s1, Optional<RowSnapshot> s2) {
    return KeyDecision.incomplete(IncompleteReason.CANCELLED, s0, s1, s2).sourceChanged();
  }

  private static Evidence owned(OptionalLong app) {
    return new Evidence(at("b@10"), at("a@50"), at("b@10"), at("a@50"), at("b@10"), app);
  }

  private static RowSnapshot at(String text) {
    if (text.equals("-")) {
      return RowSnapshot.absent();
    }
    String[] parts = text.split("@", -1);
    return new RowSnapshot.Present(new RowHash(1, parts[0].charAt(0)), Long.parseLong(parts[1]));
  }

  private static Verdict expected(String word) {
    return switch (word) {
      case "converged" -> new Verdict.Converged();
      case "advanced" -> new Verdict.Advanced();
      case "missing" -> new Verdict.Unresolved(Kind.MISSING);
      case "different" -> new Verdict.Unresolved(Kind.DIFFERENT);
      case "unstable" -> new Verdict.Incomplete(IncompleteReason.SOURCE_UNSTABLE);
      case "stalled" -> new Verdict.Unresolved(Kind.TARGET_STALLED);
      default -> throw new IllegalArgumentException(word);
    };
  }
}
