package io.walproof.standalone.status;

import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import io.walproof.standalone.metrics.PrometheusText;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.settings.StatusListen;
import io.walproof.verifier.core.ReplayStatus;
import io.walproof.verifier.core.Verifier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of a run in this process: its audit file's records, and what it knows of itself. Owned
 * by the run's thread. Off where no address is configured.
 */
public final class LiveStatus implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveStatus.class);

  /** Each measurement is a connection to the source. */
  private static final Duration SLOT_INTERVAL = Duration.ofSeconds(10);

  private final Optional<StatusServer> server;
  private final StatusLimits limits;
  private final Time time;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private volatile OptionalLong slotLag = OptionalLong.empty();

  private LiveStatus(Optional<StatusListen> listen, StatusLimits limits, Time time) {
    this.limits = limits;
    this.time = time;
    this.server = listen.map(address -> StatusServer.start(address, time));
  }

  /**
   * Takes the address.
   *
   * @throws StatusException if it cannot be had
   */
  public static LiveStatus start(Optional<StatusListen> listen, StatusLimits limits, Time time) {
    return new LiveStatus(listen, limits, time);
  }

  /** Where it is served, if it is. */
  public Optional<String> url() {
    return server.map(StatusServer::url);
  }

  /** Shows a run that has started. */
  public void show(RunSession session) {
    server.ifPresent(serving -> show(session, serving));
  }

  private void show(RunSession session, StatusServer serving) {
    PrometheusText metrics = new PrometheusText();
    Gauges source = metrics.gauges("source");
    Gauges verifier = metrics.gauges("verifier");
    session.describe(source, verifier);
    opened.push(source);
    opened.push(verifier);
    StatusModel model = StatusModel.ofFile(limits, session.auditFile());
    opened.push(FileFeed.start(session.auditFile(), model, time));
    Supplier<Status> now = () -> model.at(time.now(), Optional.of(figures(session)));
    Gauges page = metrics.gauges("status");
    opened.push(page);
    StatusGauges.register(page, () -> now.get().leftOut());
    Thread slot = new Thread(() -> measure(session), "walproof-slot-lag");
    slot.setDaemon(true);
    slot.start();
    opened.push(slot::interrupt);
    serving.show(metrics);
    serving.show(now);
  }

  private void measure(RunSession session) {
    try {
      while (true) {
        slotLag = session.measureSlotLag();
        time.sleep(SLOT_INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LiveFigures figures(RunSession session) {
    Verifier verifier = session.verifier();
    ReplayStatus replay = verifier.replayStatus();
    return new LiveFigures(
        session.perTable(),
        session.onHold(),
        replay.lastWait(),
        replay.confirmed(),
        replay.notConfirmed(),
        verifier.columnsLeftOut(),
        session.diverted(),
        session.durableLsn().map(Lsn::toString),
        session.ranges().progress(),
        session.ranges().waiting(),
        slotLag);
  }

  /** Ends everything that was opened, the server last. */
  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        LOG.warn("A part of the status page could not be closed", e);
      }
    }
    server.ifPresent(StatusServer::close);
  }
}
