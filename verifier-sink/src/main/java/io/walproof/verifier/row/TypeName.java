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

  /**
   * The value that a text expression stands for, read as the type's own input reads it. The cast
   * from text to regclass reads names only, and neither numbers nor {@code -}.
   */
  String of(String textExpression) {
    return is("regclass")
        ? "pg_catalog.regclassin(pg_catalog.textout(" + textExpression + "))"
        : "CAST(" + textExpression + " AS " + sql() + ')';
  }

  /** Whether its texts are names of objects, which another server may not have. */
  boolean namesObjects() {
    return builtIn() && name.startsWith("reg");
  }

  @Override
  public String toString() {
    return builtIn() ? name : SqlIdentifier.display(schema) + '.' + SqlIdentifier.display(name);
  }
}
