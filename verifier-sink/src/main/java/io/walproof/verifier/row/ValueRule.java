package io.walproof.verifier.row;

import java.util.Arrays;
import java.util.Locale;

/**
 * How one side's value becomes canonical bytes, rules version 1. The input is PostgreSQL's text
 * output in UTF-8 under the pinned settings; the rules work on bytes and know no locale. Two values
 * are equal exactly if their canonical bytes are, or both are NULL. {@link RowEquality} says which
 * types go by which rule.
 */
enum ValueRule {
  /** The text as it is; nothing is trimmed, folded, rounded or normalised. */
  EXACT_TEXT,

  /** The bytes that the text stands for. */
  BYTEA_BYTES,

  /** By value: no trailing zeros after the point, no negative zero. Integers are their own form. */
  NUMERIC_BY_VALUE,

  /** The shortest text that reads back exactly, with -0 as 0; NaN equals NaN. */
  FLOAT_SIGNLESS_ZERO,

  /** Without trailing blanks, which are padding and no part of a char(n) value. */
  CHAR_WITHOUT_PADDING,

  /** Cast to numeric by the server, then as {@link #NUMERIC_BY_VALUE}. */
  MONEY_AS_NUMERIC,

  /** Cast to jsonb by the server: used where one side is json and the other jsonb. */
  JSON_AS_JSONB,

  /** Cast to uuid by the server, so that case, hyphens and braces of a text do not count. */
  TEXT_AS_UUID,

  /** A timestamp without time zone, cast to one with it by the server: it is taken for UTC. */
  TIMESTAMP_IN_UTC,

  /** A function by name and arguments: regproc prints overloaded functions alike. */
  FUNCTION_SIGNATURE,

  /** An operator by name and arguments: regoper prints overloaded operators alike. */
  OPERATOR_SIGNATURE,

  /**
   * Arrays, composites, ranges and multiranges whose parts have rules of their own, which {@link
   * ValueForm} applies. Where it is not applied, equal texts are equal values and different texts
   * say nothing: digests may do that, because what they do not prove equal is compared by rows.
   */
  BY_PARTS;

  /** The version that all rules here belong to; golden vectors pin it. */
  static final int VERSION = 1;

  private static final byte[] ZERO = {'0'};

  /** The rule's name in reports. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The expression that fetches the value; {@code column} is quoted and qualified. */
  String sql(String column) {
    return switch (this) {
      case EXACT_TEXT,
          BYTEA_BYTES,
          NUMERIC_BY_VALUE,
          FLOAT_SIGNLESS_ZERO,
          CHAR_WITHOUT_PADDING,
          BY_PARTS ->
          column;
      case MONEY_AS_NUMERIC -> "CAST(" + column + " AS pg_catalog.numeric)";
      case JSON_AS_JSONB -> "CAST(" + column + " AS pg_catalog.jsonb)";
      case TEXT_AS_UUID -> "CAST(CAST(" + column + " AS pg_catalog.text) AS pg_catalog.uuid)";
      case TIMESTAMP_IN_UTC -> "CAST(" + column + " AS pg_catalog.timestamptz)";
      case FUNCTION_SIGNATURE -> "CAST(" + column + " AS pg_catalog.regprocedure)";
      case OPERATOR_SIGNATURE -> "CAST(" + column + " AS pg_catalog.regoperator)";
    };
  }

  /**
   * The expression whose text is canonical; {@code column} is quoted and qualified. For digests
   * that the server makes.
   */
  String canonicalSql(String column) {
    return switch (this) {
      case EXACT_TEXT, BYTEA_BYTES, BY_PARTS -> column;
      case NUMERIC_BY_VALUE, MONEY_AS_NUMERIC ->
          "pg_catalog.trim_scale(CAST(" + column + " AS pg_catalog.numeric))";
      // Adding zero takes the sign off zero, and changes nothing else.
      case FLOAT_SIGNLESS_ZERO -> "(" + column + " OPERATOR(pg_catalog.+) 0::pg_catalog.float4)";
      // The cast drops the padding.
      case CHAR_WITHOUT_PADDING -> "pg_catalog.rtrim(CAST(" + column + " AS pg_catalog.text), ' ')";
      case JSON_AS_JSONB, TEXT_AS_UUID, TIMESTAMP_IN_UTC, FUNCTION_SIGNATURE, OPERATOR_SIGNATURE ->
          sql(column);
    };
  }

  /** The canonical bytes; may be the array that was given. */
  byte[] canonical(byte[] text) {
    return switch (this) {
      case EXACT_TEXT,
          BYTEA_BYTES,
          JSON_AS_JSONB,
          TEXT_AS_UUID,
          TIMESTAMP_IN_UTC,
          FUNCTION_SIGNATURE,
          OPERATOR_SIGNATURE,
          BY_PARTS ->
          text;
      case NUMERIC_BY_VALUE, MONEY_AS_NUMERIC -> numeric(text);
      case FLOAT_SIGNLESS_ZERO ->
          text.length == 2 && text[0] == '-' && text[1] == '0' ? ZERO : text;
      case CHAR_WITHOUT_PADDING -> withoutTrailing(text, text.length, (byte) ' ');
    };
  }

  private static byte[] numeric(byte[] text) {
    byte[] shortest = text;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '.') {
        byte[] digits = withoutTrailing(text, text.length, (byte) '0');
        shortest = digits.length == i + 1 ? Arrays.copyOf(text, i) : digits;
        break;
      }
    }
    return shortest.length == 2 && shortest[0] == '-' && shortest[1] == '0' ? ZERO : shortest;
  }

  private static byte[] withoutTrailing(byte[] text, int length, byte unwanted) {
    int end = length;
    while (end > 0 && text[end - 1] == unwanted) {
      end--;
    }
    return end == text.length ? text : Arrays.copyOf(text, end);
  }
}
