package io.walproof.verifier.decide;

import io.walproof.verifier.model.Verdict;
import java.util.Objects;

/**
 * A decision.
 *
 * @param verdict how the check ended
 * @param sourceChanged whether any later read of the source row differs from the first one
 */
public record Judgement(Verdict verdict, boolean sourceChanged) {

  /** The verdict is required. */
  public Judgement {
    Objects.requireNonNull(verdict, "verdict");
  }
}
