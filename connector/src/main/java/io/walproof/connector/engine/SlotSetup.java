package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds or creates the slot, and the position to start from. A slot that cannot deliver everything
 * since the stored position is refused, unless the gap was accepted.
 */
final class SlotSetup {

  private static final Logger LOG = LoggerFactory.getLogger(SlotSetup.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Connection connection;
  private final CaptureSettings settings;
  private final Server server;
  private final Time time;
  private final String name;

  SlotSetup(Connection connection, CaptureSettings settings, Server server, Time time) {
    this.connection = connection;
    this.settings = settings;
    this.server = server;
    this.time = time;
    this.name = settings.get("slot.name");
  }

  /**
   * Where to start.
   *
   * @param position the position, empty if Debezium begins with a snapshot and creates the slot
   * @param gap the gap that was accepted
   */
  record Start(Optional<Position> position, Optional<DriftEvent> gap) {}

  /**
   * Prepares.
   *
   * @param stored the durable position
   */
  Start prepare(Optional<Position> stored) throws SQLException, InterruptedException {
    Optional<SlotState> slot = SlotState.read(connection, name);
    if (slot.isPresent()) {
      checkKind(settings, slot.get());
      slot = Optional.of(awaitFree(slot.get()));
    }
    return stored.isPresent() ? resume(stored.get(), slot) : first(slot);
  }

  /**
   * Waits until nobody has the slot. To be called before anything is changed on the source: what a
   * change reveals must not be lost because the start then fails for want of the slot.
   */
  void awaitFree() throws SQLException, InterruptedException {
    Optional<SlotState> slot = SlotState.read(connection, name);
    if (slot.isPresent()) {
      awaitFree(slot.get());
    }
  }

  /**
   * The publication is about to be made. What a slot that is there already reaches back to was
   * published by none, and could not be had any more.
   *
   * @throws CaptureException if there is such a slot, unless the gap was accepted
   */
  void refuseUnpublishedChanges() throws SQLException {
    Optional<SlotState> slot = SlotState.read(connection, name);
    if (slot.isPresent()) {
      checkKind(settings, slot.get());
      if (!settings.drift().acceptGap()) {
        throw SlotCheck.gap(unpublishedSince(slot.get().confirmed()));
      }
    }
  }

  private String unpublishedSince(Lsn confirmed) {
    return "slot.name '"
        + name
        + "' is older than publication.name '"
        + settings.get("publication.name")
        + "', which does not exist yet; changes from "
        + confirmed
        + " on were not published and cannot be delivered";
  }

  /**
   * The same as {@link #prepare}, right after the publication was made: a slot that is older is
   * made anew, because its stream would reach back to before the publication.
   *
   * @param stored the durable position
   */
  Start replace(Optional<Position> stored) throws SQLException, InterruptedException {
    Optional<SlotState> slot = SlotState.read(connection, name);
    if (slot.isEmpty()) {
      return prepare(stored);
    }
    checkKind(settings, slot.get());
    Lsn confirmed = awaitFree(slot.get()).confirmed();
    drop();
    if (stored.isPresent()) {
      checkCluster(stored.get());
      return accepted(stored.get(), create(), unpublishedSince(confirmed));
    }
    Start start = first(Optional.empty());
    return new Start(
        start.position(),
        start.position().map(at -> gap(confirmed, at.resume(), unpublishedSince(confirmed))));
  }

  /** The slot was there before the publication got its present form. */
  DriftEvent mayBeUnpublished() throws SQLException {
    Lsn from = SlotState.read(connection, name).map(SlotState::confirmed).orElse(Lsn.NONE);
    return gap(
        from,
        from,
        "publication.name '"
            + settings.get("publication.name")
            + "' was made, or got other options, after slot.name '"
            + name
            + "'; changes before that may not have been published");
  }

  private Start first(Optional<SlotState> slot) throws SQLException {
    if (settings.readsSnapshot()) {
      return new Start(Optional.empty(), Optional.empty());
    }
    if (slot.isPresent() && slot.get().isLost()) {
      throw lost(name, slot.get());
    }
    Lsn from = slot.isPresent() ? slot.get().confirmed() : create();
    return new Start(
        Optional.of(Position.start(from, SchemaHistory.empty(), server.systemIdentifier())),
        Optional.empty());
  }

  private Start resume(Position stored, Optional<SlotState> slot) throws SQLException {
    checkCluster(stored);
    Optional<String> problem = SlotCheck.problem(name, slot, stored.resume());
    if (problem.isEmpty()) {
      if (slot.orElseThrow().walStatus().equals("unreserved")) {
        // Refusing now would let the WAL be removed for certain.
        LOG.warn("Slot {} is unreserved: its WAL may be removed at the next checkpoint", name);
      }
      return new Start(Optional.of(stored), Optional.empty());
    }
    if (!settings.drift().acceptGap()) {
      throw SlotCheck.gap(problem.get());
    }
    if (slot.isPresent() && slot.get().isLost()) {
      drop();
      slot = Optional.empty();
    }
    Lsn to = slot.isPresent() ? slot.get().confirmed() : create();
    return accepted(stored, to, problem.get());
  }

  /** Keeps the history; what comes now was decided by nobody. */
  private Start accepted(Position stored, Lsn to, String problem) {
    ChangeOrdinal decided =
        stored.decided().commit().compareTo(to) < 0 ? stored.decided() : ChangeOrdinal.NONE;
    Position position =
        new Position(
            Map.of("lsn", to.value()), to, decided, stored.history(), server.systemIdentifier());
    return new Start(Optional.of(position), Optional.of(gap(stored.resume(), to, problem)));
  }

  private DriftEvent gap(Lsn from, Lsn to, String problem) {
    return new DriftEvent(
        Kind.GAP,
        Occurrence.ACROSS_RESTART,
        Optional.empty(),
        to,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        settings.drift().policy().text(),
        "accepted",
        from.equals(to)
            ? "changes from " + from + " on may not have been delivered: " + problem
            : "changes from " + from + " to " + to + " may not have been delivered: " + problem);
  }

  private void checkCluster(Position stored) {
    String known = stored.systemIdentifier();
    if (!known.isEmpty() && !known.equals(server.systemIdentifier())) {
      throw new CaptureException(
          Reason.POSITION,
          "the stored position belongs to the cluster with system_identifier "
              + known
              + ", the source has "
              + server.systemIdentifier()
              + "; LSNs of two clusters cannot be compared. Point database.hostname at the old"
              + " cluster, or begin anew: with an empty state.dir, or in Connect by resetting the"
              + " connector's offsets");
    }
  }

  /** A lost slot that nothing was read from. */
  static CaptureException lost(String name, SlotState slot) {
    return new CaptureException(
        Reason.SLOT,
        "slot.name '"
            + name
            + "' is "
            + SlotCheck.lostWord(slot)
            + "; nothing was read from it yet, so drop it: SELECT"
            + " pg_catalog.pg_drop_replication_slot("
            + Sql.literal(name)
            + "), and start again");
  }

  /** Refuses a slot that is not one of ours. */
  static void checkKind(CaptureSettings settings, SlotState slot) {
    String name = settings.get("slot.name");
    if (!slot.plugin().equals("pgoutput")
        || !slot.database().equals(settings.get("database.dbname"))) {
      throw new CaptureException(
          Reason.SLOT,
          "slot.name '"
              + name
              + "' is a slot of plugin '"
              + slot.plugin()
              + "' in database '"
              + slot.database()
              + "', not of pgoutput in '"
              + settings.get("database.dbname")
              + "'; choose another slot.name");
    }
  }

  private SlotState awaitFree(SlotState slot) throws SQLException, InterruptedException {
    SlotState now = slot;
    long deadline = time.nanoTime() + settings.drift().slotWait().toNanos();
    while (now.activePid() != 0) {
      if (time.nanoTime() - deadline >= 0) {
        throw new CaptureException(
            Reason.SLOT_IN_USE,
            "slot.name '"
                + name
                + "' is in use by the server process "
                + now.activePid()
                + "; stop the other consumer, or choose another slot.name (waited"
                + " drift.slot.wait.ms)");
      }
      time.sleep(POLL);
      now =
          SlotState.read(connection, name)
              .orElseThrow(
                  () ->
                      new CaptureException(
                          Reason.SLOT, "slot.name '" + name + "' was dropped just now"));
    }
    return now;
  }

  private Lsn create() throws SQLException {
    boolean failover = "true".equals(settings.get("slot.failover")) && server.version() >= 170000;
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT lsn::text FROM pg_catalog.pg_create_logical_replication_slot(?, 'pgoutput'"
                + (failover ? ", failover => true)" : ")"))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Lsn.parse(row.getString(1));
      }
    } catch (SQLException e) {
      throw creating(e);
    }
  }

  private CaptureException creating(SQLException e) {
    if (SourceError.is(e, SourceError.CONFIGURATION_LIMIT)) {
      return new CaptureException(
          Reason.SLOT,
          "all replication slots of the source are in use; drop one that nobody needs, or raise"
              + " max_replication_slots",
          e);
    }
    if (SourceError.is(e, SourceError.QUERY_CANCELED)) {
      return new CaptureException(
          Reason.SLOT,
          "slot.name '"
              + name
              + "' could not be created within drift.start.timeout.ms: it waits for transactions"
              + " that were open before; see pg_catalog.pg_stat_activity.xact_start",
          e);
    }
    if (SourceError.is(e, SourceError.INSUFFICIENT_PRIVILEGE)) {
      return new CaptureException(
          Reason.ROLE,
          "database.user may not create slot.name '"
              + name
              + "'; run as a superuser: SELECT pg_catalog.pg_create_logical_replication_slot("
              + Sql.literal(name)
              + ", 'pgoutput')",
          e);
    }
    return SourceError.query(e, "creating slot.name '" + name + "'");
  }

  private void drop() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_catalog.pg_drop_replication_slot(?)")) {
      statement.setString(1, name);
      statement.execute();
    }
  }
}
