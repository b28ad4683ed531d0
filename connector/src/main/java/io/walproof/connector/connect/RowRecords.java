package io.walproof.connector.connect;

import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Which of Debezium's records belong to a feed of rows: all but heartbeats and our own messages.
 */
final class RowRecords {

  private static final String OUR_MESSAGES = "walproof-";

  private RowRecords() {}

  static boolean belongToTheFeed(SourceRecord record) {
    return !isHeartbeat(record) && !isOurMessage(record);
  }

  private static boolean isHeartbeat(SourceRecord record) {
    return record.valueSchema() != null
        && record.valueSchema().name() != null
        && record.valueSchema().name().endsWith("io.debezium.connector.common.Heartbeat");
  }

  private static boolean isOurMessage(SourceRecord record) {
    return record.value() instanceof Struct value
        && value.schema().field("message") != null
        && value.get("message") instanceof Struct message
        && message.schema().field("prefix") != null
        && message.get("prefix") instanceof String prefix
        && prefix.startsWith(OUR_MESSAGES);
  }
}
