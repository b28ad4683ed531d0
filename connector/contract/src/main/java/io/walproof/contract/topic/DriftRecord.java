package io.walproof.contract.topic;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A drift event on a topic, version 1. The record's key is the table, so that a table's events stay
 * in order; events of the stream as a whole have no table.
 */
public final class DriftRecord {

  /** The name of the key's schema. */
  public static final String KEY_NAME = "io.walproof.DriftEvent.Key";

  /** The name of the value's schema. */
  public static final String VALUE_NAME = "io.walproof.DriftEvent";

  /** The name of a column change's schema. */
  public static final String CHANGE_NAME = "io.walproof.DriftEvent.ColumnChange";

  /** The version of both. */
  public static final int VERSION = 1;

  /** The version; value only; int32. */
  public static final String V = "v";

  /** {@link DriftEvent.Kind} in lower case. */
  public static final String KIND = "kind";

  /** {@link DriftEvent.Occurrence} in lower case. */
  public static final String OCCURRENCE = "occurrence";

  /** The table's schema; absent together with {@link #TABLE}. */
  public static final String SCHEMA = "schema";

  /** The table's name. */
  public static final String TABLE = "table";

  /** The deciding change's LSN; int64, to be read as unsigned. */
  public static final String LSN = "lsn";

  /** The deciding change's 32-bit transaction id, 0 where there is none; int64. */
  public static final String TXID = "txid";

  /** The shape's hash before; optional. */
  public static final String PREVIOUS = "previous";

  /** The shape's hash now; optional. */
  public static final String CURRENT = "current";

  /** The column differences, an array. */
  public static final String CHANGES = "changes";

  /** Whether values may no longer fit; absent where it is not known. */
  public static final String NARROWING = "narrowing";

  /** The drift policy in force. */
  public static final String POLICY = "policy";

  /** What was done about it. */
  public static final String ACTION = "action";

  /** A sentence for people. */
  public static final String DETAIL = "detail";

  /**
   * Of a gap, the LSN up to which everything before it was delivered; int64, to be read as
   * unsigned, optional. Gaps with the same kind, table and this are the same gap, told again.
   */
  public static final String FROM = "from";

  /** A changed column's name. */
  public static final String COLUMN = "column";

  /** {@link ColumnChange.What} in lower case. */
  public static final String WHAT = "what";

  /** The property before, empty for an addition. */
  public static final String BEFORE = "before";

  /** The property after, empty for a removal. */
  public static final String AFTER = "after";

  private DriftRecord() {}

  /** The record's key. */
  public static Map<String, Object> key(DriftEvent event) {
    Map<String, Object> key = new LinkedHashMap<>();
    putTable(key, event);
    return key;
  }

  /** The record's value. */
  public static Map<String, Object> value(DriftEvent event) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put(V, VERSION);
    value.put(KIND, RecordFields.lower(event.kind()));
    value.put(OCCURRENCE, RecordFields.lower(event.occurrence()));
    putTable(value, event);
    value.put(LSN, event.lsn().value());
    value.put(TXID, event.transactionId());
    value.put(PREVIOUS, event.previous().map(ShapeHash::hex).orElse(null));
    value.put(CURRENT, event.current().map(ShapeHash::hex).orElse(null));
    value.put(CHANGES, changes(event));
    value.put(NARROWING, event.narrowing().orElse(null));
    value.put(POLICY, event.policy());
    value.put(ACTION, event.action());
    value.put(DETAIL, event.detail());
    value.put(FROM, event.from().map(Lsn::value).orElse(null));
    return value;
  }

  /**
   * Reads a record's value. Unknown fields are ignored.
   *
   * @param value by field name; numbers of any integral width
   * @throws TopicFormatException if the version is unknown, or a field is missing or malformed
   */
  public static DriftEvent of(Map<String, ?> value) {
    RecordFields fields = new RecordFields(VALUE_NAME, value);
    fields.version(VERSION);
    return new DriftEvent(
        fields.constant(KIND, DriftEvent.Kind.class),
        fields.constant(OCCURRENCE, DriftEvent.Occurrence.class),
        table(fields),
        new Lsn(fields.int64(LSN)),
        fields.int64(TXID),
        hash(fields, PREVIOUS),
        hash(fields, CURRENT),
        fields.records(CHANGES).stream().map(DriftRecord::change).toList(),
        fields.optionalFlag(NARROWING),
        fields.text(POLICY),
        fields.text(ACTION),
        fields.text(DETAIL),
        fields.optionalInt64(FROM).map(Lsn::new));
  }

  private static void putTable(Map<String, Object> into, DriftEvent event) {
    into.put(SCHEMA, event.table().map(TableId::schema).orElse(null));
    into.put(TABLE, event.table().map(TableId::name).orElse(null));
  }

  private static List<Map<String, Object>> changes(DriftEvent event) {
    List<Map<String, Object>> changes = new ArrayList<>();
    for (ColumnChange change : event.changes()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put(COLUMN, change.column());
      each.put(WHAT, RecordFields.lower(change.what()));
      each.put(BEFORE, change.before());
      each.put(AFTER, change.after());
      each.put(NARROWING, change.narrowing());
      changes.add(each);
    }
    return changes;
  }

  private static ColumnChange change(RecordFields fields) {
    return new ColumnChange(
        fields.text(COLUMN),
        fields.constant(WHAT, ColumnChange.What.class),
        fields.text(BEFORE),
        fields.text(AFTER),
        fields.flag(NARROWING));
  }

  private static Optional<TableId> table(RecordFields fields) {
    Optional<String> schema = fields.optionalText(SCHEMA);
    Optional<String> name = fields.optionalText(TABLE);
    if (schema.isPresent() != name.isPresent()) {
      throw new TopicFormatException(VALUE_NAME + " names half a table");
    }
    try {
      return schema.map(present -> new TableId(present, name.orElseThrow()));
    } catch (IllegalArgumentException e) {
      throw fields.refused(TABLE, e);
    }
  }

  private static Optional<ShapeHash> hash(RecordFields fields, String name) {
    try {
      return fields.optionalText(name).map(ShapeHash::new);
    } catch (IllegalArgumentException e) {
      throw fields.refused(name, e);
    }
  }
}
