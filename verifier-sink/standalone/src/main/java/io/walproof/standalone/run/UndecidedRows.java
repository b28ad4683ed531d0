package io.walproof.standalone.run;

import java.time.Duration;
import java.util.Optional;

/**
 * Rows that a range check found to differ and that the key checks have not decided.
 *
 * @param all how many, those on hold included
 * @param onHold how many wait for {@code verify.recheck.delay.ms} to pass
 * @param untilRecheck how long the first of these still waits; empty if none is on hold
 */
public record UndecidedRows(int all, int onHold, Optional<Duration> untilRecheck) {

  /** None. */
  public static final UndecidedRows NONE = new UndecidedRows(0, 0, Optional.empty());
}
