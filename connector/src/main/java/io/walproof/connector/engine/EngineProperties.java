package io.walproof.connector.engine;

import io.debezium.connector.postgresql.PostgresConnector;
import io.walproof.connector.relation.CarefulConverter;
import io.walproof.connector.relation.NotePostProcessor;
import io.walproof.connector.relation.TapRegistry;
import io.walproof.connector.relation.TappingConnectionFactory;
import java.util.Properties;

/** The properties that Debezium's engine is built from. They hold secrets. */
final class EngineProperties {

  private static final String POST_PROCESSORS = "post.processors";
  private static final String NOTE = "walproof";

  private EngineProperties() {}

  static Properties of(CaptureSettings settings, String captureId, boolean standby) {
    Properties properties = new Properties();
    properties.putAll(settings.debezium());
    if (standby && isDefaultHeartbeat(settings)) {
      // A standby writes no WAL; there an idle slot follows what the primary writes.
      properties.remove("heartbeat.action.query");
    }
    properties.setProperty("name", "walproof-" + settings.get("topic.prefix"));
    properties.setProperty("connector.class", PostgresConnector.class.getName());
    properties.setProperty("offset.storage", DurableOffsets.class.getName());
    properties.setProperty(TapRegistry.ID, captureId);
    properties.setProperty("driver." + TapRegistry.ID, captureId);
    properties.setProperty(
        "database.connection.factory.class", TappingConnectionFactory.class.getName());
    properties.setProperty(POST_PROCESSORS, NOTE);
    String prefix = POST_PROCESSORS + '.' + NOTE + '.';
    properties.setProperty(prefix + "type", NotePostProcessor.class.getName());
    properties.setProperty(prefix + TapRegistry.ID, captureId);
    if (settings.feed() == Feed.KEYS) {
      properties.setProperty(EngineDefaults.CONVERTER + ".type", CarefulConverter.class.getName());
    }
    // The publication was set up by us; Debezium would also remove tables from it.
    properties.setProperty("publication.autocreate.mode", "disabled");
    // The slot is checked by the gate, which says what is missing.
    properties.setProperty("internal.log.position.check.enable", "false");
    properties.setProperty(
        "internal.task.management.timeout.ms",
        Long.toString(
            Math.max(
                settings.drift().startTimeout().toMillis(),
                settings.shutdownTimeout().toMillis())));
    return properties;
  }

  private static boolean isDefaultHeartbeat(CaptureSettings settings) {
    String key = "heartbeat.action.query";
    return EngineDefaults.DEFAULTS.get(key).equals(settings.get(key));
  }
}
