package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the server for rows by the transaction that wrote them. A small table is read as a whole, of
 * a large one a sample of about {@link #PAGES} pages, another one each time.
 */
public final class CommittedRowsQuery implements CommittedRows {

  private static final int PAGES = 1000;

  /** Insufficient privilege, no such table (any more), and no longer a table. */
  private static final Set<String> CANNOT_BE_READ = Set.of("42501", "42P01", "42809");

  private final Connection connection;

  /** Questions over a connection with search_path {@code pg_catalog}. */
  public CommittedRowsQuery(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Optional<Lsn> since(TableId table, long xid) throws SQLException {
    // Ages compare transactions across the wrap of their 32 bits.
    String sql =
        "SELECT ("
            + WalEnd.SQL
            + ")::text WHERE EXISTS (SELECT FROM "
            + table.sql()
            + " AS t TABLESAMPLE SYSTEM (LEAST(100, 100.0 * "
            + PAGES
            + " / GREATEST(1, (SELECT pg_catalog.sum(pg_catalog.pg_relation_size(relid)) / 8192"
            + " FROM pg_catalog.pg_partition_tree(CAST(? AS pg_catalog.regclass))),"
            + " pg_catalog.pg_relation_size(CAST(? AS pg_catalog.regclass)) / 8192)))"
            + " WHERE pg_catalog.age(t.xmin) <= pg_catalog.age(CAST(CAST(? AS pg_catalog.text)"
            + " AS pg_catalog.xid)))";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table.sql());
      statement.setString(2, table.sql());
      statement.setString(3, Long.toString(xid & 0xFFFFFFFFL));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Lsn.parse(row.getString(1))) : Optional.empty();
      }
    } catch (SQLException e) {
      if (e.getSQLState() != null && CANNOT_BE_READ.contains(e.getSQLState())) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
