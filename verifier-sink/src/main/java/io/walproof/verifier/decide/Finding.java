package io.walproof.verifier.decide;

import io.walproof.verifier.model.MatchedVersion;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VersionGap;

/** What a row's versions say of the target's row. */
public sealed interface Finding {

  /**
   * It equals one that the source committed at or after S1.
   *
   * @param version the newest such
   */
  record Equal(MatchedVersion version) implements Finding {}

  /**
   * It equals none, and none is unknown.
   *
   * @param kind what it is instead
   */
  record Wrong(Kind kind) implements Finding {}

  /**
   * Nothing.
   *
   * @param gap why
   */
  record Unknown(VersionGap gap) implements Finding {}
}
