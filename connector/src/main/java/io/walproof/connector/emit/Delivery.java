package io.walproof.connector.emit;

import io.walproof.connector.offset.Position;
import io.walproof.connector.schema.Diversion;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.StreamedRow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * What one source record amounts to. A record of an update that changed the key without Debezium
 * noticing amounts to two. Exactly one of key and skip is present.
 *
 * @param position where a restart may resume once this delivery, and all before it, are dealt with
 * @param key the changed key
 * @param drift what the change decided about its table's shape, usually nothing; must be durable
 *     before the position is (invariant B)
 * @param skip why there is no key
 * @param record the record itself, if the capture hands on rows; the last of two deliveries has it
 * @param diverted present if the change must not go where its table's changes go, because nobody
 *     has accepted the table's shape
 * @param row the row behind the key, if the capture keeps rows and the key is one of the stream
 */
public record Delivery(
    Position position,
    Optional<ChangedKey> key,
    List<DriftEvent> drift,
    Optional<Skip> skip,
    Optional<SourceRecord> record,
    Optional<Diversion> diverted,
    Optional<StreamedRow> row) {

  /** Without record and row, and not diverted. */
  public Delivery(
      Position position, Optional<ChangedKey> key, List<DriftEvent> drift, Optional<Skip> skip) {
    this(position, key, drift, skip, Optional.empty(), Optional.empty(), Optional.empty());
  }

  Delivery with(SourceRecord kept) {
    return new Delivery(position, key, drift, skip, Optional.of(kept), diverted, row);
  }

  Delivery with(Optional<Diversion> diversion) {
    return diverted.equals(diversion)
        ? this
        : new Delivery(position, key, drift, skip, record, diversion, row);
  }

  /** Refuses missing parts. */
  public Delivery {
    Objects.requireNonNull(position, "position");
    drift = List.copyOf(drift);
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(diverted, "diverted");
    Objects.requireNonNull(row, "row");
    if (key.isPresent() == skip.isPresent()) {
      throw new IllegalArgumentException("a delivery names a key or says why not");
    }
  }
}
