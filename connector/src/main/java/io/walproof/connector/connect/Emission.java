package io.walproof.connector.connect;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.engine.Feed;
import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.HeartbeatRecord;
import io.walproof.contract.topic.RecordHeaders;
import io.walproof.contract.topic.TopicNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Turns deliveries into records. A delivery's drift events come ahead of its change, and only the
 * last of a delivery's records has its position: the offset that says that a shape is known is
 * never committed before the events of that shape are written (invariants B and D). What is
 * diverted goes to one partition of one topic, between the events that began and ended it.
 *
 * <p>Belongs to the capture's thread, but for {@link #heartbeat}.
 */
final class Emission {

  private final TopicNames topics;
  private final Feed feed;
  private final int driftMaxBytes;
  private final Map<String, String> partition;
  private final SourceCounters counters;
  private final DivertedRecords diverted;
  private final Map<TableId, String> tableTopics = new HashMap<>();

  /** Covered by the records so far; null before the first. */
  private Position previous;

  Emission(ConnectorSettings settings, SourceCounters counters) {
    this.topics = settings.topics();
    this.feed = settings.feed().values();
    this.driftMaxBytes = settings.feed().driftMaxBytes();
    this.partition = partition(settings.topics());
    this.counters = counters;
    this.diverted = new DivertedRecords(settings.topics().dlq());
  }

  /** The source partition of a prefix. */
  static Map<String, String> partition(TopicNames topics) {
    return Map.of("server", topics.prefix());
  }

  /**
   * The records of a batch.
   *
   * @param records in stream order
   * @param behind the last delivery's position, if no record has it
   */
  record Batch(List<SourceRecord> records, Optional<Position> behind) {}

  /** The position from which the capture starts, which every event may claim. */
  void startsAt(Optional<Position> position) {
    previous = position.orElse(null);
  }

  Batch records(List<Delivery> deliveries) {
    List<SourceRecord> records = new ArrayList<>(deliveries.size() + 4);
    int carried = 0;
    int seen = 0;
    for (Delivery delivery : deliveries) {
      int before = records.size();
      add(delivery, records);
      seen++;
      if (records.size() > before) {
        carried = seen;
      }
      previous = delivery.position();
    }
    if (seen > 0) {
      counters.history(previous.history());
    }
    return new Batch(records, carried < seen ? Optional.of(previous) : Optional.empty());
  }

  /** A record that carries a position and nothing else. */
  SourceRecord heartbeat(Position position, Instant now) {
    counters.heartbeat();
    return new SourceRecord(
        partition,
        new SourceOffset(position),
        topics.heartbeat(),
        null,
        HeartbeatData.KEY,
        HeartbeatData.key(topics.prefix()),
        HeartbeatData.VALUE,
        HeartbeatData.value(new HeartbeatRecord(now, position.streamed())),
        null,
        headers(position, null));
  }

  private void add(Delivery delivery, List<SourceRecord> into) {
    Position position = delivery.position();
    Optional<SourceRecord> change = change(delivery);
    List<DriftEvent> drift = delivery.drift();
    Position before = previous == null ? position : previous;
    for (int i = 0; i < drift.size(); i++) {
      boolean last = i == drift.size() - 1 && change.isEmpty();
      DriftEvent event = drift.get(i);
      boolean marks = DivertedRecords.mark(event);
      into.add(drift(event, last && !marks ? position : before));
      if (marks) {
        SourceRecord told = into.get(into.size() - 1);
        into.add(
            diverted.mark(positioned(told, last ? position : before), event, delivery.diverted()));
      }
    }
    change.map(record -> placed(record, delivery)).ifPresent(into::add);
    delivery.skip().map(Skip::reason).ifPresent(counters::skipped);
  }

  /** In its table's topic, or in that of diverted tables. */
  private SourceRecord placed(SourceRecord record, Delivery delivery) {
    if (delivery.diverted().isEmpty()) {
      return record;
    }
    counters.diverted();
    Optional<TableId> table =
        delivery.key().map(ChangedKey::table).or(() -> delivery.skip().flatMap(Skip::table));
    return diverted.divert(record, table, delivery.diverted().get());
  }

  private Optional<SourceRecord> change(Delivery delivery) {
    return switch (feed) {
      case KEYS -> delivery.key().map(key -> key(key, delivery.position()));
      case ROWS ->
          delivery.record().filter(RowRecords::belongToTheFeed).map(row -> row(row, delivery));
    };
  }

  private SourceRecord key(ChangedKey key, Position position) {
    counters.changed();
    List<Struct> columns = ChangedKeyData.columns(key);
    return new SourceRecord(
        partition,
        new SourceOffset(position),
        tableTopics.computeIfAbsent(key.table(), topics::table),
        null,
        ChangedKeyData.KEY,
        ChangedKeyData.key(key, columns),
        ChangedKeyData.VALUE,
        ChangedKeyData.value(key, columns),
        null,
        headers(position, null));
  }

  private SourceRecord row(SourceRecord row, Delivery delivery) {
    counters.changed();
    ConnectHeaders headers = new ConnectHeaders(row.headers());
    ShapeHash shape = delivery.key().map(ChangedKey::shape).orElse(null);
    headers(delivery.position(), shape).forEach(headers::add);
    return new SourceRecord(
        partition,
        new SourceOffset(delivery.position()),
        row.topic(),
        row.kafkaPartition(),
        row.keySchema(),
        row.key(),
        row.valueSchema(),
        row.value(),
        row.timestamp(),
        headers);
  }

  private SourceRecord drift(DriftEvent event, Position position) {
    counters.drifted(event.kind());
    return new SourceRecord(
        partition,
        new SourceOffset(position),
        topics.drift(),
        null,
        DriftData.KEY,
        DriftData.key(event),
        DriftData.VALUE,
        DriftData.value(event, driftMaxBytes),
        null,
        headers(position, null));
  }

  private SourceRecord positioned(SourceRecord record, Position position) {
    return CarriedOffset.by(record, partition, new SourceOffset(position));
  }

  private static ConnectHeaders headers(Position position, ShapeHash shape) {
    ConnectHeaders headers = new ConnectHeaders();
    headers.add(RecordHeaders.SYSTEM_IDENTIFIER, position.systemIdentifier(), Schema.STRING_SCHEMA);
    if (shape != null) {
      headers.add(RecordHeaders.SHAPE, shape.hex(), Schema.STRING_SCHEMA);
    }
    return headers;
  }
}
