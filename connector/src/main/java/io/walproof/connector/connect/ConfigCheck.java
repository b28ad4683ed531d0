package io.walproof.connector.connect;

import io.walproof.connector.engine.CaptureException;
import io.walproof.connector.engine.CaptureSettings;
import io.walproof.connector.engine.SettingProblem;
import io.walproof.connector.engine.SourceInspection;
import io.walproof.connector.engine.SourceInspection.Result;
import io.walproof.contract.finding.Grade;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a configuration and tells each problem on the field that it belongs to. */
public final class ConfigCheck {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigCheck.class);

  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String HOST = "database.hostname";

  private final ConfigDef definition;

  /** A check against the connector's definition. */
  public ConfigCheck() {
    this.definition = ConnectorDefinition.create();
  }

  /** All settings, described. */
  public ConfigDef definition() {
    return definition;
  }

  /**
   * Checks; if nothing else is wrong, also what a start would find on the source. What it would
   * warn of is logged. Whether changes were lost is left to the start, which has the stored
   * position.
   *
   * @return a value for every defined setting, and for every unknown one that was given
   */
  public Config check(Map<String, String> given) {
    List<SettingProblem> problems = ConnectorSettings.problems(given);
    Map<String, List<String>> errors = new LinkedHashMap<>();
    problems.forEach(
        problem ->
            errors.computeIfAbsent(problem.key(), key -> new ArrayList<>()).add(problem.text()));
    if (problems.isEmpty()) {
      inspect(given, errors);
    }
    List<ConfigValue> values = new ArrayList<>();
    for (ConfigValue value : definition.validate(given)) {
      // Connect's own texts quote values; ours do not.
      List<String> found = errors.remove(value.name());
      if (found == null) {
        found =
            value.errorMessages().isEmpty()
                ? List.of()
                : List.of("'" + value.name() + "' has a value of the wrong type");
      }
      values.add(
          new ConfigValue(
              value.name(), value.value(), value.recommendedValues(), new ArrayList<>(found)));
    }
    errors.forEach(
        (key, found) ->
            values.add(new ConfigValue(key, null, new ArrayList<>(), new ArrayList<>(found))));
    return new Config(values);
  }

  private static void inspect(Map<String, String> given, Map<String, List<String>> errors) {
    CaptureSettings settings = ConnectorSettings.of(given).capture();
    for (Result result : SourceInspection.withoutPosition(settings, ANSWER).results()) {
      if (result.finding().grade() == Grade.WARNING) {
        LOG.warn(
            "With this configuration, {}: {}",
            result.finding().check().text(),
            result.finding().text());
      }
      result
          .refusal()
          .ifPresent(
              refused -> {
                LOG.debug("The source refuses", refused);
                errors
                    .computeIfAbsent(field(refused), key -> new ArrayList<>())
                    .add(refused.getMessage());
              });
    }
  }

  /** The field that somebody has to look at first. */
  private static String field(CaptureException refused) {
    return switch (refused.reason()) {
      case AUTHENTICATION, ROLE -> "database.user";
      case TABLE -> "table.include.list";
      case PUBLICATION -> "publication.name";
      case SLOT, SLOT_IN_USE, GAP, POSITION -> "slot.name";
      case UNREACHABLE ->
          refused.getCause() instanceof SQLException sql
                  && NO_SUCH_DATABASE.equals(sql.getSQLState())
              ? "database.dbname"
              : HOST;
      case HALTED -> "drift.policy";
      case SETTING, SERVER, FAILOVER, STREAM, ENGINE, TIMEOUT -> HOST;
    };
  }
}
