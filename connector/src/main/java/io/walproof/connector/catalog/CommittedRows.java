package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.SQLException;
import java.util.Optional;

/** Whether rows of a table were written, and committed, since a moment. */
public interface CommittedRows {

  /**
   * Looks for such a row, within a bound: not to find one proves nothing.
   *
   * @param table which table
   * @param xid the first transaction that counts, with its epoch
   * @return the end of the WAL when one was seen, at or behind its commit; empty if none was seen
   */
  Optional<Lsn> since(TableId table, long xid) throws SQLException;
}
