package io.walproof.connector.connect;

import io.walproof.connector.catalog.CatalogStore;
import io.walproof.connector.catalog.CatalogStoreException;
import io.walproof.connector.catalog.CatalogText;
import io.walproof.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connect's source offsets as the place where the catalog's last reading is kept: an offset of a
 * partition of its own, so that neither it nor the schema history takes room from the other.
 *
 * <p>The events of a reading carry it: the worker commits an offset only once all records of its
 * partition before it are written, so a reading is never kept without its events (invariant B). A
 * reading without events goes with a heartbeat. Thread-safe.
 */
final class ConnectCatalogStore implements CatalogStore {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectCatalogStore.class);
  private static final String FORMAT = "v";
  private static final long VERSION = 1;
  private static final String TABLES = "tables";

  private final OffsetStorageReader reader;
  private final Map<String, String> partition;
  private final int maxBytes;

  /** The offset of the last reading whose events were handed on. Guarded by this. */
  private Map<String, Object> kept = offset("");

  private Map<String, String> offered = Map.of();
  private boolean carried;
  private Map<String, Object> pending;
  private boolean warned;

  /**
   * A store.
   *
   * @param maxBytes how long a reading may be ({@code drift.history.max.bytes})
   */
  ConnectCatalogStore(OffsetStorageReader reader, TopicNames topics, int maxBytes) {
    this.reader = reader;
    this.partition = partition(topics.prefix());
    this.maxBytes = maxBytes;
  }

  /** The source partition of a prefix's readings. */
  static Map<String, String> partition(String prefix) {
    return Map.of("server", prefix, "walproof", "catalog");
  }

  /**
   * Checks an offset of such a partition.
   *
   * @throws CatalogStoreException if it holds no reading
   */
  static Map<String, String> read(Map<String, ?> offset) {
    Object version = offset.get(FORMAT);
    if (!(version instanceof Number number) || number.longValue() != VERSION) {
      throw new CatalogStoreException(
          "the catalog reading in the connector's offsets has format version "
              + version
              + ", this build reads version "
              + VERSION,
          null);
    }
    String tables = Objects.toString(offset.get(TABLES), "");
    return tables.isEmpty() ? Map.of() : CatalogText.read(tables);
  }

  @Override
  public Optional<Map<String, String>> read() {
    Map<String, Object> offset = reader.offset(partition);
    if (offset == null) {
      return Optional.empty();
    }
    synchronized (this) {
      kept = new TreeMap<>(offset);
    }
    return Optional.of(read(offset));
  }

  @Override
  public synchronized void offered(Map<String, String> facts) {
    offered = Map.copyOf(facts);
    carried = false;
  }

  @Override
  public synchronized void write(Map<String, String> facts) {
    if (carried && offered.equals(facts)) {
      carried = false;
      return;
    }
    Map<String, Object> next = offset(fitting(facts));
    if (!next.equals(kept)) {
      kept = next;
      pending = next;
    }
  }

  /**
   * The records of a reading's events, made to carry the reading: the last one the new one, those
   * before it the one before.
   */
  synchronized List<SourceRecord> carriedBy(List<SourceRecord> events) {
    Map<String, Object> before = kept;
    kept = offset(fitting(offered));
    carried = true;
    // What still waits is older.
    pending = null;
    List<SourceRecord> carrying = new ArrayList<>(events.size());
    for (int i = 0; i < events.size(); i++) {
      carrying.add(carrying(events.get(i), i == events.size() - 1 ? kept : before));
    }
    return carrying;
  }

  /**
   * A record made to carry the reading that waits for one; empty if none waits. In one step: events
   * may carry it away meanwhile, and a record without an offset would delete what is stored.
   */
  synchronized Optional<SourceRecord> carriedBy(Supplier<SourceRecord> record) {
    if (pending == null) {
      return Optional.empty();
    }
    Map<String, Object> waiting = pending;
    pending = null;
    return Optional.of(carrying(record.get(), waiting));
  }

  private SourceRecord carrying(SourceRecord record, Map<String, Object> offset) {
    return CarriedOffset.by(record, partition, offset);
  }

  private String fitting(Map<String, String> facts) {
    CatalogText.Fitting fitting = CatalogText.write(facts, maxBytes);
    if (!warned && fitting.digests() + fitting.leftOut() > 0) {
      warned = true;
      LOG.warn(
          "The catalog's last reading does not fit into drift.history.max.bytes={}: of {} tables it"
              + " is kept that something changed but not what, and of {} nothing. It concerns only"
              + " what changes in the catalog while the connector is stopped.",
          maxBytes,
          fitting.digests(),
          fitting.leftOut());
    }
    return fitting.text();
  }

  private static Map<String, Object> offset(String tables) {
    return Map.of(FORMAT, VERSION, TABLES, tables);
  }
}
