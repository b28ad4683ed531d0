package io.walproof.contract.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the fields of one record, strictly: a missing or mistyped one is an error that names it.
 */
final class RecordFields {

  private final String record;
  private final Map<?, ?> fields;

  /**
   * A reader.
   *
   * @param record the record's name, for errors
   * @param fields by name; those that nobody asks for are ignored
   */
  RecordFields(String record, Map<?, ?> fields) {
    if (fields == null) {
      throw new TopicFormatException(record + " has no value");
    }
    this.record = record;
    this.fields = fields;
  }

  /** Refuses every version but the one. */
  void version(int known) {
    long version = int64("v");
    if (version != known) {
      throw new TopicFormatException(
          record
              + " has version "
              + version
              + ", this build reads version "
              + known
              + "; run the same build of both plugins");
    }
  }

  String text(String name) {
    return optionalText(name).orElseThrow(() -> missing(name));
  }

  Optional<String> optionalText(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof String) {
      return Optional.ofNullable((String) value);
    }
    throw mistyped(name, "a string");
  }

  /** Any integral width: converters without schemas choose their own. */
  long int64(String name) {
    return optionalInt64(name).orElseThrow(() -> missing(name));
  }

  Optional<Long> optionalInt64(String name) {
    Object value = fields.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return Optional.of(((Number) value).longValue());
    }
    throw mistyped(name, "a whole number");
  }

  boolean flag(String name) {
    return optionalFlag(name).orElseThrow(() -> missing(name));
  }

  Optional<Boolean> optionalFlag(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof Boolean) {
      return Optional.ofNullable((Boolean) value);
    }
    throw mistyped(name, "a boolean");
  }

  List<RecordFields> records(String name) {
    Object value = fields.get(name);
    if (value == null) {
      throw missing(name);
    }
    if (!(value instanceof List<?> list)) {
      throw mistyped(name, "an array");
    }
    List<RecordFields> records = new ArrayList<>(list.size());
    for (Object each : list) {
      if (!(each instanceof Map<?, ?> map)) {
        throw mistyped(name, "an array of records");
      }
      records.add(new RecordFields(record + "." + name, map));
    }
    return records;
  }

  /** The constant whose lower-case name it is. */
  <E extends Enum<E>> E constant(String name, Class<E> type) {
    String text = text(name);
    for (E constant : type.getEnumConstants()) {
      if (lower(constant).equals(text)) {
        return constant;
      }
    }
    throw mistyped(name, "one of the known words");
  }

  /** Wraps a part's own refusal, whose text may quote a value. */
  TopicFormatException refused(String name, RuntimeException cause) {
    return new TopicFormatException(record + "." + name + " is malformed", cause);
  }

  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private TopicFormatException missing(String name) {
    return new TopicFormatException(record + " has no field '" + name + "'");
  }

  private TopicFormatException mistyped(String name, String expected) {
    return new TopicFormatException(record + "." + name + " is not " + expected);
  }
}
