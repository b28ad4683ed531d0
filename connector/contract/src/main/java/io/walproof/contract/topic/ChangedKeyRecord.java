package io.walproof.contract.topic;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A changed key on a topic, version 1. One form for all tables, so that the names of tables and
 * columns are data and any identifier is legal. The record's key names the row; its value says all
 * of it again, so that the value alone is enough.
 */
public final class ChangedKeyRecord {

  /** The name of the key's schema. */
  public static final String KEY_NAME = "io.walproof.ChangedKey.Key";

  /** The name of the value's schema. */
  public static final String VALUE_NAME = "io.walproof.ChangedKey";

  /** The name of a key column's schema. */
  public static final String COLUMN_NAME = "io.walproof.ChangedKey.Column";

  /** The version of both. */
  public static final int VERSION = 1;

  /** The version; value only; int32. */
  public static final String V = "v";

  /** The table's schema, as the catalog spells it. */
  public static final String SCHEMA = "schema";

  /** The table's name, as the catalog spells it. */
  public static final String TABLE = "table";

  /** The key columns, an array of {@link #NAME} and {@link #TEXT}, in the RELATION's order. */
  public static final String COLUMNS = "columns";

  /** A column's name. */
  public static final String NAME = "name";

  /** A column's value as PostgreSQL's text. */
  public static final String TEXT = "text";

  /** {@code c}, {@code u}, {@code d} or {@code r}. */
  public static final String OP = "op";

  /** The change's own LSN; int64, to be read as unsigned. */
  public static final String LSN = "lsn";

  /** The 32-bit transaction id, 0 for snapshot reads; int64. */
  public static final String TXID = "txid";

  /** The commit's time in milliseconds since 1970; int64. */
  public static final String TS_MS = "ts_ms";

  /** The hash of the shape that the change was decoded with; absent for snapshot reads. */
  public static final String SHAPE = "shape";

  private static final long LAST_TXID = 0xFFFFFFFFL;

  private ChangedKeyRecord() {}

  /** The record's key. */
  public static Map<String, Object> key(ChangedKey change) {
    Map<String, Object> key = new LinkedHashMap<>();
    putRow(key, change);
    return key;
  }

  /** The record's value. */
  public static Map<String, Object> value(ChangedKey change) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put(V, VERSION);
    putRow(value, change);
    value.put(OP, operation(change.operation()));
    value.put(LSN, change.lsn().value());
    value.put(TXID, change.transactionId());
    value.put(TS_MS, change.committedAt().toEpochMilli());
    value.put(SHAPE, change.shape() == null ? null : change.shape().hex());
    return value;
  }

  /**
   * Reads a record's value. Unknown fields are ignored.
   *
   * @param value by field name; numbers of any integral width
   * @throws TopicFormatException if the version is unknown, or a field is missing or malformed
   */
  public static ChangedKey of(Map<String, ?> value) {
    RecordFields fields = new RecordFields(VALUE_NAME, value);
    fields.version(VERSION);
    Operation operation = operation(fields);
    ShapeHash shape = fields.optionalText(SHAPE).map(hex -> shape(fields, hex)).orElse(null);
    if (shape == null && operation != Operation.READ) {
      throw new TopicFormatException(VALUE_NAME + " has no field '" + SHAPE + "'");
    }
    long txid = fields.int64(TXID);
    if (txid < 0 || txid > LAST_TXID) {
      throw new TopicFormatException(VALUE_NAME + "." + TXID + " is not a transaction id");
    }
    return new ChangedKey(
        table(fields),
        rowKey(fields),
        operation,
        new Lsn(fields.int64(LSN)),
        txid,
        Instant.ofEpochMilli(fields.int64(TS_MS)),
        shape);
  }

  /** The letter of an operation. */
  public static String operation(Operation operation) {
    return switch (operation) {
      case INSERT -> "c";
      case UPDATE -> "u";
      case DELETE -> "d";
      case READ -> "r";
    };
  }

  private static Operation operation(RecordFields fields) {
    String letter = fields.text(OP);
    for (Operation operation : Operation.values()) {
      if (operation(operation).equals(letter)) {
        return operation;
      }
    }
    throw new TopicFormatException(VALUE_NAME + "." + OP + " is not one of c, u, d, r");
  }

  private static void putRow(Map<String, Object> into, ChangedKey change) {
    into.put(SCHEMA, change.table().schema());
    into.put(TABLE, change.table().name());
    List<Map<String, Object>> columns = new ArrayList<>();
    for (RowKey.Column column : change.key().columns()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put(NAME, column.name());
      each.put(TEXT, column.text());
      columns.add(each);
    }
    into.put(COLUMNS, columns);
  }

  private static TableId table(RecordFields fields) {
    String schema = fields.text(SCHEMA);
    String name = fields.text(TABLE);
    try {
      return new TableId(schema, name);
    } catch (IllegalArgumentException e) {
      throw fields.refused(TABLE, e);
    }
  }

  private static RowKey rowKey(RecordFields fields) {
    List<RowKey.Column> columns =
        fields.records(COLUMNS).stream()
            .map(column -> new RowKey.Column(column.text(NAME), column.text(TEXT)))
            .toList();
    try {
      return new RowKey(columns);
    } catch (IllegalArgumentException e) {
      throw fields.refused(COLUMNS, e);
    }
  }

  private static ShapeHash shape(RecordFields fields, String hex) {
    try {
      return new ShapeHash(hex);
    } catch (IllegalArgumentException e) {
      throw fields.refused(SHAPE, e);
    }
  }
}
