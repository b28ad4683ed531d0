package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The slot of the settings on the source: looked at, waited for, made and removed. */
final class ReplicationSlot {

  private static final Duration POLL = Duration.ofMillis(100);

  private final Connection connection;
  private final CaptureSettings settings;
  private final int serverVersion;
  private final Time time;
  private final String name;

  ReplicationSlot(Connection connection, CaptureSettings settings, int serverVersion, Time time) {
    this.connection = connection;
    this.settings = settings;
    this.serverVersion = serverVersion;
    this.time = time;
    this.name = settings.slotName();
  }

  /** Its name. */
  String name() {
    return name;
  }

  /**
   * What it is like now, empty if there is none.
   *
   * @throws CaptureException if it is not one of ours
   */
  Optional<SlotState> state() throws SQLException {
    Optional<SlotState> slot = SlotState.read(connection, name);
    if (slot.isPresent()) {
      checkKind(settings, slot.get());
    }
    return slot;
  }

  /** Waits until nobody has it, and gives what it is like then. */
  Optional<SlotState> awaitFree() throws SQLException, InterruptedException {
    Optional<SlotState> slot = state();
    return slot.isPresent() ? Optional.of(awaitFree(slot.get())) : slot;
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

  /**
   * Makes the slot, after the publication. A transaction that was open meanwhile would leave it as
   * if it needed the catalog from before the publication was made; it has ended now, so another one
   * tells the truth.
   *
   * @return from where on it delivers everything
   */
  Lsn create() throws SQLException {
    Lsn from = createOnce();
    if (new PublicationSetup(connection, settings).isNewerThan(name)) {
      drop();
      from = createOnce();
    }
    return from;
  }

  private Lsn createOnce() throws SQLException {
    boolean failover = "true".equals(settings.get("slot.failover")) && serverVersion >= 170000;
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

  /** Removes it, whatever it still holds. */
  void drop() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_catalog.pg_drop_replication_slot(?)")) {
      statement.setString(1, name);
      statement.execute();
    }
  }
}
