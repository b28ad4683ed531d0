package io.walproof.connector.connect;

import io.walproof.connector.schema.Diversion;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.RecordHeaders;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Records for the topic of diverted tables: the same as they would have been, with the reason in
 * headers. All go to one partition, in the stream's order, so that whoever reads it meets a table's
 * records between the event that began their diversion and the one that ended it.
 */
final class DivertedRecords {

  private static final int PARTITION = 0;
  private static final String DIVERTED = "diverted";

  /** The policy under which there is such a topic. */
  private static final String POLICY = "dlq";

  private final String topic;

  DivertedRecords(String topic) {
    this.topic = topic;
  }

  /**
   * Whether the event begins a diversion, continues it with one more shape, or ends it. A table's
   * first shape ends one that was forgotten with the offsets.
   */
  static boolean mark(DriftEvent event) {
    return event.kind() == DriftEvent.Kind.SHAPE_ACCEPTED
        || event.action().equals(DIVERTED)
        || (isFirstShape(event) && event.policy().equals(POLICY));
  }

  private static boolean isFirstShape(DriftEvent event) {
    return event.kind() == DriftEvent.Kind.INITIAL;
  }

  /**
   * A drift event's record for this topic.
   *
   * @param diversion that the event's change belongs to; empty where it ended
   */
  SourceRecord mark(SourceRecord record, DriftEvent event, Optional<Diversion> diversion) {
    ConnectHeaders headers =
        headers(
            record,
            event.table(),
            event.previous().map(ShapeHash::hex),
            event.current().map(ShapeHash::hex),
            event.lsn().toString());
    String what =
        diversion
            .map(present -> present.isFirst() ? RecordHeaders.BEGIN : RecordHeaders.AGAIN)
            .orElse(isFirstShape(event) ? RecordHeaders.FIRST : RecordHeaders.END);
    add(headers, RecordHeaders.DLQ_MARK, what);
    return moved(record, headers);
  }

  /**
   * A change's record for this topic.
   *
   * @param table empty for a tombstone, which names none
   */
  SourceRecord divert(SourceRecord record, Optional<TableId> table, Diversion diversion) {
    ConnectHeaders headers =
        headers(
            record,
            table,
            Optional.of(diversion.previous().hex()),
            Optional.of(diversion.awaited().hex()),
            diversion.since().toString());
    add(headers, RecordHeaders.DLQ_TOPIC, record.topic());
    return moved(record, headers);
  }

  private static ConnectHeaders headers(
      SourceRecord record,
      Optional<TableId> table,
      Optional<String> previous,
      Optional<String> current,
      String lsn) {
    ConnectHeaders headers = new ConnectHeaders(record.headers());
    add(headers, RecordHeaders.DLQ_REASON, RecordHeaders.SHAPE_NOT_ACCEPTED);
    table.ifPresent(name -> add(headers, RecordHeaders.DLQ_TABLE, name.display()));
    previous.ifPresent(hash -> add(headers, RecordHeaders.DLQ_PREVIOUS, hash));
    current.ifPresent(hash -> add(headers, RecordHeaders.DLQ_CURRENT, hash));
    add(headers, RecordHeaders.DLQ_LSN, lsn);
    return headers;
  }

  private static void add(ConnectHeaders headers, String name, String value) {
    headers.add(name, value, Schema.STRING_SCHEMA);
  }

  private SourceRecord moved(SourceRecord record, ConnectHeaders headers) {
    return record.newRecord(
        topic,
        PARTITION,
        record.keySchema(),
        record.key(),
        record.valueSchema(),
        record.value(),
        record.timestamp(),
        headers);
  }
}
