package io.walproof.connector.schema;

import static io.walproof.connector.schema.TypeOid.BIT;
import static io.walproof.connector.schema.TypeOid.BPCHAR;
import static io.walproof.connector.schema.TypeOid.INTERVAL;
import static io.walproof.connector.schema.TypeOid.NUMERIC;
import static io.walproof.connector.schema.TypeOid.TIME;
import static io.walproof.connector.schema.TypeOid.TIMESTAMP;
import static io.walproof.connector.schema.TypeOid.TIMESTAMPTZ;
import static io.walproof.connector.schema.TypeOid.TIMETZ;
import static io.walproof.connector.schema.TypeOid.VARBIT;
import static io.walproof.connector.schema.TypeOid.VARCHAR;

import io.walproof.connector.schema.TypeModifier.IntervalField;
import java.util.Locale;
import java.util.OptionalLong;

/** A column's type as PostgreSQL's {@code format_type} writes it. */
final class TypeText {

  private TypeText() {}

  /** A built-in type; an OID that is none is shown as such. */
  static String builtIn(long oid, int modifier) {
    OptionalLong element = BuiltInTypes.element(oid);
    if (element.isPresent()) {
      return builtIn(element.getAsLong(), modifier) + "[]";
    }
    String name = BuiltInTypes.sqlName(oid).orElse("type OID " + oid);
    return modifier == TypeModifier.NONE ? bare(oid, name) : limited((int) oid, name, modifier);
  }

  /** A type of a user or an extension, by its name. */
  static String named(String name, int modifier) {
    return modifier == TypeModifier.NONE ? name : name + "(modifier " + modifier + ")";
  }

  /** Without a length, {@code character} would mean one character. */
  private static String bare(long oid, String name) {
    return oid == BPCHAR ? "bpchar" : name;
  }

  private static String limited(int oid, String name, int modifier) {
    return switch (oid) {
      case BPCHAR, VARCHAR -> name + "(" + TypeModifier.length(modifier) + ")";
      case BIT, VARBIT -> name + "(" + modifier + ")";
      case NUMERIC ->
          name + "(" + TypeModifier.precision(modifier) + "," + TypeModifier.scale(modifier) + ")";
      case TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ -> name.replaceFirst(" ", "(" + modifier + ") ");
      case INTERVAL -> name + fields(modifier) + seconds(modifier);
      default -> named(name, modifier);
    };
  }

  private static String fields(int modifier) {
    if (!TypeModifier.namesFields(modifier)) {
      return "";
    }
    IntervalField from = TypeModifier.coarsestField(modifier);
    IntervalField to = TypeModifier.finestField(modifier);
    return from == to ? " " + word(from) : " " + word(from) + " to " + word(to);
  }

  private static String word(IntervalField field) {
    return field.name().toLowerCase(Locale.ROOT);
  }

  private static String seconds(int modifier) {
    int precision = TypeModifier.intervalPrecision(modifier);
    return precision == TypeModifier.NONE ? "" : "(" + precision + ")";
  }
}
