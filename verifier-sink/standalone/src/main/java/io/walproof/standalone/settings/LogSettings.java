package io.walproof.standalone.settings;

import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingsTable;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a configuration wants to be logged, before anything else of it is looked at.
 *
 * @param level {@code log.level}, if it is set
 * @param format {@code log.format}, if it is set
 */
public record LogSettings(Optional<String> level, Optional<String> format) {

  /** Nothing is said. */
  public static final LogSettings NONE = new LogSettings(Optional.empty(), Optional.empty());

  /** Reads both; what is wrong with the file is told by whoever reads all of it. */
  public static LogSettings read(Path path) {
    try {
      PropertiesFile file = PropertiesFile.read(path);
      return new LogSettings(
          find(file, SettingsTable.LOG_LEVEL), find(file, SettingsTable.LOG_FORMAT));
    } catch (SettingsException e) {
      return NONE;
    }
  }

  private static Optional<String> find(PropertiesFile file, Setting<String> setting) {
    PropertiesFile.Value value = file.values().get(setting.name());
    try {
      return value == null ? Optional.empty() : Optional.of(setting.type().parse(value.text()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
