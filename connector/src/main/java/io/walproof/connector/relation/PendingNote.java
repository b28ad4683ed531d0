package io.walproof.connector.relation;

import io.walproof.connector.relation.ChangeNote.Outcome;
import io.walproof.contract.Lsn;
import io.walproof.contract.StreamedRow;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Struct;

/**
 * What is needed to write a record's note. Debezium's streaming thread is the one that bounds
 * throughput, so it only collects this; the note is written on the consumer's thread.
 */
final class PendingNote {

  /** A message's bytes are kept for its note only up to this size; larger ones are read at once. */
  private static final int KEPT_BYTES = 8_192;

  private final Struct value;
  private final Relation relation;
  private final Lsn commit;
  private final Lsn lsn;
  private final long numberAtLsn;
  private final long transactionId;
  private final Instant committedAt;

  /** Set where the outcome is known without the tuples, or the keys were read at once. */
  private Outcome outcome;

  private List<KeyChange> keys = List.of();
  private StreamedRow.Contents contents;

  private byte kind;
  private ByteBuffer tuples;
  private int[] columns;
  private KeyReader.Half half;

  /** For the reader's latest change. */
  PendingNote(Struct value, Relation relation, PgoutputReader reader) {
    this.value = value;
    this.relation = relation;
    this.commit = reader.commit();
    this.lsn = reader.lsn();
    this.numberAtLsn = reader.numberAtLsn();
    this.transactionId = reader.transactionId();
    this.committedAt = reader.committedAt();
  }

  /** No key is named, for this reason. */
  PendingNote without(Outcome reason) {
    this.outcome = reason;
    return this;
  }

  /**
   * The keys are in the reader's latest message, which nobody changes any more.
   *
   * @param keepsRow whether the row is handed on beside its key
   */
  PendingNote with(
      PgoutputReader reader, int[] keyColumns, KeyReader.Half which, boolean keepsRow) {
    this.kind = reader.kind();
    this.tuples = reader.tuples();
    this.columns = keyColumns;
    this.half = which;
    if (tuples.remaining() > KEPT_BYTES) {
      read();
    } else if (keepsRow && kind != 'D') {
      contents = new TupleContents(relation, tuples.duplicate());
    }
    return this;
  }

  /** Whether this is about the record with this value; values are told apart by identity. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(Object recordValue) {
    return value == recordValue;
  }

  /** Writes the note. */
  ChangeNote note() {
    if (outcome == null) {
      read();
    }
    return new ChangeNote(
        relation,
        outcome,
        keys,
        new ChangeOrdinal(commit, lsn, numberAtLsn),
        transactionId,
        committedAt,
        Optional.ofNullable(contents));
  }

  private void read() {
    List<KeyChange> found = KeyReader.read(kind, tuples, relation, columns, half);
    outcome = found == null ? Outcome.KEY_VALUE_UNAVAILABLE : Outcome.KEYS;
    keys = found == null ? List.of() : found;
    tuples = null;
  }
}
