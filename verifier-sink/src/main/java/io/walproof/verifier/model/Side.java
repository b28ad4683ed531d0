package io.walproof.verifier.model;

/** Which of the two databases. */
public enum Side {
  SOURCE,
  TARGET;

  /** Lower case, for records and messages. */
  public String text() {
    return this == SOURCE ? "source" : "target";
  }
}
