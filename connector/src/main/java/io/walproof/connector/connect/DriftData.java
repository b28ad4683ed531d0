package io.walproof.connector.connect;

import static io.walproof.contract.topic.DriftRecord.ACTION;
import static io.walproof.contract.topic.DriftRecord.AFTER;
import static io.walproof.contract.topic.DriftRecord.BEFORE;
import static io.walproof.contract.topic.DriftRecord.CHANGES;
import static io.walproof.contract.topic.DriftRecord.CHANGE_NAME;
import static io.walproof.contract.topic.DriftRecord.COLUMN;
import static io.walproof.contract.topic.DriftRecord.CURRENT;
import static io.walproof.contract.topic.DriftRecord.DETAIL;
import static io.walproof.contract.topic.DriftRecord.FROM;
import static io.walproof.contract.topic.DriftRecord.KEY_NAME;
import static io.walproof.contract.topic.DriftRecord.KIND;
import static io.walproof.contract.topic.DriftRecord.LSN;
import static io.walproof.contract.topic.DriftRecord.NARROWING;
import static io.walproof.contract.topic.DriftRecord.OCCURRENCE;
import static io.walproof.contract.topic.DriftRecord.POLICY;
import static io.walproof.contract.topic.DriftRecord.PREVIOUS;
import static io.walproof.contract.topic.DriftRecord.SCHEMA;
import static io.walproof.contract.topic.DriftRecord.TABLE;
import static io.walproof.contract.topic.DriftRecord.TXID;
import static io.walproof.contract.topic.DriftRecord.V;
import static io.walproof.contract.topic.DriftRecord.VALUE_NAME;
import static io.walproof.contract.topic.DriftRecord.VERSION;
import static io.walproof.contract.topic.DriftRecord.WHAT;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.topic.DriftRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** Drift events as Connect's data: the form that {@link DriftRecord} defines. */
final class DriftData {

  /** More than a column change's names of fields, quotes and flags take in JSON. */
  private static final int BYTES_AROUND_A_CHANGE = 96;

  private static final Schema CHANGE =
      SchemaBuilder.struct()
          .name(CHANGE_NAME)
          .version(VERSION)
          .field(COLUMN, Schema.STRING_SCHEMA)
          .field(WHAT, Schema.STRING_SCHEMA)
          .field(BEFORE, Schema.STRING_SCHEMA)
          .field(AFTER, Schema.STRING_SCHEMA)
          .field(NARROWING, Schema.BOOLEAN_SCHEMA)
          .build();

  static final Schema KEY =
      SchemaBuilder.struct()
          .name(KEY_NAME)
          .version(VERSION)
          .field(SCHEMA, Schema.OPTIONAL_STRING_SCHEMA)
          .field(TABLE, Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  static final Schema VALUE =
      SchemaBuilder.struct()
          .name(VALUE_NAME)
          .version(VERSION)
          .field(V, Schema.INT32_SCHEMA)
          .field(KIND, Schema.STRING_SCHEMA)
          .field(OCCURRENCE, Schema.STRING_SCHEMA)
          .field(SCHEMA, Schema.OPTIONAL_STRING_SCHEMA)
          .field(TABLE, Schema.OPTIONAL_STRING_SCHEMA)
          .field(LSN, Schema.INT64_SCHEMA)
          .field(TXID, Schema.INT64_SCHEMA)
          .field(PREVIOUS, Schema.OPTIONAL_STRING_SCHEMA)
          .field(CURRENT, Schema.OPTIONAL_STRING_SCHEMA)
          .field(CHANGES, SchemaBuilder.array(CHANGE).build())
          .field(NARROWING, Schema.OPTIONAL_BOOLEAN_SCHEMA)
          .field(POLICY, Schema.STRING_SCHEMA)
          .field(ACTION, Schema.STRING_SCHEMA)
          .field(DETAIL, Schema.STRING_SCHEMA)
          .field(FROM, Schema.OPTIONAL_INT64_SCHEMA)
          .build();

  private DriftData() {}

  static Struct key(DriftEvent event) {
    return MapData.struct(KEY, DriftRecord.key(event));
  }

  /**
   * The value; column changes that do not fit are left out, and the detail says how many.
   *
   * @param maxBytes of all column changes together ({@code feed.drift.max.bytes})
   */
  static Struct value(DriftEvent event, int maxBytes) {
    return MapData.struct(VALUE, DriftRecord.value(fitting(event, maxBytes)));
  }

  private static DriftEvent fitting(DriftEvent event, int maxBytes) {
    List<ColumnChange> kept = new ArrayList<>();
    long bytes = 0;
    for (ColumnChange change : event.changes()) {
      bytes += bytes(change);
      if (bytes > maxBytes) {
        break;
      }
      kept.add(change);
    }
    int left = event.changes().size() - kept.size();
    if (left == 0) {
      return event;
    }
    return event.withChanges(
        kept,
        event.detail()
            + "; "
            + left
            + " more column changes did not fit into "
            + FeedSettings.DRIFT_MAX_BYTES);
  }

  private static long bytes(ColumnChange change) {
    return BYTES_AROUND_A_CHANGE
        + utf8(change.column())
        + utf8(change.before())
        + utf8(change.after());
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
