package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import java.util.Objects;

/**
 * One shape in a table's history.
 *
 * @param hash the shape's hash
 * @param lsn the LSN of the first delivered change with it
 * @param stored the JSON object it was read from, whose unknown fields are kept; null if it is new
 */
public record ShapeVersion(ShapeHash hash, Lsn lsn, ObjectNode stored) {

  /** Refuses missing parts. */
  public ShapeVersion {
    Objects.requireNonNull(hash, "hash");
    Objects.requireNonNull(lsn, "lsn");
  }

  /** A new version. */
  public ShapeVersion(ShapeHash hash, Lsn lsn) {
    this(hash, lsn, null);
  }

  ObjectNode toJson() {
    ObjectNode json = HistoryJson.copyOrNew(stored);
    return json.put("h", hash.hex()).put("lsn", lsn.toString());
  }

  static ShapeVersion fromJson(JsonNode json) {
    try {
      return new ShapeVersion(
          new ShapeHash(json.path("h").asText()),
          Lsn.parse(json.path("lsn").asText()),
          (ObjectNode) json);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new HistoryFormatException("a version of the schema history has no h and lsn", e);
    }
  }
}
