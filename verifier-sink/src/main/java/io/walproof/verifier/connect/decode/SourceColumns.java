package io.walproof.verifier.connect.decode;

import io.walproof.contract.TableId;
import java.util.List;
import java.util.Optional;

/** What the source's catalog says of tables. For one thread. */
interface SourceColumns extends AutoCloseable {

  /**
   * A table.
   *
   * @param columns in the catalog's order
   * @param identityIsIndex whether the replica identity is an index that was chosen: then the key
   *     that Debezium gives a deletion is not to be relied on
   */
  record Table(List<ColumnType> columns, boolean identityIsIndex) {
    /** Copies. */
    public Table {
      columns = List.copyOf(columns);
    }

    Optional<ColumnType> column(String name) {
      return columns.stream().filter(column -> column.column().equals(name)).findFirst();
    }
  }

  /**
   * The table as it is now, or was a moment ago; empty if there is none.
   *
   * @param column a column that the caller expects; an older answer without it is asked for afresh
   * @throws SourceUnavailableException if the source does not answer
   */
  Optional<Table> table(TableId table, String column);

  @Override
  void close();
}
