package io.walproof.connector.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a capture with these settings could start, as far as that shows without changing
 * anything.
 */
public final class SourceProbe {

  private SourceProbe() {}

  /**
   * Connects, and checks server, role and tables. Publication and slot are left to the start, which
   * may create them.
   *
   * @param timeout how long the server may take to answer once it is connected
   * @return what a start would refuse
   */
  public static Optional<CaptureException> problem(CaptureSettings settings, Duration timeout) {
    try (Connection connection = SourcePreparation.connect(settings)) {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
      ServerCheck.check(connection, settings);
      DebeziumLimits.check(connection, SourceCatalog.included(connection, settings));
      return Optional.empty();
    } catch (CaptureException e) {
      return Optional.of(e);
    } catch (SQLException e) {
      return Optional.of(SourceError.query(e, "checking the source"));
    }
  }
}
