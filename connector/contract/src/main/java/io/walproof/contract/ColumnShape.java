package io.walproof.contract;

import java.util.Objects;

/**
 * One column of a RELATION message.
 *
 * @param name the column's name
 * @param typeOid the type's OID, unsigned 32 bits; stable across clusters only below {@link
 *     #FIRST_ASSIGNED_OID}
 * @param typeName the qualified name that a TYPE message gave for this OID, null for built-in types
 * @param typeModifier {@code atttypmod}, -1 where the type has none
 * @param key whether the column belongs to the replica identity
 */
public record ColumnShape(
    String name, long typeOid, String typeName, int typeModifier, boolean key) {

  /**
   * The first OID that is assigned when a cluster is made or later (FirstGenbkiObjectId), and so
   * differs between clusters and majors: {@code information_schema}'s domains are among them. The
   * stream announces the names of such types.
   */
  public static final long FIRST_ASSIGNED_OID = 10_000;

  /** Refuses what no RELATION message holds. */
  public ColumnShape {
    Objects.requireNonNull(name, "name");
    if (typeOid <= 0 || typeOid > 0xFFFFFFFFL) {
      throw new IllegalArgumentException("type OID out of range: " + typeOid);
    }
  }
}
