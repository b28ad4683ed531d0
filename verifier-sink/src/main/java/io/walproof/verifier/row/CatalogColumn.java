package io.walproof.verifier.row;

/**
 * One column of one side.
 *
 * @param name its name
 * @param shape its base type, a domain's at the bottom, with what it is made of
 * @param declared its type as DDL writes it
 */
record CatalogColumn(String name, ColumnType shape, String declared) {

  /** The base type's name. */
  TypeName type() {
    return shape.name();
  }
}
