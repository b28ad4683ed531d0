package io.walproof.verifier.model;

import io.walproof.contract.Lsn;
import java.util.Objects;
import java.util.Optional;

/**
 * The version of the source row that the target's row equals, the newest if there are several.
 *
 * @param lsn where its transaction committed; empty for what the recheck's first source read saw,
 *     where that was written before anything of the key was kept
 */
public record MatchedVersion(Optional<Lsn> lsn) {
  /** The LSN may be empty, not null. */
  public MatchedVersion {
    Objects.requireNonNull(lsn, "lsn");
  }
}
