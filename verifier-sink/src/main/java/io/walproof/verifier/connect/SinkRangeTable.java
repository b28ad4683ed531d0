package io.walproof.verifier.connect;

import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.schedule.TableFilter;
import io.walproof.verifier.settings.RangeSettingsTable;
import io.walproof.verifier.settings.RangeValues;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingType;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.SettingsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The settings of the sink's range checks. */
final class SinkRangeTable {

  static final Setting<String> DRIFT_TOPIC =
      Setting.unset(
          "verify.range.drift.topic",
          SettingType.text(),
          "The drift topic, <topic.prefix>.drift, needed by verify.range.on.drift; it must be one of"
              + " this connector's topics.");

  static final Setting<String> TABLES =
      Setting.<String>unset(
              "verify.range.table.include.list",
              new SettingType<>(
                  "regular expressions that match schema.table, with commas between",
                  false,
                  SinkRangeTable::tables),
              "The tables that range checks cover, as in a Debezium connector's"
                  + " table.include.list; those of the connector's topics if it is not set.")
          .limitingScope();

  static final SinkSettingsTable.Group ALL = new SinkSettingsTable.Group("Range checks", all());

  private SinkRangeTable() {}

  private static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(RangeSettingsTable.ALL);
    all.add(DRIFT_TOPIC);
    all.add(TABLES);
    all.add(SettingsTable.DUTY_CYCLE);
    all.add(SettingsTable.RANGE_CHUNK_ROWS);
    all.add(SettingsTable.RANGE_CHUNK_BYTES);
    all.add(SettingsTable.RANGE_DIGEST);
    all.add(SettingsTable.RANGE_RESUME_AGE);
    all.add(SettingsTable.RANGE_KEYS_MAX);
    all.add(SettingsTable.RANGE_EXACT);
    return List.copyOf(all);
  }

  private static String tables(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "must be regular expressions with commas between; remove it for the topics' tables");
    }
    TableFilter.including(text);
    return text;
  }

  /** What settings lack that need each other, by the setting at fault, each with the way out. */
  static Map<String, String> missing(SettingValues values, Map<String, String> properties) {
    Map<String, String> missing = new TreeMap<>(RangeValues.missing(values));
    ScheduleSettings schedule = RangeValues.schedule(values);
    if (!schedule.isOn()) {
      return missing;
    }
    SinkTopics topics = SinkTopics.of(properties);
    if (schedule.onDrift()) {
      String name = DRIFT_TOPIC.name();
      values
          .find(DRIFT_TOPIC)
          .ifPresentOrElse(
              topic -> {
                if (!topics.contains(topic)) {
                  missing.put(
                      name,
                      "'"
                          + name
                          + "' is none of this connector's topics, so that no drift event would"
                          + " arrive; add it to topics or topics.regex");
                }
              },
              () ->
                  missing.put(
                      name,
                      "'"
                          + name
                          + "' is needed by verify.range.on.drift: name the drift topic of"
                          + " Walproof's source connector, <topic.prefix>.drift"));
    }
    if (values.find(TABLES).isEmpty() && !topics.nameTables()) {
      missing.put(
          TABLES.name(),
          "'"
              + TABLES.name()
              + "' is needed, because topics.regex does not tell which tables range checks cover:"
              + " set it as in a Debezium connector's table.include.list, or name topics one by one");
    }
    return missing;
  }

  /**
   * What is checked.
   *
   * @throws IllegalArgumentException naming what is missing
   */
  static SinkRangeSettings of(
      SettingValues values, Map<String, String> properties, int task, int tasks) {
    List<String> missing = new ArrayList<>(missing(values, properties).values());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", missing));
    }
    TableFilter filter =
        values
            .find(TABLES)
            .map(TableFilter::including)
            .orElseGet(() -> SinkTopics.of(properties).tables());
    return new SinkRangeSettings(
        RangeValues.schedule(values),
        RangeValues.limits(values),
        filter,
        values.find(DRIFT_TOPIC),
        task,
        tasks);
  }
}
