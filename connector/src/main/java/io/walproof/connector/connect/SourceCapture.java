package io.walproof.connector.connect;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.engine.CaptureEngine;
import io.walproof.connector.engine.CaptureException;
import io.walproof.connector.offset.Position;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A capture that a task hosts. Its start and its end happen on a thread of its own, so that the
 * worker's thread waits for records only. Thread-safe.
 */
public final class SourceCapture {

  private static final Logger LOG = LoggerFactory.getLogger(SourceCapture.class);

  /** Longer than an engine takes to end once it was cut off. */
  private static final Duration LAST_WAIT = Duration.ofSeconds(5);

  private static final Duration WATCH = Duration.ofMillis(200);

  private final ConnectorSettings settings;
  private final Time time;
  private final SourceCounters counters = new SourceCounters();
  private final Handover handover;
  private final Emission emission;
  private final ConnectPositionStore store;
  private final ConnectCatalogStore catalog;
  private final Gauges gauges;
  private final Thread thread;
  private final AtomicReference<ConnectException> failure = new AtomicReference<>();
  private volatile boolean stopping;

  /** Whether the engine that is starting, or runs, has delivered anything. */
  private volatile boolean delivered;

  /** The position behind what was handed over last. */
  private volatile Optional<Position> latest = Optional.empty();

  /** Worker's thread only. */
  private long lastHeartbeat;

  private SourceCapture(
      ConnectorSettings settings, String connector, SourceTaskContext context, Time time) {
    this.settings = settings;
    this.time = time;
    this.handover = new Handover(settings.feed().queueMax(), time);
    this.emission = new Emission(settings, counters);
    this.store =
        new ConnectPositionStore(
            context.offsetStorageReader(),
            Emission.partition(settings.topics()),
            this::carryWithARecord);
    this.catalog =
        new ConnectCatalogStore(
            context.offsetStorageReader(), settings.topics(), settings.capture().historyMaxBytes());
    this.gauges = SourceGauges.register(context, connector, counters, handover::size);
    this.lastHeartbeat = time.nanoTime() - settings.feed().heartbeatInterval().toNanos();
    this.thread = new Thread(this::run, "walproof-source-" + settings.topics().prefix());
    thread.setContextClassLoader(SourceCapture.class.getClassLoader());
    thread.setDaemon(true);
  }

  /**
   * Starts a capture; failures that come later are told by {@link #poll}.
   *
   * @param config the task's configuration
   * @throws ConnectException naming the settings that are wrong
   */
  public static SourceCapture start(
      Map<String, String> config, SourceTaskContext context, Time time) {
    ConnectorSettings settings = ConnectorSettings.of(config);
    String connector = config.getOrDefault("name", settings.topics().prefix());
    SourceCapture capture = new SourceCapture(settings, connector, context, time);
    capture.thread.start();
    return capture;
  }

  /**
   * The next records, all of one batch; waits a little for them.
   *
   * @return null if there are none yet
   * @throws ConnectException if the capture has failed; what it delivered before comes first
   */
  public List<SourceRecord> poll() throws InterruptedException {
    List<SourceRecord> records = handover.take(settings.feed().pollWait());
    if (!records.isEmpty()) {
      return records;
    }
    ConnectException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return heartbeat().or(this::catalogReading).map(List::of).orElse(null);
  }

  /** Ends the capture in bounded time, whatever it is doing. */
  public void stop() {
    stopping = true;
    gauges.close();
    handover.close();
    thread.interrupt();
    try {
      thread.join(settings.capture().shutdownTimeout().plus(LAST_WAIT).toMillis());
      if (thread.isAlive()) {
        LOG.warn(
            "The capture's thread is left behind; it ends once the source answers it or its"
                + " connection times out");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The capture's thread. */
  private void deliver(List<Delivery> batch) throws InterruptedException {
    delivered = true;
    Emission.Batch records = emission.records(batch);
    if (isCatalog(batch)) {
      // These records are of the readings' partition, so the position behind them has none.
      Position behind = batch.get(0).position();
      handover.put(catalog.carriedBy(records.records()), Optional.of(behind));
    } else {
      handover.put(records.records(), records.behind());
    }
    latest = Optional.of(batch.get(batch.size() - 1).position());
  }

  /** What the catalog shows comes by itself. */
  private static boolean isCatalog(List<Delivery> batch) {
    return batch.size() == 1
        && batch.get(0).skip().filter(skip -> skip.reason() == Skip.Reason.CATALOG).isPresent();
  }

  private void carryWithARecord(Position position) {
    // Events that come now may claim it, and no less: it may remember what they tell.
    emission.startsAt(Optional.of(position));
    latest = Optional.of(position);
    try {
      handover.put(List.of(), Optional.of(position));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<SourceRecord> heartbeat() {
    long now = time.nanoTime();
    if (now - lastHeartbeat < settings.feed().heartbeatInterval().toNanos()) {
      return Optional.empty();
    }
    return handover
        .takeTrailing()
        .map(
            position -> {
              lastHeartbeat = now;
              return emission.heartbeat(position, time.now());
            });
  }

  private Optional<SourceRecord> catalogReading() {
    return latest.flatMap(
        position -> catalog.carriedBy(() -> emission.heartbeat(position, time.now())));
  }

  private void run() {
    try {
      try (CaptureEngine engine = startWithRetries()) {
        watch(engine);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (!stopping) {
        failure.set(new ConnectException(e.getMessage(), e));
      }
    } finally {
      handover.close();
    }
  }

  private CaptureEngine startWithRetries() throws InterruptedException {
    int retries = 0;
    while (true) {
      try {
        Optional<Position> durable = store.durable();
        emission.startsAt(durable);
        latest = durable;
        return CaptureEngine.start(settings.capture(), store, catalog, this::deliver, time);
      } catch (CaptureException e) {
        // What was delivered is not durable yet, and another start would tell a gap again.
        if (stopping || delivered || !e.retriable() || retries == settings.feed().retryMax()) {
          throw e;
        }
        retries++;
        LOG.warn(
            "{}; start {} of drift.retry.max={} is tried in {} ms",
            e.getMessage(),
            retries,
            settings.feed().retryMax(),
            settings.feed().retryWait().toMillis());
        time.sleep(settings.feed().retryWait());
      }
    }
  }

  private void watch(CaptureEngine engine) throws InterruptedException {
    long lagAt = time.nanoTime() - settings.feed().lagInterval().toNanos();
    while (engine.running() && !stopping) {
      long now = time.nanoTime();
      if (now - lagAt >= settings.feed().lagInterval().toNanos()) {
        lagAt = now;
        counters.slotLag(engine.slotLag());
      }
      time.sleep(WATCH);
    }
    if (!stopping) {
      Throwable cause =
          engine
              .failure()
              .orElseGet(() -> new IllegalStateException("the capture ended by itself"));
      failure.set(new ConnectException(cause.getMessage(), cause));
    }
  }
}
