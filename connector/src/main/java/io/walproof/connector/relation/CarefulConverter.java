package io.walproof.connector.relation;

import io.debezium.data.SpecialValueDecimal;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Types;
import java.time.LocalDate;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.postgresql.core.Oid;

/**
 * Takes the place of Debezium's conversions that end the stream or change the value. Nothing but a
 * snapshot's keys is made of converted values, so what has no certain text is left unread:
 *
 * <ul>
 *   <li>arrays, whose conversion fails for good where an element is NaN or infinite;
 *   <li>numerics, whose conversion fails in a key that is NaN or infinite;
 *   <li>dates, which a snapshot reads without their era and by the Julian calendar.
 * </ul>
 *
 * <p>Timestamps with time zone are here for their cost: the stream's are the dearest of all
 * conversions, and nobody reads them. A snapshot brings PostgreSQL's own text instead.
 *
 * <p>Debezium instantiates it by class name.
 */
public final class CarefulConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {

  /** From here on, ten days after the change of calendars, Java's old dates are PostgreSQL's. */
  private static final Date CERTAIN = Date.valueOf(LocalDate.of(1582, 10, 26));

  private static final int LAST_YEAR = 9999;

  /**
   * As PostgreSQL writes it in ISO style, with the offset; eras and infinities have no such text.
   */
  private static final Pattern ISO_WITH_OFFSET =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?[+-]\\d\\d(:\\d\\d){0,2}");

  /** For Debezium, which instantiates by class name. */
  public CarefulConverter() {}

  @Override
  public void configure(Properties properties) {}

  @Override
  public void converterFor(
      RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
    if (column.jdbcType() == Types.ARRAY) {
      registration.register(SchemaBuilder.string().optional(), value -> null);
    } else if (column.jdbcType() == Types.DATE) {
      registration.register(SchemaBuilder.string().optional(), CarefulConverter::date);
    } else if (column.nativeType() == Oid.TIMESTAMPTZ) {
      registration.register(SchemaBuilder.string().optional(), CarefulConverter::timestamp);
    } else if (column.jdbcType() == Types.NUMERIC) {
      registration.register(SchemaBuilder.string().optional(), CarefulConverter::numeric);
    }
  }

  /** Null for the stream's dates, which are of another class and not used. */
  private static String date(Object value) {
    if (value instanceof Date date && !date.before(CERTAIN)) {
      LocalDate local = date.toLocalDate();
      return local.getYear() <= LAST_YEAR ? local.toString() : null;
    }
    return null;
  }

  /** Null for the stream's timestamps, which are of another class and not used. */
  private static String timestamp(Object value) {
    return value instanceof String text && ISO_WITH_OFFSET.matcher(text).matches() ? text : null;
  }

  private static String numeric(Object value) {
    return value instanceof SpecialValueDecimal number
        ? number.getDecimalValue().map(BigDecimal::toPlainString).orElse(null)
        : null;
  }
}
