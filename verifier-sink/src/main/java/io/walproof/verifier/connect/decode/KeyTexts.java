package io.walproof.verifier.connect.decode;

import java.util.Set;
import org.apache.kafka.connect.data.Schema;

/**
 * From a key column's value in a Debezium record back to PostgreSQL's text. The column's type says
 * what the value means, its schema's name how it is written; where the schema is gone, the
 * configured modes say that.
 */
final class KeyTexts {

  static final String PLACEHOLDER = "__debezium_unavailable_value";

  /** Their values are sent as PostgreSQL writes them. */
  private static final Set<String> AS_TEXT =
      Set.of(
          "text",
          "varchar",
          "bpchar",
          "name",
          "uuid",
          "inet",
          "cidr",
          "macaddr",
          "macaddr8",
          "jsonb",
          "tsvector");

  private static final Set<String> EXTENSION_AS_TEXT = Set.of("citext", "ltree");

  private final TemporalTexts temporal;
  private final NumberTexts numbers;
  private final BinaryTexts binary;

  KeyTexts(DebeziumModes modes) {
    this.temporal = new TemporalTexts(modes);
    this.numbers = new NumberTexts(modes);
    this.binary = new BinaryTexts(modes);
  }

  /**
   * The text.
   *
   * @param schema the value's, null without schemas
   */
  KeyText of(ColumnType type, Schema schema, Object value) {
    if (value == null) {
      return KeyText.unknown("column " + type.column() + " of the record's key is NULL");
    }
    if (PLACEHOLDER.equals(value)) {
      return leftOut(type);
    }
    try {
      return text(type, schema, value);
    } catch (IllegalArgumentException | ArithmeticException | java.time.DateTimeException e) {
      // Their messages quote the value.
      return mismatch(type, value);
    }
  }

  static KeyText leftOut(ColumnType type) {
    return KeyText.unknown(
        "Debezium left out the value of column " + type.column() + ", which is stored out of line");
  }

  private KeyText text(ColumnType type, Schema schema, Object value) {
    if (type.isEnum()
        || type.isRange()
        || (type.builtIn() ? AS_TEXT : EXTENSION_AS_TEXT).contains(type.name())) {
      return value instanceof String text ? KeyText.known(text) : mismatch(type, value);
    }
    if (!type.builtIn()) {
      return unsupported(type, "it has no certain text form");
    }
    return switch (type.name()) {
      case "int2", "int4", "int8", "oid" ->
          value instanceof Long || value instanceof Integer || value instanceof Short
              ? KeyText.known(value.toString())
              : mismatch(type, value);
      case "bool" ->
          value instanceof Boolean flag ? KeyText.known(flag ? "t" : "f") : mismatch(type, value);
      case "float4", "float8" -> numbers.floating(type, schema, value);
      case "numeric" -> numbers.decimal(type, schema, value);
      case "bytea" -> binary.bytes(type, schema, value);
      case "bit" -> binary.bits(type, value);
      case "date" -> temporal.date(type, value);
      case "time" -> temporal.time(type, schema, value);
      case "timestamp" -> temporal.timestamp(type, schema, value);
      case "timestamptz" -> temporal.zoned(type, value);
      case "interval" -> IntervalTexts.of(type, value);
      case "timetz" -> unsupported(type, "Debezium turns it to UTC, and the zone is part of it");
      case "varbit" -> unsupported(type, "Debezium does not send how many bits it has");
      case "money" -> unsupported(type, "its text depends on the server's locale");
      default -> unsupported(type, "it has no certain text form");
    };
  }

  static KeyText unsupported(ColumnType type, String why) {
    return KeyText.unknown(
        "key column "
            + type.column()
            + " is "
            + type.name()
            + ": "
            + why
            + "; use Walproof's source connector for this table");
  }

  /** The value is not of a kind that the type's values come in. */
  static KeyText mismatch(ColumnType type, Object value) {
    return KeyText.unknown(
        "key column "
            + type.column()
            + " is "
            + type.name()
            + ", but the record has "
            + value.getClass().getSimpleName()
            + " in a form that is not known for it");
  }

  static KeyText modeMissing(ColumnType type, String setting) {
    return KeyText.unknown(
        "how key column "
            + type.column()
            + " ("
            + type.name()
            + ") is written cannot be told from the record: set verify.debezium."
            + setting
            + " to the Debezium connector's "
            + setting);
  }
}
