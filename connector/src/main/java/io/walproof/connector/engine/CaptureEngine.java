package io.walproof.connector.engine;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.walproof.connector.catalog.CatalogStore;
import io.walproof.connector.catalog.CatalogStoreException;
import io.walproof.connector.drift.Acceptance;
import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.DeliveryListener;
import io.walproof.connector.emit.RecordTranslator;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.SourcePreparation.Prepared;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Tap;
import io.walproof.connector.relation.TapRegistry;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Captures a source's changes: prepares the source, runs Debezium's engine with the tap on its
 * replication stream, and hands deliveries to a listener. It ends by {@link #close} or by a
 * failure; there is no second start. Thread-safe.
 */
public final class CaptureEngine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CaptureEngine.class);
  private static final Duration LAST_WAIT = Duration.ofSeconds(2);

  private final CaptureSettings settings;
  private final Time time;
  private final DeliveryListener listener;
  private final String id = UUID.randomUUID().toString();
  private final SlotGate gate;
  private final Tap tap;
  private final RecordTranslator translator;
  private final CatalogReader catalog;
  private final Announcements announcements;
  private final String systemIdentifier;
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> debezium;
  private final Thread thread;

  private final EngineLife life;
  private final DriftHalt halt;

  /** Set once the drift policy has said halt; nothing is delivered any more. */
  private volatile boolean halting;

  private CaptureEngine(
      CaptureSettings settings,
      PositionStore store,
      CatalogStore catalogStore,
      DeliveryListener listener,
      Time time,
      Optional<Position> stored,
      Prepared prepared) {
    this.settings = settings;
    this.time = time;
    this.listener = listener;
    this.life = new EngineLife(time);
    this.halt = new DriftHalt(new DurableWait(store, time, settings.drift().haltWait()));
    Position found = prepared.start().position().orElseGet(() -> beforeSnapshot(prepared));
    Acceptance acceptance = AcceptedStart.of(settings, prepared.tables(), found);
    Position from = found.with(acceptance.history());
    Optional<Position> start = prepared.start().position().map(position -> from);
    boolean decidedHere = stored.isEmpty() || prepared.start().loss().isPresent();
    StartingPosition starting = new StartingPosition(store, decidedHere ? start : Optional.empty());
    this.gate = new SlotGate(settings, starting, prepared.server(), this::fail);
    this.catalog =
        new CatalogReader(
            settings,
            prepared.tables(),
            prepared.catalog(),
            prepared.lapsed(),
            catalogStore,
            new StreamWatch(gate::stream, gate::cutAll),
            time);
    var tables = settings.connectorConfig().getTableFilters().dataCollectionFilter();
    this.tap =
        new Tap(
            table -> tables.isIncluded(SourceCatalog.debeziumId(table)),
            settings.number("max.queue.size") + 2 * settings.number("max.batch.size") + 16,
            gate,
            settings.keepsRows());
    this.translator =
        new RecordTranslator(
            tap,
            from,
            settings.limits(),
            settings.drift().policy(),
            settings.drift().accepted(),
            settings.feed() == Feed.ROWS,
            settings.keepsRows());
    List<DriftEvent> gaps = new ArrayList<>(prepared.unpublished());
    prepared.start().loss().ifPresent(gaps::add);
    List<Delivery> first = new ArrayList<>();
    // An acceptance is in no position that is told before it: its event must be durable first.
    tell(first, found, gaps, Skip.Reason.GAP);
    tell(first, from, acceptance.events(), Skip.Reason.ACCEPTED);
    this.announcements = new Announcements(listener, catalog, start, first);
    this.systemIdentifier = prepared.server().origin().systemIdentifier();
    TapRegistry.add(id, tap);
    DurableOffsets.add(id, starting);
    this.debezium = engine(prepared);
    this.thread = new Thread(this::run, "walproof-capture-" + settings.get("topic.prefix"));
    thread.setContextClassLoader(CaptureEngine.class.getClassLoader());
    thread.setDaemon(true);
  }

  private static void tell(
      List<Delivery> first, Position from, List<DriftEvent> events, Skip.Reason reason) {
    if (!events.isEmpty()) {
      first.add(
          new Delivery(
              from, Optional.empty(), events, Optional.of(new Skip(reason, Optional.empty()))));
    }
  }

  private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine(Prepared prepared) {
    try {
      return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
          .using(EngineProperties.of(settings, id, prepared.server().standby()))
          .using(CaptureEngine.class.getClassLoader())
          .using(new PollingStarted())
          .using((success, message, error) -> completed(error))
          .notifying(new Batches())
          .build();
    } catch (RuntimeException e) {
      TapRegistry.remove(id);
      DurableOffsets.remove(id);
      throw EngineFailure.of(e, settings);
    }
  }

  /**
   * Prepares the source and starts capturing. Blocks until Debezium polls for changes; from then on
   * the slot and the position guarantee that none is missed.
   *
   * @param settings the source's settings
   * @param store where positions are kept; read on start, and whenever the slot is confirmed
   * @param listener takes the deliveries
   * @param time the clock
   * @throws CaptureException with a message for the operator
   */
  public static CaptureEngine start(
      CaptureSettings settings, PositionStore store, DeliveryListener listener, Time time) {
    return start(settings, store, CatalogStore.inMemory(), listener, time);
  }

  /**
   * The same, with what the catalog said kept over restarts, so that a change that the stream does
   * not show is seen also if it was made while nobody ran.
   *
   * @param catalogStore where that is kept
   * @throws CaptureException with a message for the operator
   */
  public static CaptureEngine start(
      CaptureSettings settings,
      PositionStore store,
      CatalogStore catalogStore,
      DeliveryListener listener,
      Time time) {
    Optional<Position> stored = store.durable();
    Prepared prepared =
        SourcePreparation.prepare(settings, stored, store, isKept(catalogStore), time);
    if (stored.isEmpty() && prepared.start().position().isPresent() && !prepared.hasGaps()) {
      // Kept as early as the store can, so that a slot that is dropped later is missed. A gap must
      // be told first: its delivery carries the position.
      store.write(prepared.start().position().get());
    }
    CaptureEngine engine =
        new CaptureEngine(settings, store, catalogStore, listener, time, stored, prepared);
    engine.thread.start();
    engine.awaitPolling();
    return engine;
  }

  /** A reading that cannot be read was kept too. */
  private static boolean isKept(CatalogStore store) {
    try {
      return store.read().isPresent();
    } catch (CatalogStoreException e) {
      return true;
    }
  }

  /** The cluster that the changes come from. */
  public String systemIdentifier() {
    return systemIdentifier;
  }

  /** Whether changes are being captured. */
  public boolean running() {
    return life.isRunning();
  }

  /**
   * Whether the drift policy has said halt. Nothing more is delivered then, and the capture fails
   * with {@link Reason#HALTED} as soon as the last delivery's position is durable.
   */
  public boolean halting() {
    return halting;
  }

  /** Why the capture ended by itself; empty while it runs and after a clean close. */
  public Optional<Throwable> failure() {
    return life.failure().map(Throwable.class::cast);
  }

  /**
   * Sets a mark in the source's WAL. Once a delivery's {@link Position#streamed} has passed it,
   * everything that was committed before was delivered.
   *
   * @return empty if the source is a standby, where no mark can be set
   * @throws CaptureException if the source cannot be reached
   */
  public Optional<Lsn> mark() {
    return StreamMark.set(settings);
  }

  /**
   * What the publication carries now. For any thread; takes as long as the source takes.
   *
   * @throws CaptureException if the source cannot be reached
   */
  public PublicationState publication() {
    return PublicationState.read(settings);
  }

  /**
   * How much WAL the slot holds back, in bytes.
   *
   * @return empty if the source is a standby, or cannot tell just now
   */
  public OptionalLong slotLag() {
    try (Connection connection = SourcePreparation.connect(settings)) {
      return SlotState.read(connection, settings.slotName())
          .flatMap(SlotState::lag)
          .map(OptionalLong::of)
          .orElseGet(OptionalLong::empty);
    } catch (CaptureException | SQLException e) {
      LOG.debug("The slot's lag cannot be read", e);
      return OptionalLong.empty();
    }
  }

  /**
   * Ends the capture within {@code drift.shutdown.timeout.ms}, also when the engine or the listener
   * hangs: the listener's thread is interrupted, and at last the replication connection is cut.
   * Deliveries that were not dealt with come again after the next start.
   */
  @Override
  public void close() {
    closeQuietly();
    Duration timeout = settings.shutdownTimeout();
    try {
      if (!life.awaitEnd(timeout)) {
        LOG.warn("The engine did not stop within drift.shutdown.timeout.ms; cutting it off");
        gate.abort();
        thread.interrupt();
        if (!life.awaitEnd(LAST_WAIT)) {
          LOG.warn("The engine's threads are left behind; they hold no connection any more");
        }
      }
    } catch (InterruptedException e) {
      gate.abort();
      thread.interrupt();
      Thread.currentThread().interrupt();
    } finally {
      TapRegistry.remove(id);
      DurableOffsets.remove(id);
    }
  }

  /** Debezium's thread. */
  private void run() {
    try {
      debezium.run();
    } catch (RuntimeException | Error e) {
      life.failed(EngineFailure.of(e, settings));
    } finally {
      catalog.close();
      life.ended();
    }
  }

  /** A failure that Debezium would not see as one, or only after its own retries. */
  private void fail(CaptureException e) {
    life.failed(e);
    closeQuietly();
  }

  /** Once only. */
  private void closeQuietly() {
    if (life.beginClosing()) {
      EngineCloser.begin(debezium, thread, settings.shutdownTimeout(), time);
    }
  }

  private void completed(Throwable error) {
    RuntimeException tapped = tap.failure();
    if (tapped != null) {
      life.failed(EngineFailure.of(tapped, settings));
    } else if (error != null && !life.isClosing()) {
      life.failed(EngineFailure.of(error, settings));
    }
  }

  private void awaitPolling() {
    Optional<CaptureException> problem;
    try {
      problem = life.awaitPolling(settings.drift().startTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem =
          Optional.of(
              new CaptureException(Reason.TIMEOUT, "interrupted while the engine started", e));
    }
    if (problem.isPresent()) {
      close();
      throw problem.get();
    }
  }

  private static Position beforeSnapshot(Prepared prepared) {
    return new Position(
        Map.of(), Lsn.NONE, ChangeOrdinal.NONE, SchemaHistory.empty(), prepared.server().noted());
  }

  private final class PollingStarted implements DebeziumEngine.ConnectorCallback {
    @Override
    public void pollingStarted() {
      life.polling();
      try {
        announcements.tell();
        // Not earlier: the first reading's events come before those of the next.
        catalog.start();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        fail(EngineFailure.of(e, settings));
      }
    }
  }

  private final class Batches implements ChangeConsumer<RecordChangeEvent<SourceRecord>> {
    @Override
    public void handleBatch(
        List<RecordChangeEvent<SourceRecord>> records,
        RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
        throws InterruptedException {
      // Another thread may be about to say so; from here on a start cannot fail any more.
      life.polling();
      try {
        announcements.tell();
        List<Delivery> batch =
            translator.translate(records.stream().map(RecordChangeEvent::record).toList());
        if (!batch.isEmpty()) {
          listener.deliver(batch);
          announcements.delivered(batch);
        }
        if (translator.full().isPresent()) {
          throw translator.full().get();
        }
      } catch (RuntimeException e) {
        fail(EngineFailure.of(e, settings));
        throw e;
      }
      if (translator.halt().isPresent()) {
        halting = true;
        CaptureException halted = halt.await(translator.halt().get());
        fail(halted);
        throw halted;
      }
      // What is durable decides what the slot is told; marking the last record only makes Debezium
      // look at it.
      committer.markProcessed(records.get(records.size() - 1));
      committer.markBatchFinished();
    }
  }
}
