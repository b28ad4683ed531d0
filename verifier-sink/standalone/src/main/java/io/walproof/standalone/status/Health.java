package io.walproof.standalone.status;

import java.util.Locale;

/** Whether the target can be trusted, worst first. Pending work never hides what is worse. */
public enum Health {
  /** Confirmed failures that nothing is known to have mended. */
  FAILING,
  /** No failure is open, but something was not judged, or nobody is judging. Never green. */
  INCOMPLETE,
  /** All is well so far, and checks are under way. */
  PENDING,
  /** Nothing was checked yet, so nothing is known. Never green. */
  NO_EVIDENCE,
  /** Everything that was observed was judged, and nothing is open. */
  CLEAN;

  /** Lower case with underscores. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
