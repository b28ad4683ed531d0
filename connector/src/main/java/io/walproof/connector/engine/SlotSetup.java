package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on the position to start from, and makes the slot where there is none. A slot that cannot
 * deliver everything since the stored position is refused, unless the gap was accepted.
 */
final class SlotSetup {

  private static final Logger LOG = LoggerFactory.getLogger(SlotSetup.class);

  private final ReplicationSlot slot;
  private final CaptureSettings settings;
  private final Server server;
  private final GapEvents gaps;

  SlotSetup(ReplicationSlot slot, CaptureSettings settings, Server server, GapEvents gaps) {
    this.slot = slot;
    this.settings = settings;
    this.server = server;
    this.gaps = gaps;
  }

  /**
   * Where to start.
   *
   * @param position the position, empty if Debezium begins with a snapshot and creates the slot
   * @param loss what must be told ahead of all else: the gap that was accepted, or that the
   *     baseline was lost
   */
  record Start(Optional<Position> position, Optional<DriftEvent> loss) {}

  /**
   * Prepares.
   *
   * @param stored the durable position
   * @param known a better reason for a missing slot than that it is missing
   * @param captured whether a capture was here before, whatever became of its position
   */
  Start prepare(Optional<Position> stored, Optional<String> known, boolean captured)
      throws SQLException, InterruptedException {
    Optional<SlotState> state = slot.awaitFree();
    return stored.isPresent() ? resume(stored.get(), state, known) : first(state, captured);
  }

  private Start first(Optional<SlotState> state, boolean captured) throws SQLException {
    if (settings.readsSnapshot()) {
      return new Start(Optional.empty(), Optional.empty());
    }
    if (state.isPresent() && state.get().isLost()) {
      throw ReplicationSlot.lost(slot.name(), state.get());
    }
    if (state.isPresent()) {
      LOG.warn(
          "No position is stored, and slot {} was there already: the capture begins where the slot"
              + " is, at {}. If a position was reset or lost, the schema history went with it: each"
              + " table's next change is told as its first shape, also of tables that were diverted",
          slot.name(),
          state.get().confirmed());
    }
    // A slot alone tells nothing of a capture: it may have been made in advance.
    boolean lost = state.isPresent() && captured;
    Lsn from = state.isPresent() ? state.get().confirmed() : slot.create();
    return new Start(
        Optional.of(Position.start(from, SchemaHistory.empty(), server.noted())),
        lost ? Optional.of(gaps.baselineLost(slot.name(), from)) : Optional.empty());
  }

  private Start resume(Position stored, Optional<SlotState> state, Optional<String> known)
      throws SQLException {
    Continuity continuity = Continuity.of(slot.name(), state, stored, server.origin());
    if (continuity.problem().isEmpty()) {
      if (state.orElseThrow().walStatus().equals("unreserved")) {
        // Refusing now would let the WAL be removed for certain.
        LOG.warn(
            "Slot {} is unreserved: its WAL may be removed at the next checkpoint", slot.name());
      }
      return new Start(Optional.of(stored.withOrigin(server.noted())), Optional.empty());
    }
    String problem = known.or(continuity::problem).orElseThrow();
    if (!settings.drift().acceptGap()) {
      throw SlotCheck.gap(problem);
    }
    if (continuity.missing().isEmpty()) {
      return new Start(
          Optional.of(behind(stored, continuity.from())),
          Optional.of(gaps.diverged(continuity.from(), problem)));
    }
    Optional<SlotState> usable = state;
    if (state.isPresent() && state.get().isLost()) {
      slot.drop();
      usable = Optional.empty();
    }
    Lsn to = usable.isPresent() ? usable.get().confirmed() : slot.create();
    return new Start(
        Optional.of(behind(stored, to)),
        Optional.of(gaps.undelivered(continuity.from(), to, problem)));
  }

  /** Keeps the history; what comes now was decided by nobody. */
  private Position behind(Position stored, Lsn to) {
    ChangeOrdinal decided =
        stored.decided().commit().compareTo(to) < 0 ? stored.decided() : ChangeOrdinal.NONE;
    return new Position(Map.of("lsn", to.value()), to, decided, stored.history(), server.noted());
  }

  /**
   * Refuses a position of another cluster.
   *
   * @param stored the durable position
   */
  static void checkCluster(Position stored, Server server) {
    String known = stored.systemIdentifier();
    String now = server.origin().systemIdentifier();
    if (!known.isEmpty() && !known.equals(now)) {
      throw new CaptureException(
          Reason.POSITION,
          "the stored position belongs to the cluster with system_identifier "
              + known
              + ", the source has "
              + now
              + "; LSNs of two clusters cannot be compared. Point database.hostname at the old"
              + " cluster, or begin anew: with an empty state.dir, or in Connect by resetting the"
              + " connector's offsets");
    }
  }
}
