package io.walproof.standalone;

import io.walproof.contract.Time;
import java.time.DateTimeException;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time in UTC, or a duration before now. */
final class MomentConverter implements ITypeConverter<Instant> {

  @Override
  public Instant convert(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      try {
        return Time.system().now().minus(new DurationConverter().convert(text));
      } catch (TypeConversionException wrong) {
        throw new TypeConversionException(
            "expected a time such as 2026-01-31T12:00:00Z, or a duration such as 30m or 2h");
      }
    }
  }
}
