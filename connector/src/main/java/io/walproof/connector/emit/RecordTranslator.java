package io.walproof.connector.emit;

import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.DriftDecision;
import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.relation.ChangeNote;
import io.walproof.connector.relation.KeyChange;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.relation.Tap;
import io.walproof.connector.relation.TapException;
import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.HistoryFullException;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Turns Debezium's records into deliveries: binds each change to its note, decides drift, and
 * completes the position. Belongs to the engine thread that takes records.
 */
public final class RecordTranslator {

  private static final String LSN = "lsn";
  private static final String LSN_COMMIT = "lsn_commit";
  private static final String SNAPSHOT = "snapshot";

  private final Tap tap;
  private final ShapeLedger ledger;
  private final WalOrigin origin;
  private final boolean keepRecords;
  private final boolean keepRows;

  /** Everything before it was delivered. Never moves back, also when Debezium restarts itself. */
  private Lsn resume;

  /** Where the last change's record would go, and whether it was diverted, for its tombstone. */
  private String lastTopic = "";

  private Optional<Diversion> lastDiverted = Optional.empty();

  /** The delivery that ends the capture, null while it may go on. */
  private Delivery halt;

  /** Why no change can be decided any more, null while they can. */
  private HistoryFullException full;

  /**
   * A translator.
   *
   * @param tap where the notes are
   * @param start the position that the engine starts from
   * @param limits of the history
   * @param policy what is done about drift
   * @param accepted what {@code drift.accept} says; the start position has it applied already
   * @param keepRecords whether deliveries hold the records that they were made of
   * @param keepRows whether deliveries hold the rows behind their keys
   */
  public RecordTranslator(
      Tap tap,
      Position start,
      HistoryLimits limits,
      DriftPolicy policy,
      AcceptedShapes accepted,
      boolean keepRecords,
      boolean keepRows) {
    this.tap = tap;
    this.ledger =
        new ShapeLedger(
            start.history(), start.decided(), limits, new DriftDetector(policy), accepted);
    this.origin = start.origin();
    this.resume = start.resume();
    this.keepRecords = keepRecords;
    this.keepRows = keepRows;
  }

  /**
   * What a batch of records amounts to, in order. Where the policy says halt, the last delivery
   * names no key: it carries the drift events and the position behind which a restart goes on, with
   * the deciding change. Nothing comes after it, of any table, in this batch or a later one. Nor
   * does anything from a change on that the history has no room for.
   */
  public List<Delivery> translate(List<SourceRecord> records) {
    List<Delivery> deliveries = new ArrayList<>(records.size() + 4);
    for (SourceRecord record : records) {
      if (halt != null || full != null) {
        break;
      }
      try {
        translate(record, deliveries);
      } catch (HistoryFullException e) {
        // What came before is told: of the tables diverted there, shapes can then be accepted.
        full = e;
        break;
      }
      // The change that a halt holds back is handed on by the next start.
      if (keepRecords && halt == null) {
        int last = deliveries.size() - 1;
        deliveries.set(last, deliveries.get(last).with(record));
      }
    }
    return deliveries;
  }

  /** The delivery that ends the capture, empty while it may go on. */
  public Optional<Delivery> halt() {
    return Optional.ofNullable(halt);
  }

  /** Why the capture ends behind what was translated, empty while it may go on. */
  public Optional<HistoryFullException> full() {
    return Optional.ofNullable(full);
  }

  private void translate(SourceRecord record, List<Delivery> into) {
    advance(record.sourceOffset());
    switch (RecordKind.of(record)) {
      case CHANGE -> change(record, into);
      case SNAPSHOT_READ -> into.add(snapshotRead(record));
      case MESSAGE -> into.add(skip(record, Skip.Reason.MESSAGE));
      case HEARTBEAT -> into.add(skip(record, Skip.Reason.HEARTBEAT));
      case TRANSACTION_METADATA -> into.add(skip(record, Skip.Reason.TRANSACTION_METADATA));
      case OTHER -> into.add(skip(record, Skip.Reason.OTHER).with(divertedTombstone(record)));
    }
  }

  /** A tombstone names no table; it follows the record of its delete. */
  private Optional<Diversion> divertedTombstone(SourceRecord record) {
    return record.value() == null && lastTopic.equals(record.topic())
        ? lastDiverted
        : Optional.empty();
  }

