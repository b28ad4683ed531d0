package io.walproof.connector.engine;

import io.walproof.connector.catalog.WalEnd;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a start that sees to the publication, and to what was changed while it did not carry
 * what it should: that is refused, or accepted, remembered durably, and only then made invisible.
 */
final class PublicationStep {

  private static final Logger LOG = LoggerFactory.getLogger(PublicationStep.class);

  private final Connection connection;
  private final CaptureSettings settings;
  private final ReplicationSlot slot;
  private final Server server;
  private final GapEvents words;
  private final GapIntent intent;
  private final PublicationSetup publication;

  PublicationStep(
      Connection connection,
      CaptureSettings settings,
      ReplicationSlot slot,
      Server server,
      GapEvents words,
      GapIntent intent) {
    this.connection = connection;
    this.settings = settings;
    this.slot = slot;
    this.server = server;
    this.words = words;
    this.intent = intent;
    this.publication = new PublicationSetup(connection, settings);
  }

  /**
   * What came of it.
   *
   * @param stored the position that the start goes on from, without what {@code gaps} tell
   * @param gaps accepted gaps that the slot does not show
   * @param slotsProblem why the slot was removed, if it was
   */
  record Done(Optional<Position> stored, List<DriftEvent> gaps, Optional<String> slotsProblem) {}

  /**
   * Does it.
   *
   * @param stored the durable position
   * @throws CaptureException with the SQL to run, or for a gap that was not accepted
   */
  Done run(List<SourceTable> included, Optional<Position> stored)
      throws SQLException, InterruptedException {
    Done done = publication.exists() ? complete(included, stored) : make(included, stored);
    publication.changes().ifPresent(change -> LOG.info("Ran on the source: {}", change));
    publication.warnings().forEach(LOG::warn);
    return done;
  }

  /** What is wrong where the slot is there and the publication is not. */
  static String olderSlot(CaptureSettings settings, SlotState slot) {
    return "slot.name '"
        + settings.get("slot.name")
        + "' is older than publication.name '"
        + settings.get("publication.name")
        + "', which does not exist yet; changes from "
        + slot.confirmed()
        + " on were not published and cannot be delivered";
  }

  /**
   * Makes the publication. A slot that is there already reaches back to before it, and what it has
   * was published by none. It is removed together with the making: a start that finds no slot knows
   * of the gap.
   */
  private Done make(List<SourceTable> included, Optional<Position> stored)
      throws SQLException, InterruptedException {
    Optional<SlotState> older = slot.state();
    if (older.isEmpty()) {
      publication.ensure(included);
      return new Done(stored, List.of(), Optional.empty());
    }
    Lsn confirmed = older.get().confirmed();
    String problem = olderSlot(settings, older.get());
    if (!settings.drift().acceptGap()) {
      throw SlotCheck.gap(problem);
    }
    Optional<Position> from = stored;
    if (stored.isEmpty() && !settings.readsSnapshot()) {
      Position start = Position.start(confirmed, SchemaHistory.empty(), server.noted());
      intent.keep(start);
      from = Optional.of(start);
    }
    connection.setAutoCommit(false);
    try {
      publication.ensure(included);
      slot.drop();
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    return new Done(from, List.of(), Optional.of(problem));
  }

  /** Completes the publication. */
  private Done complete(List<SourceTable> included, Optional<Position> stored)
      throws SQLException, InterruptedException {
    List<DriftEvent> gaps = new ArrayList<>();
    if (stored.isEmpty() && publication.isNewerThan(slot.name()) && !settings.readsSnapshot()) {
      gaps.add(maybeUnpublished());
    }
    Set<TableId> owed = new LinkedHashSet<>(stored.map(Position::unpublished).orElseGet(List::of));
    SchemaHistory captured = stored.map(Position::history).orElseGet(SchemaHistory::empty);
    if (owed.addAll(publication.lapsed(included, captured))) {
      intent.keep(stored.orElseThrow().withUnpublished(List.copyOf(owed)));
    }
    publication.ensure(included);
    if (!owed.isEmpty()) {
      Lsn to = walEnd();
      Lsn from = stored.orElseThrow().resume();
      owed.forEach(table -> gaps.add(words.unpublished(table, from, to)));
    }
    return new Done(
        stored.map(position -> position.withUnpublished(List.of())), gaps, Optional.empty());
  }

  /** The slot was there before the publication got its present form. */
  private DriftEvent maybeUnpublished() throws SQLException {
    return words.undelivered(
        slot.state().map(SlotState::confirmed).orElse(Lsn.NONE),
        walEnd(),
        "publication.name '"
            + settings.get("publication.name")
            + "' was made, or got other options, after slot.name '"
            + slot.name()
            + "'; changes before that may not have been published");
  }

  private Lsn walEnd() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT (" + WalEnd.SQL + ")::text")) {
      row.next();
      return Lsn.parse(row.getString(1));
    }
  }
}
