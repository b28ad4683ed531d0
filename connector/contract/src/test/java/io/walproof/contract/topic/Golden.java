package io.walproof.contract.topic;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Golden vectors: what version 1 looks like, for good. */
record Golden(String about, Map<String, Object> key, Map<String, Object> value) {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  static List<Golden> read(String file) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + file)) {
      return MAPPER.readValue(in, new TypeReference<List<Golden>>() {});
    }
  }

  /** The same through JSON, so that widths of numbers do not count. */
  static Object normal(Map<String, Object> record) throws IOException {
    return MAPPER.readTree(MAPPER.writeValueAsBytes(record));
  }

  /** The value with one field replaced, or removed where the replacement is null. */
  Map<String, Object> with(String field, Object replacement) {
    Map<String, Object> changed = new HashMap<>(value);
    if (replacement == null) {
      changed.remove(field);
    } else {
      changed.put(field, replacement);
    }
    return changed;
  }

  @Override
  public String toString() {
    return about;
  }
}
