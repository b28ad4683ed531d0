package io.walproof.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionFile;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.connector.schema.HistoryFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A position that was found somewhere.
 *
 * @param partition the source partition as JSON, empty where there is but one
 * @param position the position
 */
record StoredPosition(String partition, Position position) {

  /** A partition with this field holds no positions but, by its value, readings of the catalog. */
  private static final String OTHER = "walproof";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

  /**
   * Reads a position file, what Connect's REST interface gives as a connector's offsets, or one
   * offset as JSON.
   *
   * @param name where the text is from, for messages
   * @throws PositionStoreException if it is none of them
   */
  static List<StoredPosition> read(String name, String text) {
    if (!text.stripLeading().startsWith("{")) {
      return List.of(new StoredPosition("", PositionFile.parse(name, text)));
    }
    try {
      JsonNode json = MAPPER.readTree(text);
      if (!json.has("offsets")) {
        return List.of(new StoredPosition("", position(json)));
      }
      List<StoredPosition> positions = new ArrayList<>();
      for (JsonNode each : json.path("offsets")) {
        if (!each.path("partition").has(OTHER)) {
          positions.add(
              new StoredPosition(each.path("partition").toString(), position(each.path("offset"))));
        }
      }
      if (positions.isEmpty()) {
        throw new PositionStoreException(name + " holds no offsets yet");
      }
      return positions;
    } catch (JsonProcessingException | HistoryFormatException e) {
      throw new PositionStoreException(
          name
              + " is neither a position file nor a connector's offsets as JSON: "
              + (e instanceof HistoryFormatException ? e.getMessage() : "it is not JSON"),
          e);
    }
  }

  private static Position position(JsonNode offset) {
    if (!offset.isObject()) {
      throw new HistoryFormatException("an entry has no offset");
    }
    return Position.of(MAPPER.convertValue(offset, new TypeReference<Map<String, Object>>() {}));
  }
}
