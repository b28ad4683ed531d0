package io.walproof.verifier.range;

import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.model.Side;

/** What the pipeline carries could not be found out. */
final class RouteException extends RangeException {

  private static final long serialVersionUID = 1L;

  private final Side side;
  private final Outcome.Cause cause;

  RouteException(Side side, Outcome.Cause cause, String message) {
    super(message);
    this.side = side;
    this.cause = cause;
  }

  /** Which server did not tell. */
  Side side() {
    return side;
  }

  /** Why. */
  Outcome.Cause cause() {
    return cause;
  }
}
