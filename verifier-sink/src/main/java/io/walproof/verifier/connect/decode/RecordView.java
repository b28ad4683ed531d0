package io.walproof.verifier.connect.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** One look at a record's fields, whether its converter kept the schema or not. */
final class RecordView {

  private final Struct struct;
  private final Map<?, ?> map;

  private RecordView(Struct struct, Map<?, ?> map) {
    this.struct = struct;
    this.map = map;
  }

  /** Empty if the value has no fields. */
  static Optional<RecordView> of(Object value) {
    if (value instanceof Struct struct) {
      return Optional.of(new RecordView(struct, Map.of()));
    }
    return value instanceof Map<?, ?> map
        ? Optional.of(new RecordView(null, map))
        : Optional.empty();
  }

  /** The schema's name, empty without a schema. */
  String schemaName() {
    return struct == null || struct.schema().name() == null ? "" : struct.schema().name();
  }

  boolean hasSchema() {
    return struct != null;
  }

  boolean has(String name) {
    return struct == null ? map.containsKey(name) : struct.schema().field(name) != null;
  }

  boolean hasAll(String... names) {
    for (String name : names) {
      if (!has(name)) {
        return false;
      }
    }
    return true;
  }

  /** The field's value, null if it is not there. */
  Object get(String name) {
    return struct == null ? map.get(name) : has(name) ? struct.get(name) : null;
  }

  /** The field's schema, null without a schema. */
  Schema schemaOf(String name) {
    return has(name) && struct != null ? struct.schema().field(name).schema() : null;
  }

  Optional<String> text(String name) {
    return get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  Optional<Long> number(String name) {
    Object value = get(name);
    boolean whole = value instanceof Long || value instanceof Integer || value instanceof Short;
    return whole ? Optional.of(((Number) value).longValue()) : Optional.empty();
  }

  Optional<RecordView> nested(String name) {
    return of(get(name));
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>();
    if (struct == null) {
      map.keySet().forEach(name -> names.add(String.valueOf(name)));
    } else {
      struct.schema().fields().forEach(field -> names.add(field.name()));
    }
    return names;
  }

  /** Everything in it as plain maps and lists. */
  Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    if (struct == null) {
      map.forEach((name, value) -> plain.put(String.valueOf(name), value));
    } else {
      for (Field field : struct.schema().fields()) {
        plain.put(field.name(), plain(struct.get(field)));
      }
    }
    return plain;
  }

  private static Object plain(Object value) {
    if (value instanceof Struct nested) {
      return new RecordView(nested, Map.of()).plain();
    }
    if (value instanceof List<?> list) {
      List<Object> plain = new ArrayList<>(list.size());
      list.forEach(each -> plain.add(plain(each)));
      return plain;
    }
    return value;
  }
}
