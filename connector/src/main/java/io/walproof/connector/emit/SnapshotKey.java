package io.walproof.connector.emit;

import io.walproof.contract.RowKey;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * The key of a row that a snapshot read. There is no message with its text, so Debezium's values
 * are turned back into text that PostgreSQL reads as the same value. Kinds of values for which that
 * is not certain give no key.
 */
final class SnapshotKey {

  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private SnapshotKey() {}

  /** The key, empty if a value has no certain text form. */
  static Optional<RowKey> of(Struct key) {
    List<RowKey.Column> columns = new ArrayList<>();
    for (Field field : key.schema().fields()) {
      Optional<String> text = text(field.schema(), key.get(field));
      if (text.isEmpty()) {
        return Optional.empty();
      }
      columns.add(new RowKey.Column(field.name(), text.get()));
    }
    return columns.isEmpty() ? Optional.empty() : Optional.of(new RowKey(columns));
  }

  private static Optional<String> text(Schema schema, Object value) {
    if (value == null) {
      return Optional.empty();
    }
    String kind = schema.name() == null ? "" : schema.name();
    return switch (kind) {
      case "", "io.debezium.data.Uuid", "org.apache.kafka.connect.data.Decimal" -> plain(value);
      case "io.debezium.time.MicroTime" -> Optional.of(time(((Number) value).longValue()));
      case "io.debezium.time.MicroTimestamp" -> timestamp(((Number) value).longValue());
      case "io.debezium.time.ZonedTimestamp" -> zoned(value.toString());
      default -> Optional.empty();
    };
  }

  private static Optional<String> plain(Object value) {
    if (value instanceof String
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Boolean) {
      return Optional.of(value.toString());
    }
    if (value instanceof BigDecimal number) {
      return Optional.of(number.toPlainString());
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return Optional.of("\\x" + HexFormat.of().formatHex(bytes));
    }
    return Optional.empty();
  }

  /** PostgreSQL's day ends with a moment that Java's has not. */
  private static String time(long micros) {
    return micros == MICROS_PER_DAY
        ? "24:00:00"
        : LocalTime.ofNanoOfDay(Math.multiplyExact(micros, 1000L)).toString();
  }

  private static Optional<String> timestamp(long micros) {
    LocalDateTime local =
        LocalDateTime.ofInstant(
            Instant.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000L),
            ZoneOffset.UTC);
    return date(local.toLocalDate(), " " + local.toLocalTime());
  }

  private static Optional<String> zoned(String text) {
    boolean alike = text.matches("\\d{4}-.*") && !text.startsWith("0000");
    return alike ? Optional.of(text) : Optional.empty();
  }

  /** Only years that ISO and PostgreSQL write alike; infinity is mapped outside of them. */
  private static Optional<String> date(LocalDate date, String rest) {
    return date.getYear() >= 1 && date.getYear() <= 9999
        ? Optional.of(date + rest)
        : Optional.empty();
  }
}
