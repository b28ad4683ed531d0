package io.walproof.connector.connect;

import io.debezium.config.Field;
import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.walproof.connector.engine.SettingCatalog;
import io.walproof.connector.engine.SettingCatalog.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * All settings as Connect shows them: the connector's own, {@code drift.*}, and Debezium's with our
 * defaults. It describes; what is right and wrong is decided by {@link ConnectorSettings}.
 */
final class ConnectorDefinition {

  private static final Pattern SECRET = Pattern.compile(".*(password|secret|token|credential).*");

  private ConnectorDefinition() {}

  static ConfigDef create() {
    ConfigDef definition = FeedSettings.definition();
    int order = definition.names().size();
    for (Described drift : SettingCatalog.drift()) {
      order++;
      define(
          definition,
          drift.key(),
          ConfigDef.Type.STRING,
          drift.fallback(),
          Importance.MEDIUM,
          drift.text() + " Accepted: " + drift.accepted() + ".",
          "Walproof",
          order,
          drift.key(),
          drift.choice());
    }
    for (Field field : PostgresConnectorConfig.ALL_FIELDS) {
      if (!field.name().startsWith(Field.INTERNAL_PREFIX)
          && !definition.names().contains(field.name())) {
        debezium(definition, field);
      }
    }
    return definition;
  }

  private static void debezium(ConfigDef definition, Field field) {
    String name = field.name();
    ConfigDef.Type type = isSecret(name) ? ConfigDef.Type.PASSWORD : field.type();
    List<String> choice = choice(field);
    String text =
        (field.description() == null ? "" : field.description())
            + SettingCatalog.whyFixed(name).map(why -> " Fixed here: " + why + ".").orElse("");
    define(
        definition,
        name,
        type,
        fallback(field),
        field.importance(),
        text,
        group(field),
        field.group().getPositionInGroup(),
        field.displayName() == null ? name : field.displayName(),
        choice);
  }

  private static void define(
      ConfigDef definition,
      String name,
      ConfigDef.Type type,
      Object fallback,
      Importance importance,
      String text,
      String group,
      int order,
      String displayName,
      List<String> choice) {
    definition.define(
        name,
        type,
        fallback,
        null,
        importance,
        text,
        group,
        order,
        Width.MEDIUM,
        displayName,
        List.of(),
        choice.isEmpty() ? null : new FixedChoice(new ArrayList<>(choice)));
  }

  private static Object fallback(Field field) {
    String name = field.name();
    if (name.equals(ConnectorSettings.PREFIX) || SettingCatalog.isRequired(name)) {
      return ConfigDef.NO_DEFAULT_VALUE;
    }
    return SettingCatalog.fallback(name).<Object>map(text -> text).orElse(field.defaultValue());
  }

  private static List<String> choice(Field field) {
    List<String> ours = SettingCatalog.choice(field.name());
    return ours.isEmpty()
        ? field.allowedValues().stream().map(Object::toString).sorted().toList()
        : ours;
  }

  private static String group(Field field) {
    String words = field.group().getGroup().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  private static boolean isSecret(String name) {
    return SECRET.matcher(name).matches();
  }
}
