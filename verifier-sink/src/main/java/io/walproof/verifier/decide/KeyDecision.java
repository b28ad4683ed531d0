package io.walproof.verifier.decide;

import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.RowSnapshot.Present;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides one key after its recheck. The order matters and is the design's: an obstacle first, then
 * a stable match (invariant G: equality before progress), then the source row's owner, then the
 * table.
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
    if (e.s1().equals(e.s2()) && sameContents(e.s1(), e.t())) {
      return new Verdict.Converged();
    }
    OptionalLong app = e.sourceApp();
    if (app.isPresent() && ignoredApps.contains(app.getAsLong())) {
      return new Verdict.IgnoredApp(app.getAsLong());
    }
    if (advanced(e)) {
      return new Verdict.Advanced();
    }
    if (sourceChanged(e)) {
      return new Verdict.Unresolved(Kind.TARGET_STALLED);
    }
    // A row that only the target has differs from what the source holds, which is nothing.
    return new Verdict.Unresolved(e.t().present() ? Kind.DIFFERENT : Kind.MISSING);
  }

  /** Equality of one database's snapshots includes xmin: a no-op update is a change. */
  private static boolean sourceChanged(Evidence e) {
    return !(e.s1().equals(e.s0()) && e.s2().equals(e.s0()));
  }

  /** Whether the target moved since T0. Losing a row is progress only if the source lost it too. */
  private static boolean advanced(Evidence e) {
    if (!e.t().present()) {
      return e.t0().present() && !e.s2().present();
    }
    return !e.t().equals(e.t0());
  }

  /** Equality across the two databases: xmin means nothing here. */
  private static boolean sameContents(RowSnapshot source, RowSnapshot target) {
    if (source instanceof Present s && target instanceof Present t) {
      return s.hash().equals(t.hash());
    }
    return source.present() == target.present();
  }
}
