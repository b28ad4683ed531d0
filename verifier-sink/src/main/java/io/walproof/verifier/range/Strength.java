package io.walproof.verifier.range;

import java.util.Locale;

/** What equal digests prove. */
public enum Strength {
  /**
   * Both sides were read one after the other while writers may have been at work: the rows were
   * equal when they were read, which is not one moment for both sides.
   */
  LIVE,
  /**
   * Nobody wrote to the table on either side from before the first read until after the last, and
   * replay had passed what was written before: {@link ExactWitness} says how that is known.
   */
  EXACT;

  /** Lower case, for records. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
