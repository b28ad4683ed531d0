package io.walproof.connector.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * How the publication carries one table.
 *
 * @param published whether it does, itself or by way of a partition root or of partitions
 * @param members the OIDs of what makes it do so for the table or a partition root: entries of the
 *     publication for tables and schemas, or the publication itself. They are never used again, so
 *     that others tell of a table that was taken out and added meanwhile. Empty where that is not
 *     known: a reading of an older build, or only partitions are published
 * @param columns the column list, empty for all columns
 * @param rowFilter the row filter
 */
record PublicationFacts(
    boolean published, List<Long> members, List<String> columns, String rowFilter) {

  /** Reads them from a table's facts. */
  static PublicationFacts of(JsonNode json) {
    List<Long> members = new ArrayList<>();
    json.path("members").forEach(member -> members.add(member.asLong()));
    return new PublicationFacts(
        json.path("published").asBoolean(),
        members,
        TableFacts.texts(json.path("published_columns")),
        json.path("row_filter").asText());
  }

  /** Whether the table was out of the publication since, although it was in it and is. */
  static boolean isAnew(List<Long> before, List<Long> after) {
    return !before.isEmpty() && !after.isEmpty() && before.stream().noneMatch(after::contains);
  }
}
