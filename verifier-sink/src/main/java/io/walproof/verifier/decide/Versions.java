package io.walproof.verifier.decide;

import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The versions of a source row that the stream of changes showed, as far as there are any. */
public sealed interface Versions {

  /** None are kept of any key. */
  record Off() implements Versions {}

  /**
   * None are known of this key.
   *
   * @param gap why
   */
  record Missing(VersionGap gap) implements Versions {
    /** The gap is required. */
    public Missing {
      Objects.requireNonNull(gap, "gap");
    }
  }

  /**
   * Those that were kept.
   *
   * @param versions in the order of the stream; all changes that S1 might not have seen
   * @param seenByS1 transactions whose changes S1 certainly saw
   * @param open why there may be more behind the last one; empty if the stream has passed all that
   *     the target can have held at T
   */
  record Streamed(
      List<RowVersion> versions, VisibleTransactions seenByS1, Optional<VersionGap> open)
      implements Versions {
    /** Copies. */
    public Streamed {
      versions = List.copyOf(versions);
      Objects.requireNonNull(seenByS1, "seenByS1");
      Objects.requireNonNull(open, "open");
    }

    /** What they say of the target's row T; see {@link KeyDecision} for the reads. */
    Finding find(RowSnapshot s0, RowSnapshot s1, RowSnapshot t, RowSnapshot s2) {
      return new VersionRule(this, s1).find(s0, t, s2);
    }
  }
}
