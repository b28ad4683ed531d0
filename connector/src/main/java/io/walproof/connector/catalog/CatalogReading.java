package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.Map;

/**
 * What the catalog said at one moment.
 *
 * @param at the end of the WAL then
 * @param nextXid the first transaction that had not begun then, with its epoch
 * @param facts each existing table's facts as JSON, see {@link TableFacts}
 * @param changes rows inserted, updated and deleted in each table since the server's statistics
 *     began, those of transactions that were rolled back included
 */
public record CatalogReading(
    Lsn at, long nextXid, Map<TableId, String> facts, Map<TableId, Long> changes) {

  /** Copies. */
  public CatalogReading {
    facts = Map.copyOf(facts);
    changes = Map.copyOf(changes);
  }
}
