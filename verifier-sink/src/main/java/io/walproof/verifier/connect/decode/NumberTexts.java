package io.walproof.verifier.connect.decode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/** Numbers that are not whole. */
final class NumberTexts {

  private static final int FLOAT4_DIGITS = 6;
  private static final int FLOAT8_DIGITS = 15;

  private final DebeziumModes modes;

  NumberTexts(DebeziumModes modes) {
    this.modes = modes;
  }

  KeyText floating(ColumnType type, Schema schema, Object value) {
    if (value instanceof String text) {
      // JSON has no such numbers.
      return switch (text) {
        case "NaN", "Infinity", "-Infinity" -> KeyText.known(text);
        default -> KeyTexts.mismatch(type, value);
      };
    }
    if (!(value instanceof Number number)) {
      return KeyTexts.mismatch(type, value);
    }
    if (schema != null && Double.compare(number.doubleValue(), 0.0) == 0) {
      return KeyTexts.unsupported(
          type, "the JSON converter, with schemas, makes zero of NaN and Infinity");
    }
    boolean narrow = type.name().equals("float4");
    String shortest =
        narrow ? Float.toString(number.floatValue()) : Double.toString(number.doubleValue());
    return KeyText.known(asPostgres(shortest, narrow ? FLOAT4_DIGITS : FLOAT8_DIGITS));
  }

  /** PostgreSQL writes an exponent for what is very small or has more digits than are exact. */
  private static String asPostgres(String java, int digits) {
    if (java.equals("NaN") || java.endsWith("Infinity")) {
      return java;
    }
    BigDecimal number = new BigDecimal(java);
    String sign = java.startsWith("-") ? "-" : "";
    if (number.signum() == 0) {
      return sign + "0";
    }
    BigDecimal bare = number.abs().stripTrailingZeros();
    int exponent = bare.precision() - bare.scale() - 1;
    if (exponent >= -4 && exponent < digits) {
      return sign + bare.toPlainString();
    }
    String mantissa = bare.unscaledValue().toString();
    String fraction = mantissa.length() > 1 ? "." + mantissa.substring(1) : "";
    String power = Integer.toString(Math.abs(exponent));
    return sign
        + mantissa.charAt(0)
        + fraction
        + (exponent < 0 ? "e-" : "e+")
        + (power.length() < 2 ? "0" + power : power);
  }

  KeyText decimal(ColumnType type, Schema schema, Object value) {
    if (value instanceof BigDecimal number) {
      return KeyText.known(number.toPlainString());
    }
    if (value instanceof Double || value instanceof Float) {
      return KeyText.unknown(
          "key column "
              + type.column()
              + " is numeric and was sent as a floating-point number, which loses digits: set the"
              + " Debezium connector's decimal.handling.mode to precise (with schemas) or string");
    }
    if (value instanceof String text) {
      return string(type, schema, text);
    }
    Optional<RecordView> variable = RecordView.of(value);
    if (variable.isPresent() && variable.get().hasAll("scale", "value")) {
      return variable(type, variable.get());
    }
    return KeyText.unknown(
        "key column "
            + type.column()
            + " is numeric and was sent as "
            + value.getClass().getSimpleName()
            + ", whose digits are not certain: keep the schemas, or set the Debezium connector's"
            + " decimal.handling.mode to string");
  }

  private KeyText string(ColumnType type, Schema schema, String text) {
    // Without a schema a string may also be the base64 form of an unscaled number.
    if (schema == null && modes.decimal().filter(DebeziumModes.Decimal.STRING::equals).isEmpty()) {
      return modes.decimal().isEmpty()
          ? KeyTexts.modeMissing(type, "decimal.handling.mode")
          : KeyText.unknown(
              "key column "
                  + type.column()
                  + " is numeric and was sent without its schema, which holds its scale: keep the"
                  + " schemas, or set the Debezium connector's decimal.handling.mode to string");
    }
    return switch (text) {
      case "NAN", "NaN" -> KeyText.known("NaN");
      case "POSITIVE_INFINITY" -> KeyText.known("Infinity");
      case "NEGATIVE_INFINITY" -> KeyText.known("-Infinity");
      default -> KeyText.known(new BigDecimal(text).toPlainString());
    };
  }

  private static KeyText variable(ColumnType type, RecordView variable) {
    Optional<byte[]> unscaled = BinaryTexts.raw(variable.get("value"));
    if (unscaled.isEmpty() && variable.get("value") instanceof String base64) {
      unscaled = Optional.of(Base64.getDecoder().decode(base64));
    }
    Optional<Long> scale = variable.number("scale");
    if (unscaled.isEmpty() || scale.isEmpty()) {
      return KeyTexts.mismatch(type, variable);
    }
    return KeyText.known(
        new BigDecimal(new BigInteger(unscaled.get()), Math.toIntExact(scale.get()))
            .toPlainString());
  }
}
