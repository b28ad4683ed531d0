package io.walproof.connector.emit;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** What a record of Debezium's is about. */
enum RecordKind {
  CHANGE,
  SNAPSHOT_READ,
  MESSAGE,
  HEARTBEAT,
  TRANSACTION_METADATA,
  OTHER;

  static RecordKind of(SourceRecord record) {
    Schema schema = record.valueSchema();
    if (schema == null || schema.name() == null || !(record.value() instanceof Struct value)) {
      return OTHER;
    }
    String name = schema.name();
    if (name.endsWith(".Envelope")) {
      return ofOperation(value.getString("op"));
    }
    if (name.endsWith("io.debezium.connector.common.Heartbeat")) {
      return HEARTBEAT;
    }
    if (name.endsWith("io.debezium.connector.common.TransactionMetadataValue")) {
      return TRANSACTION_METADATA;
    }
    return schema.field("op") != null && "m".equals(value.getString("op")) ? MESSAGE : OTHER;
  }

  private static RecordKind ofOperation(String operation) {
    return switch (operation) {
      case "c", "u", "d", "t" -> CHANGE;
      case "r" -> SNAPSHOT_READ;
      case "m" -> MESSAGE;
      default -> OTHER;
    };
  }
}
