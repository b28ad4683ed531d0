package io.walproof.standalone.docs;

import static io.walproof.standalone.docs.Markdown.code;
import static io.walproof.standalone.docs.Markdown.table;
import static io.walproof.standalone.docs.Markdown.text;

import io.walproof.connector.PostgresDriftConnector;
import io.walproof.connector.engine.CaptureSettings;
import io.walproof.connector.engine.SettingCatalog;
import io.walproof.connector.engine.SettingCatalog.Described;
import io.walproof.verifier.VerifierSinkConnector;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.Setting.Presence;
import io.walproof.verifier.settings.SettingsTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** The reference of all settings, from the tables that check them. */
final class SettingsPart {

  /** A producer's settings are Kafka's, and more than all others together. */
  private static final String PRODUCER_GROUP = "Producer of the verify topic";

  private static final Pattern RANGE = Pattern.compile("\\[(-?\\d+),\\.\\.\\.,(\\d+)]");
  private static final Pattern WORDS = Pattern.compile("\\[(\\w+(?:, \\w+)*)]");

  private record Row(String name, String fallback, String accepted, String meaning) {
    List<String> cells(String... before) {
      List<String> cells = new ArrayList<>(List.of(code(name)));
      cells.addAll(List.of(before));
      cells.addAll(List.of(fallback, text(accepted), text(meaning)));
      return cells;
    }
  }

  private SettingsPart() {}

  static String page() {
    return "## Settings\n\n### Verifier\n\n"
        + "In: `run` is a properties file of the command, `sink` the configuration of the sink"
        + " connector.\n\n"
        + table(List.of("Setting", "In", "Default", "Accepted", "Meaning"), verifier())
        + "After `verify.producer.` any other setting of a Kafka producer may follow, and after"
        + " `verify.kafka.client.` any of an admin client.\n\n"
        + "### Capture and drift\n\nIn a properties file of the command and in the source"
        + " connector's configuration.\n\n"
        + table(List.of("Setting", "Default", "Accepted", "Meaning"), drift())
        + "### Source connector alone\n\n"
        + table(List.of("Setting", "Default", "Accepted", "Meaning"), sourceConnector())
        + "### Debezium's\n\nDebezium's settings for PostgreSQL keep their names and meanings, in a"
        + " properties file of the command and in the source connector's configuration. Here they"
        + " are required, have other defaults, or cannot be changed:\n\n"
        + table(List.of("Setting", "Here", "Why"), debezium());
  }

  private static List<List<String>> verifier() {
    Map<Row, Set<String>> rows = new LinkedHashMap<>();
    for (Setting<?> setting : SettingsTable.ALL) {
      if (!setting.name().startsWith("drift.")) {
        rows.computeIfAbsent(row(setting), any -> new TreeSet<>()).add("run");
      }
    }
    for (ConfigKey key : new VerifierSinkConnector().config().configKeys().values()) {
      if (!PRODUCER_GROUP.equals(key.group)) {
        rows.computeIfAbsent(sinkRow(key), any -> new TreeSet<>()).add("sink");
      }
    }
    return rows.entrySet().stream()
        .sorted(
            java.util.Comparator.comparing((Map.Entry<Row, Set<String>> e) -> e.getKey().name())
                .thenComparing(e -> String.join(",", e.getValue())))
        .map(e -> e.getKey().cells(String.join(", ", e.getValue())))
        .toList();
  }

  private static Row row(Setting<?> setting) {
    Presence presence = setting.presence();
    String fallback;
    if (presence instanceof Presence.Default value) {
      fallback = value.text().isEmpty() ? "none" : code(value.text());
    } else if (presence instanceof Presence.Derived derived) {
      fallback = "from " + Markdown.text(derived.from());
    } else if (presence instanceof Presence.Required) {
      fallback = "required";
    } else {
      fallback = "none";
    }
    return new Row(setting.name(), fallback, setting.type().bounds(), setting.description());
  }

  private static Row sinkRow(ConfigKey key) {
    String bounds = key.validator.toString();
    String end = " Accepted: " + bounds + ".";
    return new Row(
        key.name,
        fallback(key),
        bounds,
        key.documentation.substring(0, key.documentation.length() - end.length()));
  }

  private static List<List<String>> drift() {
    return SettingCatalog.drift().stream()
        .map(
            each ->
                new Row(
                        each.key(),
                        each.fallback().isEmpty() ? "none" : code(each.fallback()),
                        each.accepted(),
                        each.text())
                    .cells())
        .toList();
  }

  private static List<List<String>> sourceConnector() {
    Set<String> told =
        SettingCatalog.drift().stream().map(Described::key).collect(Collectors.toSet());
    List<List<String>> rows = new ArrayList<>();
    for (ConfigKey key : new PostgresDriftConnector().config().configKeys().values()) {
      if ("Walproof".equals(key.group) && !told.contains(key.name)) {
        String bounds = String.valueOf(key.validator);
        Matcher range = RANGE.matcher(bounds);
        Matcher words = WORDS.matcher(bounds);
        String accepted =
            range.matches()
                ? "a whole number, " + range.group(1) + " to " + range.group(2)
                : words.matches() ? "one of " + words.group(1) : bounds;
        String meaning = key.documentation.replaceFirst(" From -?\\d+ to \\d+\\.$", "");
        rows.add(new Row(key.name, fallback(key), accepted, meaning).cells());
      }
    }
    return rows;
  }

  private static boolean isRequired(ConfigKey key) {
    return key != null && key.defaultValue == ConfigDef.NO_DEFAULT_VALUE;
  }

  private static String fallback(ConfigKey key) {
    if (isRequired(key)) {
      return "required";
    }
    return key.defaultValue == null || key.defaultValue.toString().isEmpty()
        ? "none"
        : code(key.defaultValue.toString());
  }

  private static List<List<String>> debezium() {
    Map<String, List<String>> rows = new TreeMap<>();
    Map<String, ConfigKey> connector = new PostgresDriftConnector().config().configKeys();
    for (String key : CaptureSettings.knownKeys()) {
      if (SettingCatalog.isRequired(key)) {
        rows.put(key, List.of(code(key), "required", ""));
      } else {
        SettingCatalog.fallback(key)
            .ifPresent(
                value ->
                    rows.put(
                        key,
                        List.of(
                            code(key),
                            value.isEmpty() ? "not set" : code(value),
                            SettingCatalog.whyFixed(key)
                                .map(why -> "cannot be changed: " + text(why))
                                .orElse(
                                    isRequired(connector.get(key))
                                        ? "default of the command; required in the connector"
                                        : "default"))));
      }
    }
    return List.copyOf(rows.values());
  }
}
