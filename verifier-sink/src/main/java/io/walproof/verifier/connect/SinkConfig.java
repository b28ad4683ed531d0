package io.walproof.verifier.connect;

import io.walproof.contract.ClosestName;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.Setting.Presence;
import io.walproof.verifier.settings.SettingType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** The settings as Connect shows and checks them, made from their one definition. */
public final class SinkConfig {

  /** Keys with these prefixes are ours, so an unknown one is a mistake. */
  private static final List<String> OUR_PREFIXES = List.of("verify.", "audit.", "state.", "drift.");

  private SinkConfig() {}

  /** All of them, with groups, documentation, checks and recommendations. */
  public static ConfigDef definition() {
    ConfigDef config = new ConfigDef();
    for (SinkSettingsTable.Group group : SinkSettingsTable.GROUPS) {
      int order = 0;
      for (Setting<?> setting : group.settings()) {
        define(config, group.name(), order++, setting);
      }
    }
    ProducerSettings.define(config);
    return config;
  }

  private static void define(ConfigDef config, String group, int order, Setting<?> setting) {
    boolean required = setting.presence() instanceof Presence.Required;
    config.define(
        setting.name(),
        type(setting.type()),
        required ? ConfigDef.NO_DEFAULT_VALUE : setting.defaultText().orElse(null),
        new SettingValidator(setting),
        required
            ? ConfigDef.Importance.HIGH
            : setting.defaultText().isPresent()
                ? ConfigDef.Importance.MEDIUM
                : ConfigDef.Importance.LOW,
        setting.description() + " Accepted: " + setting.type().bounds() + ".",
        group,
        order,
        ConfigDef.Width.MEDIUM,
        setting.name(),
        recommender(setting.type()));
  }

  private static ConfigDef.Type type(SettingType<?> type) {
    if (type.secret()) {
      return ConfigDef.Type.PASSWORD;
    }
    return switch (type.form()) {
      case TEXT, CHOICE -> ConfigDef.Type.STRING;
      case NUMBER -> ConfigDef.Type.LONG;
      case FLAG -> ConfigDef.Type.BOOLEAN;
    };
  }

  private static ConfigDef.Recommender recommender(SettingType<?> type) {
    return type.choices().isEmpty() ? null : new Choices(List.copyOf(type.choices()));
  }

  /**
   * What is wrong with the keys themselves: unknown ones of ours, by name with the nearest known
   * one, and those that may not be set. Values are not looked at.
   */
  static Map<String, String> wrongKeys(Set<String> keys) {
    Set<String> known = definition().names();
    Map<String, String> wrong = new TreeMap<>(ProducerSettings.refused(keys));
    for (String key : keys) {
      boolean ours = OUR_PREFIXES.stream().anyMatch(key::startsWith);
      if (ours
          && !known.contains(key)
          && !wrong.containsKey(key)
          && !key.startsWith(SinkSettingsTable.PRODUCER_PREFIX)
          && !key.startsWith(KafkaSinkTable.CLIENT_PREFIX)) {
        wrong.put(
            key,
            "there is no setting '"
                + key
                + "'"
                + ClosestName.to(key, known)
                    .map(name -> "; did you mean '" + name + "'?")
                    .orElse("; remove it"));
      }
    }
    return wrong;
  }

  /** The texts that are set and not blank, of the settings that there are. */
  static Map<String, String> texts(Map<String, String> properties) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Setting<?> setting : SinkSettingsTable.all()) {
      String text = properties.get(setting.name());
      if (text != null && (!text.isBlank() || setting.type().secret())) {
        texts.put(setting.name(), text);
      }
    }
    return texts;
  }

  private record Choices(List<Object> words) implements ConfigDef.Recommender {
    @Override
    public List<Object> validValues(String name, Map<String, Object> parsed) {
      return words;
    }

    @Override
    public boolean visible(String name, Map<String, Object> parsed) {
      return true;
    }
  }

  /** The setting's own parser; its messages hold no values. */
  private record SettingValidator(Setting<?> setting) implements ConfigDef.Validator {
    @Override
    public void ensureValid(String name, Object value) {
      String text = value instanceof Password secret ? secret.value() : String.valueOf(value);
      boolean unset = value == null || (text.isBlank() && !setting.type().secret());
      if (unset && !(setting.presence() instanceof Presence.Required)) {
        return;
      }
      try {
        setting.type().parse(value instanceof Boolean ? text.toLowerCase(Locale.ROOT) : text);
      } catch (IllegalArgumentException e) {
        throw new ConfigException("'" + name + "' " + e.getMessage());
      }
    }

    @Override
    public String toString() {
      return setting.type().bounds();
    }
  }
}
