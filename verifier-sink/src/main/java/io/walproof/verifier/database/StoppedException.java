package io.walproof.verifier.database;

import java.sql.SQLException;

/** Our own cancellation, or the deadline, seen before or between statements. */
final class StoppedException extends SQLException {

  private static final long serialVersionUID = 1L;

  private final String why;

  StoppedException(String why) {
    super(why, SqlFailure.QUERY_CANCELED);
    this.why = why;
  }

  /** In our own words. */
  String why() {
    return why;
  }
}
