package io.walproof.standalone;

/** How the process ends. */
public enum ExitStatus {
  /** Nothing was found. */
  CLEAN(0),
  /** The command was called wrongly or could not do its work. */
  ERROR(1),
  /** At least one failure is confirmed. */
  FAILURES(2),
  /** No failure is confirmed, and something could not be judged. */
  INCOMPLETE(3),
  /** The drift policy stopped the run. */
  DRIFT_HALT(4);

  private final int code;

  ExitStatus(int code) {
    this.code = code;
  }

  /** The process's exit status. */
  public int code() {
    return code;
  }

  /** The status for a run that could do its work. */
  public static ExitStatus of(long failures, long incomplete, boolean haltedOnDrift) {
    if (haltedOnDrift) {
      return DRIFT_HALT;
    }
    if (failures > 0) {
      return FAILURES;
    }
    return incomplete > 0 ? INCOMPLETE : CLEAN;
  }
}
