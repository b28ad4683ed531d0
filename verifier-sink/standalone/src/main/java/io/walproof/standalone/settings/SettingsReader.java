package io.walproof.standalone.settings;

import io.walproof.contract.ClosestName;
import io.walproof.verifier.settings.JdbcSettings;
import io.walproof.verifier.settings.RangeValues;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.SettingsTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks a file's values and puts the settings together. Used once. */
final class SettingsReader {

  /** Debezium's settings that decide which rows arrive. */
  private static final Set<String> FILTERS =
      Set.of(
          "table.include.list",
          "table.exclude.list",
          "schema.include.list",
          "schema.exclude.list",
          "publication.name",
          "slot.name",
          "snapshot.mode");

  private final Map<String, String> ours = new TreeMap<>();
  private final Map<String, String> connector = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> refused = new TreeSet<>();

  SettingsReader(PropertiesFile file, SourceKeys sourceKeys) {
    problems.addAll(file.problems());
    Map<String, Setting<?>> known = new TreeMap<>();
    SettingsTable.ALL.forEach(setting -> known.put(setting.name(), setting));
    file.values()
        .forEach(
            (key, value) -> {
              boolean handedOn = !known.containsKey(key) || key.startsWith("drift.");
              if (known.containsKey(key)) {
                check(known.get(key), value);
              } else if (!sourceKeys.accepts().test(key)) {
                problems.add(unknown(key, value, known.keySet(), sourceKeys.names()));
              }
              if (handedOn) {
                connector.put(key, value.text());
              }
            });
  }

  private void check(Setting<?> setting, PropertiesFile.Value value) {
    try {
      setting.type().parse(value.text());
      ours.put(setting.name(), value.text());
    } catch (IllegalArgumentException e) {
      refused.add(setting.name());
      problems.add("line %d: '%s' %s".formatted(value.line(), setting.name(), e.getMessage()));
    }
  }

  private static String unknown(
      String key, PropertiesFile.Value value, Set<String> known, Set<String> sourceNames) {
    Set<String> names = new TreeSet<>(known);
    names.addAll(sourceNames);
    return "line %d: there is no setting '%s'%s"
        .formatted(
            value.line(),
            key,
            ClosestName.to(key, names)
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("; remove the line"));
  }

  /** The settings, or everything that is wrong with them. */
  Settings settings(Path path) {
    checkRequired();
    Optional<String> sourceUrl = find(SettingsTable.SOURCE_URL).or(this::derivedUrl);
    checkMarkerTable();
    if (refused.isEmpty()) {
      problems.addAll(RangeValues.missing(values()).values());
    }
    Optional<StatusListen> status = status();
    if (!problems.isEmpty()) {
      throw new SettingsException(path.toString(), problems);
    }
    return new Settings(
        get(SettingsTable.STATE_DIR),
        get(SettingsTable.SHUTDOWN_TIMEOUT),
        get(SettingsTable.AUDIT_ROTATE_BYTES),
        sourceDatabase(sourceUrl.orElseThrow()),
        new JdbcSettings(
            get(SettingsTable.TARGET_URL),
            find(SettingsTable.TARGET_USER).orElse(""),
            find(SettingsTable.TARGET_PASSWORD).orElse("")),
        values().verify(),
        RangeValues.limits(values()),
        RangeValues.schedule(values()),
        RangeValues.claims(values()),
        get(SettingsTable.DIVERTED_MAX),
        new VersionsSettings(
            get(SettingsTable.VERSIONS_BYTES), get(SettingsTable.VERSIONS_TIMEOUT)),
        connector,
        status,
        StatusLimits.of(values()),
        scope());
  }

  private void checkRequired() {
    for (Setting<?> setting : SettingsTable.ALL) {
      boolean missing = !ours.containsKey(setting.name()) && !refused.contains(setting.name());
      if (missing && setting.presence() instanceof Setting.Presence.Required required) {
        problems.add(
            "'%s' is missing; add a line such as %s=%s"
                .formatted(setting.name(), setting.name(), required.example()));
      }
    }
  }

  private Optional<String> derivedUrl() {
    Optional<String> url = SourceUrl.from(connector);
    if (url.isEmpty()) {
      problems.add(
          "the source is not named: set 'database.hostname' and 'database.dbname' (and"
              + " 'verify.source.jdbc.url' if rows are read elsewhere)");
    }
    return url;
  }

  /** A password belongs to its user, so it is not borrowed for another one. */
  private JdbcSettings sourceDatabase(String url) {
    Optional<String> user = find(SettingsTable.SOURCE_USER);
    String password = user.isPresent() ? "" : connector.getOrDefault("database.password", "");
    return new JdbcSettings(
        url,
        user.orElse(connector.getOrDefault("database.user", "").strip()),
        find(SettingsTable.SOURCE_PASSWORD).orElse(password));
  }

  private void checkMarkerTable() {
    boolean wanted = "marker_table".equals(find(SettingsTable.CONFIRMATION).orElse(""));
    if (wanted
        && !ours.containsKey(SettingsTable.MARKER_TABLE.name())
        && !refused.contains(SettingsTable.MARKER_TABLE.name())) {
      problems.add(
          "'verify.replay.confirmation' is marker_table, which needs 'verify.marker.table'; add a"
              + " line such as verify.marker.table=public.walproof_marker");
    }
  }

  private Optional<StatusListen> status() {
    try {
      return find(SettingsTable.STATUS_LISTEN)
          .map(address -> StatusListen.of(address, find(SettingsTable.STATUS_TOKEN)));
    } catch (IllegalArgumentException e) {
      problems.add("'" + SettingsTable.STATUS_LISTEN.name() + "' " + e.getMessage());
      return Optional.empty();
    }
  }

  private Map<String, String> scope() {
    Map<String, String> scope = new TreeMap<>(values().scope(SettingsTable.ALL));
    connector.forEach(
        (key, text) -> {
          if (FILTERS.contains(key)) {
            scope.put(key, text.strip());
          }
        });
    return scope;
  }

  private SettingValues values() {
    return new SettingValues(ours);
  }

  private <T> Optional<T> find(Setting<T> setting) {
    return values().find(setting);
  }

  private <T> T get(Setting<T> setting) {
    return values().get(setting);
  }
}
