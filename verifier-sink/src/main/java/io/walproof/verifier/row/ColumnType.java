package io.walproof.verifier.row;

import java.util.List;

/**
 * A type with what it is made of, domains resolved at every depth: enough to say whether two values
 * are printed by the same rules. User types match by what they are made of, not by OID.
 *
 * @param name its name
 * @param kind how its values are printed
 * @param parts an array's element, a range's subtype, a multirange's range, a composite's
 *     attributes in order; none for others
 */
record ColumnType(TypeName name, Kind kind, List<Part> parts) {

  ColumnType {
    parts = List.copyOf(parts);
  }

  /** How a type's values are printed. */
  enum Kind {
    SCALAR,
    ENUM,
    ARRAY,
    COMPOSITE,
    RANGE,
    MULTIRANGE
  }

  /**
   * A part.
   *
   * @param name an attribute's name; empty for others
   * @param type its type
   */
  record Part(String name, ColumnType type) {}

  static ColumnType scalar(TypeName name) {
    return new ColumnType(name, Kind.SCALAR, List.of());
  }

  /** The only part of an array, a range or a multirange. */
  ColumnType part() {
    return parts.get(0).type();
  }

  /** Whether a type of this kind is in it, at any depth. */
  boolean holds(Kind wanted) {
    return kind == wanted || parts.stream().anyMatch(part -> part.type().holds(wanted));
  }

  /** Whether names of objects are in it, at any depth: they change without the row. */
  boolean namesObjects() {
    return name.namesObjects() || parts.stream().anyMatch(part -> part.type().namesObjects());
  }

  /** Whether this built-in type is it, or in it, at any depth. */
  boolean holds(String builtIn) {
    return name.is(builtIn) || parts.stream().anyMatch(part -> part.type().holds(builtIn));
  }
}
