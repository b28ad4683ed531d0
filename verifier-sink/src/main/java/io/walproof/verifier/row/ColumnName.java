package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.List;

/**
 * A column by its table and its own name, exactly as the catalog spells them.
 *
 * @param table the table
 * @param name the column's name
 */
record ColumnName(TableId table, String name) {

  /**
   * Reads {@code schema.table.column} as people write it. A column's name is the part behind the
   * last dot that is not in quotes.
   *
   * @throws IllegalArgumentException if it is something else; without the text
   */
  static ColumnName parse(String text) {
    List<String> parts = SqlIdentifier.split(text, '.');
    if (parts.size() == 3) {
      try {
        return new ColumnName(
            TableId.parse(parts.get(0) + '.' + parts.get(1)), identifier(parts.get(2)));
      } catch (IllegalArgumentException e) {
        throw malformed(e);
      }
    }
    throw malformed(null);
  }

  /**
   * Reads one identifier, as the parts of a table's name are read.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static String identifier(String text) {
    return TableId.parse("x." + text).name();
  }

  /** The name for people: quoted only where SQL needs it. */
  String display() {
    return table.display() + '.' + SqlIdentifier.display(name);
  }

  private static IllegalArgumentException malformed(Exception cause) {
    return new IllegalArgumentException(
        "must name columns as schema.table.column, with commas between and double quotes around"
            + " parts that need them",
        cause);
  }
}
