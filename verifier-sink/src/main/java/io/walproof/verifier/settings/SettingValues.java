package io.walproof.verifier.settings;

import io.walproof.verifier.row.ColumnSettings;
import io.walproof.verifier.row.TargetNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Texts of settings by key, read by what {@link Setting} says of them. May hold secrets. Immutable.
 */
public final class SettingValues {

  private final Map<String, String> texts;

  /** The texts that were set; those of keys that nobody asks for do not matter. */
  public SettingValues(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  /** The text that is set, or the default's. */
  public Optional<String> text(Setting<?> setting) {
    return Optional.ofNullable(texts.get(setting.name())).or(setting::defaultText);
  }

  /**
   * The value, if it is set or has a default.
   *
   * @throws IllegalArgumentException if the text is not accepted
   */
  public <T> Optional<T> find(Setting<T> setting) {
    return text(setting).map(setting.type()::parse);
  }

  /** The value of a setting that is set or has a default. */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(() -> new IllegalArgumentException("'" + setting.name() + "' is missing"));
  }

  /** Those of the settings that limit what is judged, as a run's record shows them; no secrets. */
  public Map<String, String> scope(Collection<Setting<?>> settings) {
    Map<String, String> scope = new TreeMap<>();
    for (Setting<?> setting : settings) {
      if (setting.scope() && !setting.type().secret()) {
        text(setting).ifPresent(text -> scope.put(setting.name(), text.strip()));
      }
    }
    return scope;
  }

  /** The verifier's own settings. */
  public VerifySettings verify() {
    return new VerifySettings(
        get(SettingsTable.CONNECT_TIMEOUT),
        get(SettingsTable.READ_TIMEOUT),
        get(SettingsTable.SETTLE),
        get(SettingsTable.BATCH_ROWS),
        get(SettingsTable.ROW_MAX_BYTES),
        get(SettingsTable.RECHECK_DELAY),
        get(SettingsTable.REPLAY_TIMEOUT),
        find(SettingsTable.TABLE_TIMEOUT).filter(limit -> !limit.isZero()),
        get(SettingsTable.PENDING_MAX),
        get(SettingsTable.IGNORED_APPS),
        get(SettingsTable.APP_COLUMN),
        new ColumnSettings(get(SettingsTable.COLUMNS_EXCLUDE), get(SettingsTable.COLUMN_RULES)),
        new TargetNames(
            get(SettingsTable.SCHEMA_MAPPING),
            get(SettingsTable.TABLE_MAPPING),
            get(SettingsTable.COLUMN_MAPPING)),
        get(SettingsTable.CONFIRMATION),
        find(SettingsTable.SUBSCRIPTION),
        find(SettingsTable.PIPELINE_PUBLICATION).orElse(List.of()),
        get(SettingsTable.REPLAY_POLL),
        find(SettingsTable.MARKER_TABLE),
        get(SettingsTable.SUMMARY_INTERVAL),
        get(SettingsTable.COMMIT_INTERVAL));
  }

  /** The keys only. */
  @Override
  public String toString() {
    return "SettingValues" + texts.keySet();
  }
}
