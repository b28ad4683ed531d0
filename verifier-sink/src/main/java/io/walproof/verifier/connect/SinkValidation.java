package io.walproof.verifier.connect;

import io.walproof.contract.Time;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.publish.TopicReach;
import io.walproof.verifier.replay.ConfirmationException;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.replay.ReplayConfirmations;
import io.walproof.verifier.row.ColumnSettingsCheck;
import io.walproof.verifier.row.TargetNamesCheck;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.SettingsTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a configuration field by field: first what can be told from it alone, and if nothing is
 * wrong there, whether databases and brokers can be reached with it. What would only leave keys
 * undecided is logged.
 */
public final class SinkValidation {

  private static final Logger LOG = LoggerFactory.getLogger(SinkValidation.class);

  private final Map<String, String> properties;
  private final Map<String, ConfigValue> fields = new HashMap<>();
  private final List<ConfigValue> all;
  private final Time time;

  private SinkValidation(Map<String, String> properties, Time time) {
    this.properties = properties;
    this.time = time;
    this.all = new ArrayList<>(SinkConfig.definition().validate(properties));
    all.forEach(field -> fields.put(field.name(), field));
  }

  /** Every field with its errors. */
  public static Config validate(Map<String, String> properties, Time time) {
    return new SinkValidation(properties, time).config();
  }

  private Config config() {
    SinkConfig.wrongKeys(properties.keySet()).forEach(this::error);
    String confirmation = properties.getOrDefault(SettingsTable.CONFIRMATION.name(), "");
    if (confirmation.equals("marker_table")
        && properties.getOrDefault(SettingsTable.MARKER_TABLE.name(), "").isBlank()) {
      error(
          SettingsTable.MARKER_TABLE.name(),
          "'verify.marker.table' is needed by verify.replay.confirmation=marker_table");
    }
    SettingValues values = new SettingValues(SinkConfig.texts(properties));
    KafkaSinkTable.missing(values).forEach(this::error);
    if (isSound()) {
      // These look at several values together, so each must be one.
      SinkRangeTable.missing(values, properties).forEach(this::error);
    }
    if (isSound()) {
      reach();
    }
    return new Config(all);
  }

  private boolean isSound() {
    return all.stream().allMatch(field -> field.errorMessages().isEmpty());
  }

  private void reach() {
    SinkSettings settings;
    try {
      settings = SinkSettings.of(properties);
    } catch (ConfigException e) {
      error(SettingsTable.CONFIRMATION.name(), e.getMessage());
      return;
    }
    String targetField = SettingsTable.TARGET_URL.name();
    Optional<DatabaseIdentity> source =
        reach(settings.verifier().source(), SinkSettingsTable.SOURCE_URL.name());
    Optional<DatabaseIdentity> target = reach(settings.verifier().target(), targetField);
    if (source.isPresent() && target.isPresent()) {
      try {
        Databases.requireDistinct(source.get(), target.get());
        catalogs(settings.verifier());
      } catch (DatabaseException e) {
        error(targetField, e.getMessage());
      }
    }
    settings
        .verifier()
        .contradictions()
        .forEach(warning -> LOG.warn("{}: {}", settings.connector(), warning));
    try {
      TopicReach.check(
          settings.topic(), settings.verifier().source().connectTimeout().multipliedBy(2));
    } catch (AuditException e) {
      error(SinkSettingsTable.BOOTSTRAP.name(), e.getMessage());
    }
  }

  /** What was said of names, columns and replay must fit both databases, or no task starts. */
  private void catalogs(VerifierSettings settings) {
    try (Database source = Databases.open(settings.source(), time);
        Database target = Databases.open(settings.target(), time)) {
      List<TargetNamesCheck.Problem> names =
          TargetNamesCheck.find(source, target, settings.rows(), time);
      names.forEach(problem -> error(problem.setting(), problem.text()));
      if (names.isEmpty()) {
        ColumnSettingsCheck.find(source, target, settings.rows(), time)
            .ifPresent(problem -> error(problem.setting(), problem.text()));
      }
      confirmation(settings, source, target);
      if (isSound()) {
        Outlook.log(properties, settings, source, target, time);
      }
    }
  }

  private void confirmation(VerifierSettings settings, Database source, Database target) {
    if (settings.confirmation().strategy() == ConfirmationStrategy.KAFKA_SINK) {
      // Its connectors are often sent together with this one, and have stored no offset yet.
      return;
    }
    try {
      ReplayConfirmations.create(settings.confirmation(), source, target, time, new Cancellation())
          .close();
    } catch (ConfirmationException e) {
      error(SettingsTable.CONFIRMATION.name(), e.getMessage());
    }
  }

  private Optional<DatabaseIdentity> reach(DatabaseSettings settings, String field) {
    try (Database database = Databases.open(settings, time)) {
      return Optional.of(Databases.check(database, time, new Cancellation()));
    } catch (DatabaseException e) {
      error(field, e.getMessage());
      return Optional.empty();
    }
  }

  private void error(String name, String message) {
    ConfigValue field =
        fields.computeIfAbsent(
            name,
            unknown -> {
              // Without its value, which may be a secret under a misspelt name.
              ConfigValue added = new ConfigValue(unknown);
              all.add(added);
              return added;
            });
    field.addErrorMessage(message);
  }
}
