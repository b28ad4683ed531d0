package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.TimelineHistory;
import io.walproof.connector.offset.WalOrigin;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Asks the source whose WAL it has: the cluster, and the timelines that its WAL went through. Only
 * a replication connection tells of a timeline before its first checkpoint, and of its ancestors;
 * the role has that right anyway.
 */
final class SourceOrigin {

  private SourceOrigin() {}

  /**
   * Asks.
   *
   * @param connection an ordinary connection
   */
  static WalOrigin read(Connection connection, CaptureSettings settings) throws SQLException {
    return new WalOrigin(
        systemIdentifier(connection, settings.get("database.user")),
        Optional.of(timelines(connection, settings)));
  }

  private static TimelineHistory timelines(Connection connection, CaptureSettings settings)
      throws SQLException {
    try (Connection replication = ReplicatingConnection.open(connection, settings);
        Statement statement = replication.createStatement()) {
      long timeline;
      try (ResultSet row = statement.executeQuery("IDENTIFY_SYSTEM")) {
        row.next();
        timeline = row.getLong("timeline");
      }
      if (timeline == 1) {
        return new TimelineHistory(List.of(), 1);
      }
      try (ResultSet row = statement.executeQuery("TIMELINE_HISTORY " + timeline)) {
        row.next();
        return TimelineHistory.ofFile(timeline, row.getString("content"));
      } catch (SQLException e) {
        if (SourceError.is(e, SourceError.UNDEFINED_FILE)) {
          // Somebody deleted it; where the timeline began is then not known.
          return new TimelineHistory(List.of(), timeline);
        }
        throw e;
      }
    }
  }

  private static String systemIdentifier(Connection connection, String role) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT system_identifier::text FROM pg_catalog.pg_control_system()")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      if (SourceError.is(e, SourceError.INSUFFICIENT_PRIVILEGE)) {
        throw new CaptureException(
            Reason.ROLE,
            "database.user '"
                + role
                + "' may not tell which cluster this is; run as a superuser: GRANT EXECUTE ON"
                + " FUNCTION pg_catalog.pg_control_system() TO "
                + Sql.quoted(role),
            e);
      }
      throw e;
    }
  }
}
