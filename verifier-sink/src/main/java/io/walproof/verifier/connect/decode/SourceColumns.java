package io.walproof.verifier.connect.decode;

import io.walproof.contract.TableId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the source's catalog says of tables. For one thread. */
interface SourceColumns extends AutoCloseable {

  /**
   * A table.
   *
   * @param columns by name
   * @param identityIsIndex whether the replica identity is an index that was chosen: then the key
   *     that Debezium gives a deletion is not to be relied on
   */
  record Table(Map<String, ColumnType> columns, boolean identityIsIndex) {
    /** Copies. */
    public Table {
      columns = Map.copyOf(columns);
    }

    static Table of(Collection<ColumnType> columns, boolean identityIsIndex) {
      return new Table(
          columns.stream().collect(Collectors.toMap(ColumnType::column, Function.identity())),
          identityIsIndex);
    }
  }

  /**
   * The table as it is now, or was a moment ago; empty if there is none.
   *
   * @param names columns that the caller expects; an older answer without one is asked for afresh
   * @throws SourceUnavailableException if the source does not answer
   */
  Optional<Table> table(TableId table, Set<String> names);

  @Override
  void close();
}
