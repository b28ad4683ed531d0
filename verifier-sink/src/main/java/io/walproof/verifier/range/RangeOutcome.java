package io.walproof.verifier.range;

import java.util.Locale;

/** How a range check ended. */
public enum RangeOutcome {
  /** Every source row of the range is on the target. */
  PROVED,
  /** Something is confirmed to be missing or wrong. */
  FAILED,
  /** No failure is confirmed, and something was not judged. */
  INCOMPLETE,
  /** The pipeline does not carry the table, or it cannot be judged by ranges. */
  SKIPPED;

  /** Lower case, for records. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
