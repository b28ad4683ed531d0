package io.walproof.verifier.row;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A unique index of one side.
 *
 * @param name its name
 * @param primary whether it is the primary key's
 * @param parts its key columns in order, without INCLUDE columns; expressions are left out
 * @param unusable why it cannot serve as a key (section 11), if so
 */
record UniqueIndex(String name, boolean primary, List<Part> parts, Optional<String> unusable) {

  UniqueIndex {
    parts = List.copyOf(parts);
  }

  /**
   * One key column.
   *
   * @param column its name
   * @param equality the operator that the index means by "equal", for SQL
   * @param sort how the index sorts the column
   */
  record Part(String column, String equality, IndexSort sort) {}

  /**
   * The same with columns known by other names.
   *
   * @param names those names by the columns' own
   */
  UniqueIndex inNames(Map<String, String> names) {
    List<Part> renamed =
        parts.stream()
            .map(
                part ->
                    new Part(
                        names.getOrDefault(part.column(), part.column()),
                        part.equality(),
                        part.sort()))
            .toList();
    return new UniqueIndex(name, primary, renamed, unusable);
  }

  boolean has(String column) {
    return parts.stream().anyMatch(part -> part.column().equals(column));
  }

  boolean covers(Set<String> columns) {
    Set<String> mine = new TreeSet<>();
    parts.forEach(part -> mine.add(part.column()));
    return mine.equals(columns);
  }

  Optional<IndexSort> sortOf(String column) {
    return parts.stream().filter(p -> p.column().equals(column)).map(Part::sort).findFirst();
  }

  Optional<String> equalityOf(String column) {
    return parts.stream().filter(p -> p.column().equals(column)).map(Part::equality).findFirst();
  }
}
