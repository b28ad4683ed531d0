package io.walproof.connector.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** Puts the plain form of a record into Connect's data. For records that are rare. */
final class MapData {

  private MapData() {}

  /** The struct that holds the map's values; both have the same fields. */
  static Struct struct(Schema schema, Map<String, ?> map) {
    Struct struct = new Struct(schema);
    for (Field field : schema.fields()) {
      struct.put(field, value(field.schema(), map.get(field.name())));
    }
    return struct;
  }

  private static Object value(Schema schema, Object value) {
    if (value instanceof List<?> list) {
      List<Object> values = new ArrayList<>(list.size());
      list.forEach(each -> values.add(value(schema.valueSchema(), each)));
      return values;
    }
    if (value instanceof Map<?, ?> map) {
      Struct struct = new Struct(schema);
      for (Field field : schema.fields()) {
        struct.put(field, value(field.schema(), map.get(field.name())));
      }
      return struct;
    }
    return value;
  }
}