  private void change(SourceRecord record, List<Delivery> into) {
    ChangeNote note = tap.take(record.value());
    Relation relation = note.relation();
    boolean repeated = note.ordinal().compareTo(ledger.decided()) < 0;
    DriftDecision decision = ledger.delivered(relation, note.ordinal(), note.transactionId());
    List<DriftEvent> drift = decision.events();
    Position position = position(record);
    TableId table = relation.shape().table();
    if (decision.halts()) {
      halt = skip(position, drift, Skip.Reason.HALT, table);
      into.add(halt);
      return;
    }
    Optional<Diversion> diverted = ledger.diversion(table, Optional.of(note.ordinal()));
    lastTopic = record.topic();
    lastDiverted = diverted;
    switch (note.outcome()) {
      case KEYS -> {
        for (KeyChange change : note.keys()) {
          ChangedKey key =
              new ChangedKey(
                  table,
                  change.key(),
                  change.operation(),
                  note.lsn(),
                  note.transactionId(),
                  note.committedAt(),
                  relation.hash());
          into.add(
              new Delivery(
                  position,
                  Optional.of(key),
                  drift,
                  Optional.empty(),
                  Optional.empty(),
                  diverted,
                  row(note, repeated)));
          drift = List.of();
        }
      }
      case NO_USABLE_KEY ->
          into.add(skip(position, drift, Skip.Reason.NO_USABLE_KEY, table).with(diverted));
      case KEY_VALUE_UNAVAILABLE ->
          into.add(skip(position, drift, Skip.Reason.KEY_VALUE_UNAVAILABLE, table).with(diverted));
      case TRUNCATE -> into.add(skip(position, drift, Skip.Reason.TRUNCATE, table).with(diverted));
    }
  }

  private Optional<StreamedRow> row(ChangeNote note, boolean repeated) {
    return keepRows
        ? Optional.of(new StreamedRow(note.ordinal().commit(), repeated, note.contents()))
        : Optional.empty();
  }

  private Delivery snapshotRead(SourceRecord record) {
    Struct source = ((Struct) record.value()).getStruct("source");
    TableId table = new TableId(source.getString("schema"), source.getString("table"));
    return snapshotRead(record, source, table).with(ledger.diversion(table, Optional.empty()));
  }

  private Delivery snapshotRead(SourceRecord record, Struct source, TableId table) {
    if (!(record.key() instanceof Struct key)) {
      return skip(position(record), List.of(), Skip.Reason.NO_USABLE_KEY, table);
    }
    Optional<RowKey> rowKey = SnapshotKey.of(key);
    if (rowKey.isEmpty()) {
      return skip(position(record), List.of(), Skip.Reason.KEY_VALUE_UNAVAILABLE, table);
    }
    Long lsn = source.getInt64(LSN);
    ChangedKey read =
        new ChangedKey(
            table,
            rowKey.get(),
            Operation.READ,
            lsn == null ? Lsn.NONE : new Lsn(lsn),
            0,
            Instant.ofEpochMilli(source.getInt64("ts_ms")),
            null);
    return new Delivery(position(record), Optional.of(read), List.of(), Optional.empty());
  }

  private Delivery skip(SourceRecord record, Skip.Reason reason) {
    return new Delivery(
        position(record),
        Optional.empty(),
        List.of(),
        Optional.of(new Skip(reason, Optional.empty())));
  }

  private static Delivery skip(
      Position position, List<DriftEvent> drift, Skip.Reason reason, TableId table) {
    return new Delivery(
        position, Optional.empty(), drift, Optional.of(new Skip(reason, Optional.of(table))));
  }

  private Position position(SourceRecord record) {
    return new Position(record.sourceOffset(), resume, ledger.decided(), ledger.history(), origin);
  }

  /**
   * Debezium names the last commit before each record, but not before it saw one; then the point
   * before is carried forward. A snapshot's rows were read at its LSN.
   */
  private void advance(Map<String, ?> offset) {
    Object commit = offset.get(LSN_COMMIT);
    if (commit == null && offset.containsKey(SNAPSHOT)) {
      commit = offset.get(LSN);
    }
    if (commit instanceof Long lsn && lsn != resume.value()) {
      resume = Lsn.max(resume, new Lsn(lsn));
    }
    if (resume.equals(Lsn.NONE)) {
      throw new TapException("a record arrived before any position that could be resumed from");
    }
  }
}
