package io.walproof.verifier.decide;

import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.RowSnapshot.Present;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VersionGap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides one key after its recheck. The order matters: an obstacle first, then a stable match
 * (invariant G: equality before progress), then the source row's owner, then the table, and last,
 * where the reads prove nothing, the source row's versions.
 *
 * <p>No correct applier is ever accused, whatever its pace, as long as a row that it writes gets a
 * new xmin, it never falls back behind a confirmed boundary, and S1 sees every commit that it had
 * applied at T0; {@code VerdictSimulationTest} plays it through.
 */
public final class KeyDecision {

  private KeyDecision() {}

  /**
   * The decision on complete evidence: replay was confirmed past a boundary taken after S1
   * (invariant H) and all five reads succeeded.
   *
   * @param evidence the reads
   * @param ignoredApps owners whose mismatches are not failures
   */
  public static Judgement decide(Evidence evidence, Set<Long> ignoredApps) {
    return new Judgement(verdict(evidence, ignoredApps), sourceChanged(evidence));
  }

  /**
   * The decision where something stood in the way: always incomplete, whatever was read.
   *
   * @param obstacle what stood in the way
   * @param s0 the source row at the first read, empty if it was not read
   * @param s1 the source row at the recheck, empty if it was not read
   * @param s2 the source row at the end, empty if it was not read
   */
  public static Judgement incomplete(
      IncompleteReason obstacle,
      Optional<RowSnapshot> s0,
      Optional<RowSnapshot> s1,
      Optional<RowSnapshot> s2) {
    boolean changed =
        s0.isPresent()
            && ((s1.isPresent() && !s1.equals(s0)) || (s2.isPresent() && !s2.equals(s0)));
    return new Judgement(new Verdict.Incomplete(obstacle), changed);
  }

  private static Verdict verdict(Evidence e, Set<Long> ignoredApps) {
    boolean stable = e.s1().equals(e.s2());
    if (stable && sameContents(e.s1(), e.t())) {
      return new Verdict.Converged();
    }
    OptionalLong app = e.sourceApp();
    if (app.isPresent() && ignoredApps.contains(app.getAsLong())) {
      return new Verdict.IgnoredApp(app.getAsLong());
    }
    return stable ? againstStableSource(e) : againstMovingSource(e);
  }

  /** The source row did not change between S1 and S2, so the target must hold just that. */
  private static Verdict againstStableSource(Evidence e) {
    // A target that lost the row has not advanced: the source has it.
    if (e.t().present() && !e.t().equals(e.t0())) {
      return byVersions(e, Verdict.Advanced::new);
    }
    if (sourceChanged(e)) {
      return new Verdict.Unresolved(Kind.TARGET_STALLED);
    }
    // A row that only the target has differs from what the source holds, which is nothing.
    return new Verdict.Unresolved(e.t().present() ? Kind.DIFFERENT : Kind.MISSING);
  }

  /**
   * The source row changed between S1 and S2. A correct applier may be at any version in between,
   * one that no read saw included, so only a target row that stands where T0 saw it can be accused:
   * every version from S1 on would have rewritten it.
   */
  private static Verdict againstMovingSource(Evidence e) {
    if (!e.t().equals(e.t0())) {
      return byVersions(e, Verdict.Advanced::new);
    }
    if (sameContents(e.s1(), e.t()) || sameContents(e.s2(), e.t())) {
      return new Verdict.Converged();
    }
    // An absence has no xmin: a row that was inserted and deleted again looks as if it never came.
    return e.t().present()
        ? new Verdict.Unresolved(Kind.TARGET_STALLED)
        : byVersions(e, gap -> new Verdict.Incomplete(IncompleteReason.SOURCE_UNSTABLE));
  }

  /**
   * What the reads leave open.
   *
   * @param open the verdict where the versions leave it open too, and why they do
   */
  private static Verdict byVersions(Evidence e, Function<Optional<VersionGap>, Verdict> open) {
    if (e.versions() instanceof Versions.Streamed streamed) {
      Finding finding = streamed.find(e.s0(), e.s1(), e.t(), e.s2());
      if (finding instanceof Finding.Equal equal) {
        return new Verdict.Converged(Optional.of(equal.version()));
      }
      if (finding instanceof Finding.Wrong wrong) {
        return new Verdict.Unresolved(wrong.kind());
      }
      return open.apply(Optional.of(((Finding.Unknown) finding).gap()));
    }
    return open.apply(
        e.versions() instanceof Versions.Missing missing
            ? Optional.of(missing.gap())
            : Optional.empty());
  }

  /** Equality of one database's snapshots includes xmin: a no-op update is a change. */
  private static boolean sourceChanged(Evidence e) {
    return !(e.s1().equals(e.s0()) && e.s2().equals(e.s0()));
  }

  /** Equality across the two databases: xmin means nothing here. */
  private static boolean sameContents(RowSnapshot source, RowSnapshot target) {
    if (source instanceof Present s && target instanceof Present t) {
      return s.hash().equals(t.hash());
    }
    return source.present() == target.present();
  }
}
