package io.walproof.verifier.range;

import java.util.Locale;

/** What equal digests prove. */
public enum Strength {
  /**
   * Both sides were read one after the other while writers may have been at work: the rows were
   * equal when they were read, which is not one moment for both sides.
   */
  LIVE,
  /** Nothing was written to the table between the two reads, and replay had passed them. */
  EXACT;

  /** Lower case, for records. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
