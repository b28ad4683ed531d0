package io.walproof.contract;

import java.util.List;
import java.util.Objects;

/**
 * What a pgoutput RELATION message says of a table at one moment.
 *
 * @param table schema and name
 * @param relationOid {@code pg_class.oid}, unsigned 32 bits; changes when a table is re-created
 * @param replicaIdentity what updates and deletes carry of the old row
 * @param columns in the order of the message
 */
public record Shape(
    TableId table, long relationOid, ReplicaIdentity replicaIdentity, List<ColumnShape> columns) {

  /** Copies the list. */
  public Shape {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(replicaIdentity, "replicaIdentity");
    columns = List.copyOf(columns);
  }
}
