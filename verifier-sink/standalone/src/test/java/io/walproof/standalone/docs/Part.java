package io.walproof.standalone.docs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Objects inside records, told apart by their fields. */
enum Part {
  TABLE("schema name"),
  COLUMN("name text"),
  CHANGE("column what before after narrowing"),
  SNAPSHOT("present hash version"),
  MATCHED("lsn"),
  COVERAGE("observed checked coalesced skipped pending outcomes"),
  TALLY("table coverage verdicts_after not_compared excluded not_published"),
  DATABASE("system_identifier database"),
  /** Its fields' names are data. */
  MAP("");

  private static final Set<String> MAPS =
      Set.of(
          "key",
          "from",
          "to",
          "covered_to",
          "target_only_keys",
          "scope",
          "keys",
          "skipped",
          "outcomes");

  private final String fields;

  Part(String fields) {
    this.fields = fields;
  }

  /** The part that a field's value is. */
  static Part of(String field, JsonNode object) {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    for (Part part : values()) {
      if (new HashSet<>(part.fields()).equals(names)) {
        return part;
      }
    }
    if (MAPS.contains(field)) {
      return MAP;
    }
    throw new IllegalStateException("an object of unknown form in " + field + ": " + names);
  }

  List<String> fields() {
    return List.of(fields.split(" ", -1));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
