package io.walproof.contract;

import java.time.Instant;
import java.util.Objects;

/**
 * One delivered change of one key. An update that changes the key yields two: a DELETE of the old
 * key and an INSERT of the new one.
 *
 * @param table the table
 * @param key the key
 * @param operation what happened to the key
 * @param lsn the change's own LSN; shared by rows of one COPY
 * @param transactionId the 32-bit transaction id, 0 for snapshot reads
 * @param committedAt the source's commit time
 * @param shape the shape the change was decoded with; null for snapshot reads, and for changes from
 *     a connector that does not tell it
 */
public record ChangedKey(
    TableId table,
    RowKey key,
    Operation operation,
    Lsn lsn,
    long transactionId,
    Instant committedAt,
    ShapeHash shape) {

  /** All but the shape are required. */
  public ChangedKey {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(lsn, "lsn");
    Objects.requireNonNull(committedAt, "committedAt");
  }
}
