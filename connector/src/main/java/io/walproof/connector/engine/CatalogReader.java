package io.walproof.connector.engine;

import io.walproof.connector.catalog.CatalogReading;
import io.walproof.connector.catalog.CatalogStore;
import io.walproof.connector.catalog.CatalogStoreException;
import io.walproof.connector.catalog.CatalogWatch;
import io.walproof.connector.catalog.CommittedRowsQuery;
import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the source's catalog every {@code drift.catalog.interval.ms}, on a thread of its own,
 * and hands what it finds to the engine's thread, which delivers it ahead of its next batch.
 */
final class CatalogReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogReader.class);

  private final CaptureSettings settings;
  private final Time time;
  private final List<SourceTable> tables;
  private final CatalogWatch watch;
  private final StreamWatch stream;

  /** Where a partition's changes are counted: at its root, if that is captured too. */
  private final Map<TableId, TableId> countedAt = new HashMap<>();

  private final Map<TableId, Long> delivered = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile Lsn streamed = Lsn.NONE;

  /** The last position that was delivered, empty before the first; engine's thread only. */
  private Optional<Position> position = Optional.empty();

  /**
   * A reader that has not started.
   *
   * @param tables the captured tables
   * @param first what was read during the preparation
   * @param lost tables of which the start tells itself that changes were lost
   * @param store where the last reading is kept
   * @param stream is shown the slot at each look
   */
  CatalogReader(
      CaptureSettings settings,
      List<SourceTable> tables,
      CatalogReading first,
      Set<TableId> lost,
      CatalogStore store,
      StreamWatch stream,
      Time time) {
    this.settings = settings;
    this.time = time;
    this.tables = List.copyOf(tables);
    this.stream = stream;
    this.watch =
        new CatalogWatch(store, settings.get("publication.name"), settings.drift().policy().text());
    Set<TableId> captured = new HashSet<>(tables.stream().map(SourceTable::table).toList());
    for (SourceTable table : tables) {
      countedAt.put(table.table(), captured.contains(table.root()) ? table.root() : table.table());
    }
    var filter = settings.connectorConfig().getTableFilters().dataCollectionFilter();
    watch.first(first, table -> filter.isIncluded(SourceCatalog.debeziumId(table)), lost);
    this.thread = new Thread(this::run, "walproof-catalog-" + settings.get("topic.prefix"));
    thread.setDaemon(true);
  }

  /** Begins to look again and again. */
  void start() {
    if (!settings.drift().catalogInterval().isZero()) {
      thread.start();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /**
   * What is to be told now. Engine's thread.
   *
   * @param from the position to start from, for before anything was delivered
   */
  Optional<Delivery> delivery(Optional<Position> from) {
    List<DriftEvent> events = watch.events();
    Optional<Position> at = position.or(() -> from);
    if (events.isEmpty() || at.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Delivery(
            at.get(),
            Optional.empty(),
            events,
            Optional.of(new Skip(Skip.Reason.CATALOG, Optional.empty()))));
  }

  /** The listener has taken what {@link #delivery} gave, or there was nothing to take. */
  void told(List<DriftEvent> events) {
    try {
      watch.delivered(events);
    } catch (CatalogStoreException e) {
      LOG.warn("What changes in the catalog while stopped may be missed: {}", e.getMessage());
    }
  }

  /** The listener has taken a batch. Engine's thread. */
  void count(List<Delivery> batch) {
    // Neighbours mostly belong to one table, so that they are counted together.
    Optional<TableId> table = Optional.empty();
    long changes = 0;
    for (Delivery delivery : batch) {
      Optional<TableId> next =
          delivery.key().map(ChangedKey::table).or(() -> delivery.skip().flatMap(Skip::table));
      if (!next.equals(table)) {
        add(table, changes);
        table = next;
        changes = 0;
      }
      changes++;
    }
    add(table, changes);
    if (!batch.isEmpty()) {
      Position last = batch.get(batch.size() - 1).position();
      position = Optional.of(last);
      streamed = last.streamed();
    }
  }

  private void add(Optional<TableId> table, long changes) {
    table.ifPresent(known -> delivered.merge(countedAt(known), changes, Long::sum));
  }

  private TableId countedAt(TableId table) {
    return countedAt.getOrDefault(table, table);
  }

  private void run() {
    boolean failed = false;
    try {
      while (true) {
        time.sleep(settings.drift().catalogInterval());
        try {
          look();
          failed = false;
        } catch (SQLException | CaptureException e) {
          if (!failed) {
            LOG.warn("The source's catalog could not be read; trying again: {}", e.getMessage());
          }
          failed = true;
        }
      }
    } catch (InterruptedException e) {
      // Closed.
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws SQLException {
    // In this order, so that all is counted up to where the stream is said to be, and before the
    // reading, so that no more is counted than the statistics may know of.
    Lsn reached = streamed;
    Map<TableId, Long> counted = Map.copyOf(delivered);
    try (Connection connection = SourcePreparation.connect(settings)) {
      stream.look(() -> SlotState.read(connection, settings.slotName()));
      CatalogReading reading = SourcePreparation.readCatalog(connection, settings, tables);
      watch.next(rootsOnly(reading), counted, reached, new CommittedRowsQuery(connection));
    }
  }

  /** A partition's changes are in its root's sum already, and may be delivered in its name. */
  private CatalogReading rootsOnly(CatalogReading reading) {
    Map<TableId, Long> changes = new HashMap<>(reading.changes());
    changes.keySet().removeIf(table -> !countedAt(table).equals(table));
    return new CatalogReading(reading.at(), reading.nextXid(), reading.facts(), changes);
  }
}
