package io.walproof.verifier.row;

import java.util.Optional;
import java.util.Set;

/** Types that are compared with each other. */
enum TypeFamily {
  INTEGER("smallint, integer, bigint", "int2", "int4", "int8"),
  NUMERIC("numeric", "numeric"),
  MONEY("money", "money"),
  TEXT("text, varchar, name, citext", "text", "varchar", "name"),
  CHAR("char(n)", "bpchar"),
  JSON("json", "json"),
  JSONB("jsonb", "jsonb"),
  UUID("uuid", "uuid"),
  BITS("bit, varbit", "bit", "varbit"),
  TIMESTAMP("timestamp", "timestamp"),
  TIMESTAMPTZ("timestamptz", "timestamptz"),
  ENUM("an enum");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable.
  private final Set<String> builtIns;

  TypeFamily(String label, String... builtIns) {
    this.label = label;
    this.builtIns = Set.of(builtIns);
  }

  /** For people. */
  String label() {
    return label;
  }

  /** The built-in types, by their internal names. */
  Set<String> builtIns() {
    return builtIns;
  }

  /** citext is an extension's type and may live in any schema. */
  static Optional<TypeFamily> of(ColumnType type) {
    if (type.kind() == ColumnType.Kind.ENUM) {
      return Optional.of(ENUM);
    }
    if (type.kind() != ColumnType.Kind.SCALAR) {
      return Optional.empty();
    }
    if (!type.name().builtIn()) {
      return type.name().name().equals("citext") ? Optional.of(TEXT) : Optional.empty();
    }
    for (TypeFamily family : values()) {
      if (family.builtIns.contains(type.name().name())) {
        return Optional.of(family);
      }
    }
    return Optional.empty();
  }
}
