package io.walproof.connector.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.ReplicaIdentity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the catalog says of one table. Texts are empty and lists are empty where there is nothing.
 *
 * @param oid {@code pg_class.oid}
 * @param columns by name
 * @param key the replica identity's or the primary key's columns, in the index's order
 * @param identity {@code pg_class.relreplident}; empty where that is not known, in a reading of an
 *     older build
 * @param publication how the publication carries it
 * @param partitions the names of a partitioned table's direct partitions
 */
record TableFacts(
    long oid,
    Map<String, ColumnFacts> columns,
    List<String> key,
    String identity,
    PublicationFacts publication,
    List<String> partitions) {

  /** Stands for the facts of a table that was looked for and is not there. */
  static final String GONE = "{\"gone\":true}";

  private static final String FULL = code(ReplicaIdentity.FULL);
  private static final String NOTHING = code(ReplicaIdentity.NOTHING);
  private static final String INDEX = code(ReplicaIdentity.INDEX);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * One column.
   *
   * @param number {@code pg_attribute.attnum}, which is never used again
   * @param type as {@code format_type} writes it
   * @param typeOid of a type that is not built in, else 0
   * @param collation its qualified name
   * @param generated {@code pg_attribute.attgenerated}
   * @param labels an enum's labels, in order
   * @param rules a domain's checks
   */
  record ColumnFacts(
      int number,
      String type,
      long typeOid,
      String collation,
      String generated,
      List<String> labels,
      List<String> rules) {}

  /** Whether a RELATION message flags the key's columns, and no others. */
  boolean streamTellsKey() {
    return !identity.equals(FULL) && !identity.equals(NOTHING);
  }

  /** Whether the key is the primary key's; not where its identity is not known. */
  boolean keyIsPrimary() {
    return !identity.isEmpty() && !identity.equals(INDEX);
  }

  /** Reads what the query gave. */
  static TableFacts parse(String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
      Map<String, ColumnFacts> columns = new LinkedHashMap<>();
      json.path("columns").properties().forEach(e -> columns.put(e.getKey(), column(e.getValue())));
      return new TableFacts(
          json.path("oid").asLong(),
          columns,
          texts(json.path("key")),
          json.path("identity").asText(),
          PublicationFacts.of(json),
          texts(json.path("partitions")));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the facts of a table are not JSON", e);
    }
  }

  private static String code(ReplicaIdentity identity) {
    return String.valueOf(identity.code());
  }

  private static ColumnFacts column(JsonNode json) {
    return new ColumnFacts(
        json.path("number").asInt(),
        json.path("type").asText(),
        json.path("type_oid").asLong(),
        json.path("collation").asText(),
        json.path("generated").asText(),
        texts(json.path("labels")),
        texts(json.path("rules")));
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
