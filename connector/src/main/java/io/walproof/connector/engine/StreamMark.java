package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** A message in the source's WAL, behind everything that is committed so far. */
final class StreamMark {

  private static final String PLACE =
      "SELECT CASE WHEN NOT pg_catalog.pg_is_in_recovery()"
          + " THEN pg_catalog.pg_current_wal_insert_lsn() END";

  /** In a transaction of its own, so that it comes after every commit before the place. */
  private static final String MESSAGE =
      "SELECT pg_catalog.pg_logical_emit_message(true, 'walproof-mark', '')";

  private StreamMark() {}

  /**
   * Sets a mark.
   *
   * @return the place: once the stream has delivered something at or behind it, it has delivered
   *     everything that was committed before; empty on a standby, where no message can be written
   * @throws CaptureException if the source cannot be reached or refuses
   */
  static Optional<Lsn> set(CaptureSettings settings) {
    try (Connection connection = SourcePreparation.connect(settings);
        Statement statement = connection.createStatement()) {
      Optional<Lsn> place;
      try (ResultSet row = statement.executeQuery(PLACE)) {
        row.next();
        place = Optional.ofNullable(row.getString(1)).map(Lsn::parse);
      }
      if (place.isPresent()) {
        statement.execute(MESSAGE);
      }
      return place;
    } catch (SQLException e) {
      throw new CaptureException(
          Reason.SERVER,
          "no message could be written to the source's WAL (SQLSTATE "
              + e.getSQLState()
              + "); database.user needs EXECUTE on pg_catalog.pg_logical_emit_message",
          e);
    }
  }
}
