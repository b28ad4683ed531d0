package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.TimelineHistory;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.relation.StreamGate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the slot before each stream, also when Debezium restarts itself: in between, the slot may
 * have been dropped or moved, which Debezium would pass over. Called on Debezium's threads.
 */
final class SlotGate implements StreamGate {

  private static final Logger LOG = LoggerFactory.getLogger(SlotGate.class);

  private final CaptureSettings settings;
  private final StartingPosition position;
  private final Server started;
  private final Consumer<CaptureException> onGap;
  private final AtomicReference<Connection> latest = new AtomicReference<>();

  /** Of the last stream that was started; it may have ended. */
  private final AtomicReference<Connection> streaming = new AtomicReference<>();

  /** Debezium's other connections. */
  private final Set<Connection> beside = ConcurrentHashMap.newKeySet();

  /**
   * A gate.
   *
   * @param position the position that Debezium starts from
   * @param started the server that the capture was started with
   * @param onGap takes the refusal
   */
  SlotGate(
      CaptureSettings settings,
      StartingPosition position,
      Server started,
      Consumer<CaptureException> onGap) {
    this.settings = settings;
    this.position = position;
    this.started = started;
    this.onGap = onGap;
  }

  @Override
  public void opened(Connection connection) {
    latest.set(connection);
  }

  @Override
  public void openedBeside(Connection connection) {
    beside.removeIf(each -> !isOpen(each));
    beside.add(connection);
  }

  @Override
  public void streams() {
    streaming.set(latest.get());
  }

  @Override
  public void beforeStream() {
    Optional<Position> from = position.current();
    if (from.isEmpty()) {
      return;
    }
    String name = settings.get("slot.name");
    Optional<String> problem;
    WalOrigin origin;
    try (Connection connection = SourcePreparation.connect(settings)) {
      origin = SourceOrigin.read(connection, settings);
      problem = SlotCheck.problem(name, SlotState.read(connection, name), from.get().resume());
    } catch (SQLException e) {
      throw SourceError.query(e, "checking slot.name '" + name + "'");
    }
    if (!sameWal(origin)) {
      throw refused(failedOver(origin));
    }
    if (problem.isPresent()) {
      throw refused(SlotCheck.gap(problem.get()));
    }
  }

  /** What was delivered, and is not durable yet, may not be in what the server has now. */
  private boolean sameWal(WalOrigin now) {
    return started.standby()
        ? now.systemIdentifier().equals(started.origin().systemIdentifier())
        : now.equals(started.origin());
  }

  private CaptureException failedOver(WalOrigin now) {
    return new CaptureException(
        Reason.FAILOVER,
        "the source that answers now has other WAL than the one that the capture was started with"
            + " (cluster "
            + started.origin().systemIdentifier()
            + ", timelines "
            + text(started.origin())
            + "; now cluster "
            + now.systemIdentifier()
            + ", timelines "
            + text(now)
            + "): a failover, or a restore. Start again: the start finds out whether anything was"
            + " lost");
  }

  private static String text(WalOrigin origin) {
    return origin.timelines().map(TimelineHistory::toString).orElse("unknown");
  }

  @Override
  public boolean mayCreateSlot() {
    return position.current().isEmpty();
  }

  @Override
  public CaptureException slotIsGone() {
    Optional<Position> from = position.current();
    return refused(
        from.isPresent()
            ? SlotCheck.gap(
                SlotCheck.problem(settings.get("slot.name"), Optional.empty(), from.get().resume())
                    .orElseThrow())
            : new CaptureException(Reason.GAP, "the slot has disappeared"));
  }

  /** The connection of the stream that is open, as far as this side knows. Any thread. */
  Optional<Connection> stream() {
    return Optional.ofNullable(streaming.get()).filter(SlotGate::isOpen);
  }

  private static boolean isOpen(Connection connection) {
    try {
      return !connection.isClosed();
    } catch (SQLException e) {
      throw SourceError.query(e, "looking at the replication connection");
    }
  }

  /** Cuts the replication connection, for a close that hangs. */
  void abort() {
    Connection connection = latest.getAndSet(null);
    if (connection != null) {
      cut(connection);
    }
  }

  /**
   * Cuts everything that Debezium has open, so that it connects again. What has forgotten one
   * connection may have forgotten all, and its streaming thread may wait on any of them.
   */
  void cutAll() {
    abort();
    beside.forEach(SlotGate::cut);
    beside.clear();
  }

  private static void cut(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.warn("Could not abort a connection to the source", e);
    }
  }

  private CaptureException refused(CaptureException gap) {
    onGap.accept(gap);
    return gap;
  }
}
