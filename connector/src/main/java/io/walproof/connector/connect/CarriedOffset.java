package io.walproof.connector.connect;

import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;

/** Gives a record another source offset: Connect's own copies keep the one that there was. */
final class CarriedOffset {

  private CarriedOffset() {}

  /** The same record, which carries the partition's offset. */
  static SourceRecord by(
      SourceRecord record, Map<String, String> partition, Map<String, ?> offset) {
    return new SourceRecord(
        partition,
        offset,
        record.topic(),
        record.kafkaPartition(),
        record.keySchema(),
        record.key(),
        record.valueSchema(),
        record.value(),
        record.timestamp(),
        record.headers());
  }
}
