package io.walproof.verifier.connect.decode;

import io.walproof.contract.Time;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.RecordHeaders;
import io.walproof.contract.topic.TopicFormatException;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.DatabaseSettings;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Turns a topic's records into changed keys, one by one. Owned by one thread.
 *
 * <p>Tables are named by the record, never by the topic. Records that are not what the topics of
 * Walproof or of a Debezium PostgreSQL connector hold are refused by an exception that says where
 * they lie and what to do; none is dropped in silence (invariant A).
 */
public final class RecordDecoder implements AutoCloseable {

  private static final String HELP =
      " Walproof reads its own source connector's topics and those of a Debezium PostgreSQL"
          + " connector, through any converter that yields structs or maps.";

  private final SourceColumns columns;
  private final EnvelopeDecoder envelopes;
  private final DatabaseIdentity source;
  private final boolean readsDrift;

  RecordDecoder(
      SourceColumns columns, DebeziumModes modes, DatabaseIdentity source, boolean readsDrift) {
    this.readsDrift = readsDrift;
    this.columns = columns;
    this.envelopes = new EnvelopeDecoder(columns, modes, source.name());
    this.source = source;
  }

  /**
   * A decoder with a connection of its own to the source's catalog, which it opens when a Debezium
   * record needs it.
   *
   * @param settings how the source is reached
   * @param modes what records do not say of themselves
   * @param source which database the records must come from
   * @param readsDrift whether drift events are read, or only counted
   */
  public static RecordDecoder open(
      DatabaseSettings settings,
      DebeziumModes modes,
      DatabaseIdentity source,
      boolean readsDrift,
      Time time) {
    return new RecordDecoder(new CatalogColumns(settings, time), modes, source, readsDrift);
  }

  /**
   * What the record amounts to.
   *
   * @throws DataException if it cannot be read; names topic, partition and offset, no values
   * @throws ConnectException if it comes from another cluster than the source
   * @throws SourceUnavailableException if the source's catalog is needed and does not answer
   */
  public Decoded decode(SinkRecord record) {
    if (record.value() == null) {
      return new Decoded.Ignored("tombstone");
    }
    requireSameCluster(record);
    Optional<RecordView> view = RecordView.of(record.value());
    if (view.isEmpty()) {
      throw refused(
          record,
          "is a "
              + record.value().getClass().getSimpleName()
              + " and not a struct or map: set value.converter and key.converter to those that wrote"
              + " the topic.");
    }
    RecordView value = view.get();
    RecordKind kind = RecordKind.of(value, record.key());
    try {
      return switch (kind) {
        case CHANGED_KEY -> placed(record, new Decoded.Change(ChangedKeyRecord.of(value.plain())));
        case ENVELOPE ->
            placed(
                record, envelopes.decode(value, record.key(), header(record, RecordHeaders.SHAPE)));
        case DRIFT_EVENT -> drift(record, value, kind);
        case VERIFY_RECORD, HEARTBEAT, TRANSACTION_METADATA, SCHEMA_CHANGE, NOTIFICATION ->
            new Decoded.Ignored(kind.text());
        case UNKNOWN -> throw refused(record, unknown(value));
      };
    } catch (TopicFormatException e) {
      throw new DataException(place(record) + "cannot be read: " + e.getMessage(), e);
    } catch (EnvelopeException e) {
      throw refused(record, e.getMessage());
    }
  }

  /** On the dlq topic an event is a mark; the same events are on the drift topic. */
  private Decoded drift(SinkRecord record, RecordView value, RecordKind kind) {
    if (isDiverted(record)) {
      return new Decoded.Diversion(
          DriftRecord.of(value.plain()),
          header(record, RecordHeaders.DLQ_MARK).equals(Optional.of(RecordHeaders.BEGIN)));
    }
    return readsDrift
        ? new Decoded.Drift(DriftRecord.of(value.plain()))
        : new Decoded.Ignored(kind.text());
  }

  private static Decoded placed(SinkRecord record, Decoded decoded) {
    return decoded instanceof Decoded.Change change && isDiverted(record)
        ? new Decoded.Diverted(change.key())
        : decoded;
  }

  private static boolean isDiverted(SinkRecord record) {
    return record.headers().lastWithName(RecordHeaders.DLQ_REASON) != null;
  }

  private static String unknown(RecordView value) {
    boolean flattened =
        value.has("__deleted") || value.has("__op") || value.has("__table") || value.has("__lsn");
    return (flattened
            ? "was flattened by ExtractNewRecordState, which removes the table's name, the LSN and"
                + " the transaction"
            : "is no change event. If it was flattened by ExtractNewRecordState, the table's name,"
                + " the LSN and the transaction are gone")
        + ": let this connector read the topic without that transformation, or name only topics"
        + " with change events in topics or topics.regex.";
  }

  private static Optional<String> header(SinkRecord record, String name) {
    Header header = record.headers().lastWithName(name);
    // Connect's own header converter turns digits into a number.
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(header.value().toString());
  }

  /** LSNs and transactions of another cluster mean nothing here. */
  private void requireSameCluster(SinkRecord record) {
    Optional<String> cluster = header(record, RecordHeaders.SYSTEM_IDENTIFIER);
    if (cluster.isPresent() && !cluster.get().equals(source.systemIdentifier())) {
      throw new ConnectException(
          place(record)
              + "comes from another cluster (system identifier "
              + cluster.get()
              + ") than verify.source.jdbc.url leads to ("
              + source.systemIdentifier()
              + "). Rows must be read from the server that is streamed, or from a physical standby"
              + " of it.");
    }
  }

  private static DataException refused(SinkRecord record, String why) {
    return new DataException(place(record) + why + HELP);
  }

  private static String place(SinkRecord record) {
    return "The record at topic "
        + record.topic()
        + ", partition "
        + record.kafkaPartition()
        + ", offset "
        + record.kafkaOffset()
        + " ";
  }

  /** Closes the connection to the catalog. */
  @Override
  public void close() {
    columns.close();
  }
}
