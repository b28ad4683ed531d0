package io.walproof.connector.relation;

import io.walproof.connector.relation.ChangeNote.Outcome;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Binds each record that Debezium makes to the message it was made of.
 *
 * <p>Debezium's streaming thread first shows a message ({@link #accept}), then, for each record it
 * makes of it, the record's value ({@link #bind}). The consumer's thread later takes the note by
 * the value's identity ({@link #take}). Between the two lies a queue that is no longer than
 * Debezium's own.
 */
public final class Tap {

  private final Predicate<TableId> captured;
  private final ArrayBlockingQueue<PendingNote> bound;

  /** What the consumer's thread took out of the queue, many at a time; its own. */
  private final ArrayDeque<PendingNote> taken = new ArrayDeque<>();

  private final StreamGate gate;
  private final boolean keepsRows;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  /** Replaced when a stream starts; streaming thread only. */
  private PgoutputReader reader;

  /** Whether Debezium made a record of the latest message; streaming thread only. */
  private boolean emitted;

  /** The key schema last seen and its names; streaming thread only. */
  private Schema keySchema;

  private List<String> keyNames = List.of();

  /**
   * A tap.
   *
   * @param captured Debezium's table filter, asked once per RELATION message
   * @param capacity how many records may be on their way from Debezium's streaming thread to the
   *     consumer; must exceed Debezium's queue and one batch
   * @param gate asked before each stream start
   * @param keepsRows whether notes have the rows of changes that are not too long
   */
  public Tap(Predicate<TableId> captured, int capacity, StreamGate gate, boolean keepsRows) {
    this.captured = captured;
    this.bound = new ArrayBlockingQueue<>(capacity);
    this.gate = gate;
    this.keepsRows = keepsRows;
    this.reader = new PgoutputReader(captured);
  }

  /** The reason why the stream had to end, null if there is none. */
  public RuntimeException failure() {
    return failure.get();
  }

  StreamGate gate() {
    return gate;
  }

  /**
   * A new stream begins: Debezium's first, or one after it restarted itself. Records of the stream
   * before will not arrive any more: Debezium dropped its queue.
   */
  void streamStarts() {
    reader = new PgoutputReader(captured);
    emitted = false;
    bound.clear();
  }

  /** Takes the stream's next message. Debezium's streaming thread. */
  void accept(ByteBuffer message, long receiveLsn) {
    try {
      refuseLostChange();
      reader.accept(message, receiveLsn);
      emitted = false;
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Debezium made a record of the latest message. Debezium's streaming thread. */
  void bind(Struct key, Struct value) {
    String operation = value.getString("op");
    if ("r".equals(operation)) {
      return;
    }
    try {
      if (!reader.isChange()) {
        throw new TapException(
            "Debezium made a change record (op " + operation + ") of no change message");
      }
      emitted = true;
      verify(value.getStruct("source"));
      if (!bound.offer(pending(operation, key, value))) {
        throw new TapException(
            "more than "
                + (bound.size() + bound.remainingCapacity())
                + " records are on their way; Debezium's queue is longer than max.queue.size");
      }
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * The note of a record, by identity of its value; notes of records that Debezium dropped are
   * passed over. The consumer's thread.
   *
   * @throws TapException if there is none
   */
  public ChangeNote take(Object value) {
    PendingNote next = next();
    while (next != null) {
      if (next.isOf(value)) {
        return written(next);
      }
      next = next();
    }
    throw failed(
        new TapException(
            "a change record arrived whose message was never seen; the replication stream did not"
                + " pass the tap"));
  }

  /** The next note, null if there is none. The queue's lock is taken once for many. */
  private PendingNote next() {
    if (taken.isEmpty()) {
      bound.drainTo(taken);
    }
    return taken.poll();
  }

  private ChangeNote written(PendingNote note) {
    try {
      return note.note();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  private PendingNote pending(String operation, Struct key, Struct value) {
    if (reader.kind() == 'T') {
      return new PendingNote(value, truncatedRelation(value), reader).without(Outcome.TRUNCATE);
    }
    Relation relation = reader.relation();
    PendingNote note = new PendingNote(value, relation, reader);
    int[] columns = relation.keyColumns(() -> names(key));
    if (columns.length == 0) {
      return note.without(Outcome.NO_USABLE_KEY);
    }
    return note.with(
        reader,
        columns,
        switch (operation) {
          case "d" -> KeyReader.Half.OLD_KEY;
          case "c" -> KeyReader.Half.NEW_KEY;
          default -> KeyReader.Half.WHOLE;
        },
        keepsRows);
  }

  private Relation truncatedRelation(Struct value) {
    Struct source = value.getStruct("source");
    TableId table = new TableId(source.getString("schema"), source.getString("table"));
    for (Relation relation : reader.truncatedRelations()) {
      if (relation.shape().table().equals(table)) {
        return relation;
      }
    }
    throw new TapException("a TRUNCATE record names " + table + ", its message does not");
  }

  /** The catalog's key; Debezium keeps one schema per table, so the last answer mostly holds. */
  @SuppressWarnings("ReferenceEquality")
  private List<String> names(Struct key) {
    if (key == null) {
      return List.of();
    }
    if (key.schema() != keySchema) {
      keySchema = key.schema();
      keyNames = keySchema.fields().stream().map(Field::name).toList();
    }
    return keyNames;
  }

  private void verify(Struct source) {
    long lsn = reader.lsn().value();
    Long sourceLsn = source.getInt64("lsn");
    Long sourceTransaction = source.getInt64("txId");
    if (sourceLsn == null
        || sourceLsn != lsn
        || sourceTransaction == null
        || sourceTransaction != reader.transactionId()) {
      throw new TapException(
          "Debezium's record names LSN "
              + (sourceLsn == null ? "none" : new Lsn(sourceLsn))
              + " and transaction "
              + sourceTransaction
              + ", the message it was made of has "
              + new Lsn(lsn)
              + " and "
              + reader.transactionId());
    }
  }

  /** A change of a captured table that Debezium makes no record of would be lost in silence. */
  private void refuseLostChange() {
    if (reader.isChange() && reader.kind() != 'T' && !emitted) {
      Relation relation = reader.relation();
      if (relation.captured() && relation.width() > 0) {
        throw new TapException(
            "Debezium made no record of a change of "
                + relation.shape().table()
                + " at "
                + reader.lsn()
                + "; it cannot capture a table of this name or shape. Exclude the table with"
                + " table.exclude.list");
      }
    }
  }

  private RuntimeException failed(RuntimeException e) {
    failure.compareAndSet(null, e);
    return e;
  }
}
