package io.walproof.verifier.connect.decode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * What the Debezium connector was told about values, where its records do not say so themselves:
 * all that is known of records without schemas, and how a {@code bytea} became a string.
 *
 * @param binary {@code verify.debezium.binary.handling.mode}
 * @param time {@code verify.debezium.time.precision.mode}
 * @param decimal {@code verify.debezium.decimal.handling.mode}
 */
public record DebeziumModes(
    Optional<Binary> binary, Optional<TimePrecision> time, Optional<Decimal> decimal) {

  /** Nothing is known. */
  public static final DebeziumModes UNKNOWN =
      new DebeziumModes(Optional.empty(), Optional.empty(), Optional.empty());

  /** All are required. */
  public DebeziumModes {
    Objects.requireNonNull(binary, "binary");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(decimal, "decimal");
  }

  /** Debezium's {@code binary.handling.mode}. */
  public enum Binary {
    BYTES,
    BASE64,
    BASE64_URL_SAFE,
    HEX
  }

  /** Debezium's {@code time.precision.mode}. */
  public enum TimePrecision {
    ADAPTIVE,
    ADAPTIVE_TIME_MICROSECONDS,
    ISOSTRING,
    CONNECT,
    MICROSECONDS,
    NANOSECONDS
  }

  /** Debezium's {@code decimal.handling.mode}. */
  public enum Decimal {
    PRECISE,
    DOUBLE,
    STRING
  }

  /** The values as Debezium's configuration spells them. */
  public static <E extends Enum<E>> List<String> choices(Class<E> mode) {
    return Arrays.stream(mode.getEnumConstants()).map(DebeziumModes::text).toList();
  }

  /**
   * The constant of a value.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static <E extends Enum<E>> E parse(Class<E> mode, String text) {
    return Arrays.stream(mode.getEnumConstants())
        .filter(constant -> text(constant).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("must be one of " + String.join(", ", choices(mode))));
  }

  private static String text(Enum<?> mode) {
    String name = mode.name().toLowerCase(Locale.ROOT);
    return mode instanceof Binary ? name.replace('_', '-') : name;
  }
}
