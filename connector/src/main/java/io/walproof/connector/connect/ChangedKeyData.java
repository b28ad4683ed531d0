package io.walproof.connector.connect;

import static io.walproof.contract.topic.ChangedKeyRecord.COLUMNS;
import static io.walproof.contract.topic.ChangedKeyRecord.COLUMN_NAME;
import static io.walproof.contract.topic.ChangedKeyRecord.KEY_NAME;
import static io.walproof.contract.topic.ChangedKeyRecord.LSN;
import static io.walproof.contract.topic.ChangedKeyRecord.NAME;
import static io.walproof.contract.topic.ChangedKeyRecord.OP;
import static io.walproof.contract.topic.ChangedKeyRecord.SCHEMA;
import static io.walproof.contract.topic.ChangedKeyRecord.SHAPE;
import static io.walproof.contract.topic.ChangedKeyRecord.TABLE;
import static io.walproof.contract.topic.ChangedKeyRecord.TEXT;
import static io.walproof.contract.topic.ChangedKeyRecord.TS_MS;
import static io.walproof.contract.topic.ChangedKeyRecord.TXID;
import static io.walproof.contract.topic.ChangedKeyRecord.V;
import static io.walproof.contract.topic.ChangedKeyRecord.VALUE_NAME;
import static io.walproof.contract.topic.ChangedKeyRecord.VERSION;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.RowKey;
import io.walproof.contract.topic.ChangedKeyRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** Changed keys as Connect's data: the form that {@link ChangedKeyRecord} defines. */
final class ChangedKeyData {

  private static final Schema COLUMN =
      SchemaBuilder.struct()
          .name(COLUMN_NAME)
          .version(VERSION)
          .field(NAME, Schema.STRING_SCHEMA)
          .field(TEXT, Schema.STRING_SCHEMA)
          .build();

  static final Schema KEY =
      SchemaBuilder.struct()
          .name(KEY_NAME)
          .version(VERSION)
          .field(SCHEMA, Schema.STRING_SCHEMA)
          .field(TABLE, Schema.STRING_SCHEMA)
          .field(COLUMNS, SchemaBuilder.array(COLUMN).build())
          .build();

  static final Schema VALUE =
      SchemaBuilder.struct()
          .name(VALUE_NAME)
          .version(VERSION)
          .field(V, Schema.INT32_SCHEMA)
          .field(SCHEMA, Schema.STRING_SCHEMA)
          .field(TABLE, Schema.STRING_SCHEMA)
          .field(COLUMNS, SchemaBuilder.array(COLUMN).build())
          .field(OP, Schema.STRING_SCHEMA)
          .field(LSN, Schema.INT64_SCHEMA)
          .field(TXID, Schema.INT64_SCHEMA)
          .field(TS_MS, Schema.INT64_SCHEMA)
          .field(SHAPE, Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private ChangedKeyData() {}

  /** The key's columns, which key and value share. */
  static List<Struct> columns(ChangedKey change) {
    List<RowKey.Column> key = change.key().columns();
    List<Struct> columns = new ArrayList<>(key.size());
    for (RowKey.Column column : key) {
      columns.add(new Struct(COLUMN).put(NAME, column.name()).put(TEXT, column.text()));
    }
    return columns;
  }

  static Struct key(ChangedKey change, List<Struct> columns) {
    return new Struct(KEY)
        .put(SCHEMA, change.table().schema())
        .put(TABLE, change.table().name())
        .put(COLUMNS, columns);
  }

  static Struct value(ChangedKey change, List<Struct> columns) {
    return new Struct(VALUE)
        .put(V, VERSION)
        .put(SCHEMA, change.table().schema())
        .put(TABLE, change.table().name())
        .put(COLUMNS, columns)
        .put(OP, ChangedKeyRecord.operation(change.operation()))
        .put(LSN, change.lsn().value())
        .put(TXID, change.transactionId())
        .put(TS_MS, change.committedAt().toEpochMilli())
        .put(SHAPE, change.shape() == null ? null : change.shape().hex());
  }
}
