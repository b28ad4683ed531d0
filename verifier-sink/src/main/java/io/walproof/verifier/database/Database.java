package io.walproof.verifier.database;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.sql.Connection;
import java.sql.SQLException;

/** One side's connections. Thread-safe. */
public interface Database extends AutoCloseable {

  /** How it is reached. */
  DatabaseSettings settings();

  /**
   * A connection with auto-commit off and no open transaction; the caller closes it, which gives it
   * back.
   *
   * @throws SQLException if there is none before the deadline, or the connect timeout
   */
  Connection borrow(Deadline deadline, Cancellation cancel) throws SQLException;

  /** Marks a borrowed connection as broken, so that closing it does not give it back. */
  void evict(Connection connection);

  @Override
  void close();
}
