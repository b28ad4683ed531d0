package io.walproof.connector.relation;

import io.walproof.contract.Lsn;
import io.walproof.contract.StreamedRow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the tap knows of one record that Debezium made: the shape its change was decoded with and
 * the keys it names.
 *
 * @param relation the shape in force
 * @param outcome whether the keys are known
 * @param keys one key, or two if the update changed the key and Debezium made one record of it;
 *     empty unless the outcome is {@link Outcome#KEYS}
 * @param ordinal the change's place in the stream
 * @param transactionId the 32-bit transaction id
 * @param committedAt the transaction's commit time on the source
 * @param contents the row after the change; empty for a delete, and where rows are not handed on
 */
public record ChangeNote(
    Relation relation,
    Outcome outcome,
    List<KeyChange> keys,
    ChangeOrdinal ordinal,
    long transactionId,
    Instant committedAt,
    Optional<StreamedRow.Contents> contents) {

  /** What is known of the keys. */
  public enum Outcome {
    KEYS,
    /** The table has neither a replica identity nor a key in the catalog. */
    NO_USABLE_KEY,
    /** A key value is NULL, or out of line and not sent. */
    KEY_VALUE_UNAVAILABLE,
    /** The table was emptied; no single key is named. */
    TRUNCATE
  }

  /** Refuses missing parts. */
  public ChangeNote {
    Objects.requireNonNull(relation, "relation");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(ordinal, "ordinal");
    Objects.requireNonNull(committedAt, "committedAt");
    Objects.requireNonNull(contents, "contents");
    if ((outcome == Outcome.KEYS) == keys.isEmpty()) {
      throw new IllegalArgumentException("a note has keys exactly when they are known");
    }
  }

  /** The change's own LSN. */
  public Lsn lsn() {
    return ordinal.lsn();
  }
}
