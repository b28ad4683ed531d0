package io.walproof.verifier.row;

/**
 * One column of one side.
 *
 * @param name the name that it is known by: the source's
 * @param own its name on its side
 * @param shape its base type, a domain's at the bottom, with what it is made of
 * @param declared its type as DDL writes it
 */
record CatalogColumn(String name, String own, ColumnType shape, String declared) {

  /** A column that goes by its own name. */
  CatalogColumn(String name, ColumnType shape, String declared) {
    this(name, name, shape, declared);
  }

  /** The same, known by another name. */
  CatalogColumn knownAs(String other) {
    return new CatalogColumn(other, own, shape, declared);
  }

  /** The base type's name. */
  TypeName type() {
    return shape.name();
  }
}
