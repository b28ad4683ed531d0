package io.walproof.standalone.settings;

import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.schedule.RestAccess;
import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.settings.JdbcSettings;
import io.walproof.verifier.settings.VerifySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The settings of a run, checked.
 *
 * @param stateDirectory {@code state.dir}
 * @param shutdownTimeout {@code shutdown.timeout.ms}
 * @param auditRotateBytes {@code audit.rotate.bytes}
 * @param sourceDatabase how source rows are read
 * @param targetDatabase how target rows are read
 * @param verify the verifier's settings
 * @param range the range checks' bounds
 * @param schedule when range checks begin that nobody asks for
 * @param claims how connectors' offsets are asked for
 * @param divertedMax {@code verify.diverted.max}
 * @param versions what is kept of rows that keep changing
 * @param connector the connector's settings as they stand in the file, {@code drift.*} included;
 *     holds secrets
 * @param status where the status page is served, if it is
 * @param statusLimits the bounds of the status page's lists
 * @param scope settings that limit what is judged, by key, defaults included; no secrets
 */
public record Settings(
    Path stateDirectory,
    Duration shutdownTimeout,
    long auditRotateBytes,
    JdbcSettings sourceDatabase,
    JdbcSettings targetDatabase,
    VerifySettings verify,
    RangeLimits range,
    ScheduleSettings schedule,
    RestAccess claims,
    int divertedMax,
    VersionsSettings versions,
    Map<String, String> connector,
    Optional<StatusListen> status,
    StatusLimits statusLimits,
    Map<String, String> scope) {

  /** Copies. */
  public Settings {
    connector = Map.copyOf(connector);
    scope = Map.copyOf(scope);
  }

  /**
   * Reads and checks a file.
   *
   * @param path the properties file
   * @param sourceKeys what the connector knows
   * @throws SettingsException listing every problem
   */
  public static Settings load(Path path, SourceKeys sourceKeys) {
    return new SettingsReader(PropertiesFile.read(path), sourceKeys).settings(path);
  }

  /** The names only. */
  @Override
  public String toString() {
    return "Settings" + new TreeSet<>(connector.keySet());
  }
}
