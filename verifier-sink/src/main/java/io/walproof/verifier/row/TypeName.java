package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;

/**
 * A type by qualified name: OIDs of user types differ between clusters.
 *
 * @param schema the schema's name
 * @param name the type's internal name, such as {@code int8} or {@code _text}
 */
record TypeName(String schema, String name) {

  private static final String SYSTEM = "pg_catalog";

  boolean builtIn() {
    return schema.equals(SYSTEM);
  }

  boolean is(String builtInName) {
    return builtIn() && name.equals(builtInName);
  }

  /** For casts; as a bare name without modifier, so that nothing is padded or cut. */
  String sql() {
    return SqlIdentifier.quoted(schema) + '.' + SqlIdentifier.quoted(name);
  }

  @Override
  public String toString() {
    return builtIn() ? name : SqlIdentifier.display(schema) + '.' + SqlIdentifier.display(name);
  }
}
