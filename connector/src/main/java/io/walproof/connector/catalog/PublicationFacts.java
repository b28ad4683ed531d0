package io.walproof.connector.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the publication carries one table.
 *
 * @param published whether it does, itself or by way of a partition root or of partitions
 * @param members the OIDs of what makes it do so for the table or a partition root: entries of the
 *     publication for tables and schemas, or the publication itself. They are never used again, so
 *     that others tell of a table that was taken out and added meanwhile. Empty where that is not
 *     known: a reading of an older build, or only partitions are published
 * @param operations which operations the publication carries, {@code insert, update} and so on;
 *     empty where that is not known
 * @param viaRoot whether the rows of partitions come under the name of their root; empty where that
 *     is not known, and for tables that have nothing to do with partitions
 * @param elsewhere whether some of its rows come under the name of a table that is not looked at
 * @param columns the column list, empty for all columns
 * @param rowFilter the row filter
 */
record PublicationFacts(
    boolean published,
    List<Long> members,
    Optional<String> operations,
    Optional<Boolean> viaRoot,
    boolean elsewhere,
    List<String> columns,
    String rowFilter) {

  /** Reads them from a table's facts. */
  static PublicationFacts of(JsonNode json) {
    List<Long> members = new ArrayList<>();
    json.path("members").forEach(member -> members.add(member.asLong()));
    return new PublicationFacts(
        json.path("published").asBoolean(),
        members,
        Optional.ofNullable(json.path("operations").textValue()),
        json.has("via_root") ? Optional.of(json.path("via_root").asBoolean()) : Optional.empty(),
        json.path("elsewhere").asBoolean(),
        TableFacts.texts(json.path("published_columns")),
        json.path("row_filter").asText());
  }

  /** Whether the table was out of the publication since, although it was in it and is. */
  static boolean isAnew(List<Long> before, List<Long> after) {
    return !before.isEmpty() && !after.isEmpty() && before.stream().noneMatch(after::contains);
  }
}
