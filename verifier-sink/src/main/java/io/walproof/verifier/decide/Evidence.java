package io.walproof.verifier.decide;

import io.walproof.verifier.model.RowSnapshot;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Everything a decision is made from.
 *
 * @param s0 the source row at the first read
 * @param t0 the target row at the first read
 * @param s1 the source row before the boundary
 * @param t the target row after replay was confirmed past the boundary
 * @param s2 the source row after that
 * @param sourceApp the owner of the source row, read afresh: S2's if the row is present there, else
 *     S1's; empty for NULL, for an absent row, and for a table without the column
 * @param versions the source row's versions, for where the reads prove nothing
 */
public record Evidence(
    RowSnapshot s0,
    RowSnapshot t0,
    RowSnapshot s1,
    RowSnapshot t,
    RowSnapshot s2,
    OptionalLong sourceApp,
    Versions versions) {

  /** Where no versions are kept. */
  public Evidence(
      RowSnapshot s0,
      RowSnapshot t0,
      RowSnapshot s1,
      RowSnapshot t,
      RowSnapshot s2,
      OptionalLong sourceApp) {
    this(s0, t0, s1, t, s2, sourceApp, new Versions.Off());
  }

  /** All are required. */
  public Evidence {
    Objects.requireNonNull(s0, "s0");
    Objects.requireNonNull(t0, "t0");
    Objects.requireNonNull(s1, "s1");
    Objects.requireNonNull(t, "t");
    Objects.requireNonNull(s2, "s2");
    Objects.requireNonNull(sourceApp, "sourceApp");
    Objects.requireNonNull(versions, "versions");
  }
}
