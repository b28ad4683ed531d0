package io.walproof.connector.connect;

import io.walproof.contract.topic.HeartbeatRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** Heartbeats as Connect's data: the form that {@link HeartbeatRecord} defines. */
final class HeartbeatData {

  static final Schema KEY =
      SchemaBuilder.struct()
          .name(HeartbeatRecord.KEY_NAME)
          .version(HeartbeatRecord.VERSION)
          .field(HeartbeatRecord.SERVER, Schema.STRING_SCHEMA)
          .build();

  static final Schema VALUE =
      SchemaBuilder.struct()
          .name(HeartbeatRecord.VALUE_NAME)
          .version(HeartbeatRecord.VERSION)
          .field(HeartbeatRecord.V, Schema.INT32_SCHEMA)
          .field(HeartbeatRecord.TS_MS, Schema.INT64_SCHEMA)
          .field(HeartbeatRecord.LSN, Schema.INT64_SCHEMA)
          .build();

  private HeartbeatData() {}

  static Struct key(String prefix) {
    return MapData.struct(KEY, HeartbeatRecord.key(prefix));
  }

  static Struct value(HeartbeatRecord heartbeat) {
    return MapData.struct(VALUE, heartbeat.value());
  }
}
