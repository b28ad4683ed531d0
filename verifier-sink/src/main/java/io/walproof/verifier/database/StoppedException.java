package io.walproof.verifier.database;

import java.sql.SQLException;

/** Our own cancellation, seen before or between statements. */
final class StoppedException extends SQLException {

  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("cancelled", SqlFailure.QUERY_CANCELED);
  }
}
