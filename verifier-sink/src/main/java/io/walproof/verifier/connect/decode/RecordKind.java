package io.walproof.verifier.connect.decode;

import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a record is about, by its schema's name, or without schemas by its fields. Those sets of
 * fields are complete, so that no row of a flattened topic is taken for something to be ignored.
 */
enum RecordKind {
  CHANGED_KEY,
  DRIFT_EVENT,
  VERIFY_RECORD,
  HEARTBEAT,
  TRANSACTION_METADATA,
  SCHEMA_CHANGE,
  NOTIFICATION,
  /** Debezium's change of a row. */
  ENVELOPE,
  UNKNOWN;

  private static final String OUR_HEARTBEAT = "io.walproof.Heartbeat";

  private static final Set<String> TRANSACTION =
      Set.of("status", "id", "event_count", "data_collections", "ts_ms");

  private static final Set<String> NOTIFICATION_FIELDS =
      Set.of("id", "aggregate_type", "type", "additional_data", "timestamp");

  /** The word for the counts. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static RecordKind of(RecordView value, Object key) {
    return value.hasSchema() && !value.schemaName().isEmpty()
        ? byName(value)
        : byFields(value, RecordView.of(key));
  }

  private static RecordKind byName(RecordView value) {
    String name = value.schemaName();
    return switch (name) {
      case ChangedKeyRecord.VALUE_NAME -> CHANGED_KEY;
      case DriftRecord.VALUE_NAME -> DRIFT_EVENT;
      case OUR_HEARTBEAT -> HEARTBEAT;
      default -> ofDebezium(name, value);
    };
  }

  /** Debezium may put a prefix before its names. */
  private static RecordKind ofDebezium(String name, RecordView value) {
    if (name.endsWith("io.debezium.connector.common.Heartbeat")) {
      return HEARTBEAT;
    }
    if (name.endsWith("io.debezium.connector.common.TransactionMetadataValue")) {
      return TRANSACTION_METADATA;
    }
    if (name.endsWith("io.debezium.connector.common.Notification")) {
      return NOTIFICATION;
    }
    if (name.endsWith(".SchemaChangeValue")) {
      return SCHEMA_CHANGE;
    }
    return isEnvelope(value) ? ENVELOPE : UNKNOWN;
  }

  private static RecordKind byFields(RecordView value, Optional<RecordView> key) {
    Set<String> names = value.names();
    Set<String> keyNames = key.map(RecordView::names).orElse(Set.of());
    if (isEnvelope(value)) {
      return ENVELOPE;
    }
    if (value.hasAll("v", "schema", "table", "columns", "op", "lsn", "txid", "ts_ms")) {
      return CHANGED_KEY;
    }
    if (value.hasAll("v", "kind", "occurrence", "lsn", "txid", "changes", "policy", "action")) {
      return DRIFT_EVENT;
    }
    if (value.hasAll("v", "seq", "prev", "ts", "run_id", "type")) {
      return VERIFY_RECORD;
    }
    boolean theirs = names.equals(Set.of("ts_ms")) && keyNames.equals(Set.of("serverName"));
    boolean ours = names.equals(Set.of("v", "ts_ms", "lsn")) && keyNames.equals(Set.of("server"));
    if (theirs || ours) {
      return HEARTBEAT;
    }
    if (names.equals(TRANSACTION) && keyNames.equals(Set.of("id"))) {
      return TRANSACTION_METADATA;
    }
    if (names.equals(NOTIFICATION_FIELDS) && keyNames.equals(Set.of("id"))) {
      return NOTIFICATION;
    }
    return value.hasAll("source", "databaseName", "tableChanges") ? SCHEMA_CHANGE : UNKNOWN;
  }

  private static boolean isEnvelope(RecordView value) {
    return value.hasAll("op", "source") && value.nested("source").isPresent();
  }
}
