package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The short form of a table of which only the newest hash is left: a string of hash, LSN, relation
 * OID and replica identity, with single spaces between and {@code -} for what is not known. It
 * stands in a field of its own, which older builds keep without reading it: to them such a table
 * has no baseline yet.
 */
final class CompactForm {

  /** Quotes, hash, the longest LSN, the longest OID, replica identity, and spaces. */
  static final int MOST_BYTES = 2 + 32 + 17 + 10 + 1 + 3;

  private static final String UNKNOWN = "-";

  private CompactForm() {}

  /** The JSON string; empty for a table of which more is left. */
  static Optional<String> of(TableHistory table) {
    if (!table.isHashOnly()) {
      return Optional.empty();
    }
    ShapeVersion newest = table.newest();
    return Optional.of(
        '"'
            + newest.hash().hex()
            + ' '
            + newest.lsn()
            + ' '
            + (table.relationOid().isPresent()
                ? Long.toString(table.relationOid().getAsLong())
                : UNKNOWN)
            + ' '
            + table.replicaIdentity().map(ri -> String.valueOf(ri.code())).orElse(UNKNOWN)
            + '"');
  }

  /**
   * Reads it.
   *
   * @throws HistoryFormatException if it is damaged
   */
  static TableHistory read(JsonNode json) {
    String[] fields = json.asText().split(" ", -1);
    if (!json.isTextual() || fields.length < 4) {
      throw new HistoryFormatException("a short form in the schema history is damaged");
    }
    try {
      return TableHistory.hashOnly(
          new ShapeVersion(new ShapeHash(fields[0]), Lsn.parse(fields[1])),
          fields[2].equals(UNKNOWN)
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseLong(fields[2])),
          TableHistory.identity(fields[3]));
    } catch (IllegalArgumentException e) {
      throw new HistoryFormatException("a short form in the schema history is damaged", e);
    }
  }
}
