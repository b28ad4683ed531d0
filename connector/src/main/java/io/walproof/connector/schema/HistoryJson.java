package io.walproof.connector.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON without surprises: no coercion, no reformatting. */
final class HistoryJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private HistoryJson() {}

  static JsonNode parse(String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
      if (json == null || !json.isObject()) {
        throw new HistoryFormatException("the schema history is not a JSON object");
      }
      return json;
    } catch (JsonProcessingException e) {
      throw new HistoryFormatException(
          "the schema history is not JSON (" + e.getLocation() + ")", e);
    }
  }

  static String text(JsonNode json) {
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }

  static ObjectNode copyOrNew(ObjectNode stored) {
    return stored == null ? JsonNodeFactory.instance.objectNode() : stored.deepCopy();
  }
}
