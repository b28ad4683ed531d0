package io.walproof.standalone.bench;

/** What goes wrong in a soak, and the one right verdict on it. */
enum SoakFault {
  /** The applier loses a new row. */
  LOST_INSERT("unresolved_missing"),
  /** The applier writes another value. */
  ALTERED_VALUE("unresolved_different"),
  /** The applier loses an update. */
  LOST_UPDATE("unresolved_different"),
  /** The applier cuts a text off. */
  SHORTENED_TEXT("unresolved_different"),
  /**
   * Somebody changes a row on the target that the source leaves alone: for range checks to find.
   */
  TAMPERED_ROW("unresolved_different");

  private final String outcome;

  SoakFault(String outcome) {
    this.outcome = outcome;
  }

  /** The verdict that finds it, as summaries count it. */
  String outcome() {
    return outcome;
  }
}
