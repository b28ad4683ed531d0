package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One key's rows as they are now, with what a statement that makes the target's row like the
 * source's consists of. Holds row values, as SQL literals.
 *
 * @param key the key
 * @param source the source's row
 * @param target the target's row
 * @param table the target's name of the table
 * @param relation what a statement on the target names so that it means this table's own rows
 * @param condition finds the row in it with alias {@code t}; empty if its key columns cannot hold
 *     the key
 * @param unchanged holds as long as the target's row, alias {@code t}, is the one that was read;
 *     empty if there is none
 * @param differing what to assign to the columns that differ, by quoted name there
 * @param fixed columns that differ and take no value in an update, with the reason
 * @param all what to assign to all columns that both sides have, the pipeline carries, nobody has
 *     excluded, and the target takes values for
 */
public record RepairRow(
    RowKey key,
    KeyRead source,
    KeyRead target,
    TableId table,
    String relation,
    Optional<String> condition,
    Optional<String> unchanged,
    Map<String, String> differing,
    List<String> fixed,
    Map<String, String> all) {

  /** The key's columns only: values are data and stay out of logs. */
  @Override
  public String toString() {
    return "RepairRow[" + key + "]";
  }
}
