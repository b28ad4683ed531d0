package io.walproof.contract.finding;

/** How something stands that was looked at. */
public enum Grade {
  /** Nothing to do. */
  OK,
  /** It works, and some of what a user expects does not hold. */
  WARNING,
  /** A start is refused, or nothing can be proven. */
  FAILURE
}
