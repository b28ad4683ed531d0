package io.walproof.verifier.row;

/**
 * One column of one side.
 *
 * @param name its name
 * @param type its base type: a domain's at the bottom
 * @param typeKind {@code pg_type.typtype} of the base type: b, c, e, r, m
 * @param declared its type as DDL writes it
 */
record CatalogColumn(String name, TypeName type, char typeKind, String declared) {}
