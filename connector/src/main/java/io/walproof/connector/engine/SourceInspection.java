package io.walproof.connector.engine;

import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.TableId;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a start would find on the source, told step by step instead of by the first failure. Nothing
 * is left behind: the publication is set up in a transaction that is rolled back, and no slot is
 * created. Belongs to one thread.
 */
public final class SourceInspection {

  private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'";

  private final CaptureSettings settings;
  private final Optional<Position> stored;

  /** Whether a position that is not stored is known not to be. */
  private final boolean positionKnown;

  private final List<Result> results = new ArrayList<>();
  private List<TableId> tables = List.of();

  /** The slot, if there is one; empty itself while that is not known. */
  private Optional<Optional<SlotState>> found = Optional.empty();

  /** Whose WAL the source has, once a step has found out. */
  private Optional<WalOrigin> origin = Optional.empty();

  /** Until something else is found. */
  private boolean publicationExists = true;

  private SourceInspection(
      CaptureSettings settings, Optional<Position> stored, boolean positionKnown) {
    this.positionKnown = positionKnown;
    this.settings = settings;
    this.stored = stored;
  }

  /**
   * What was looked at.
   *
   * @param finding what was found
   * @param refusal what a start would end with, of failures
   */
  public record Result(Finding finding, Optional<CaptureException> refusal) {}

  /**
   * All findings.
   *
   * @param results in the order of a start's steps; a step whose ground is missing is left out
   * @param tables the included tables, empty if they could not be found out
   */
  public record Report(List<Result> results, List<TableId> tables) {
    /** Copies. */
    public Report {
      results = List.copyOf(results);
      tables = List.copyOf(tables);
    }
  }

  /**
   * Inspects. Never throws for what the server answers.
   *
   * @param settings the source's
   * @param stored the position that the start would resume from
   */
  public static Report of(CaptureSettings settings, Optional<Position> stored) {
    return new SourceInspection(settings, stored, true).inspect(Optional.empty());
  }

  /**
   * Inspects for whoever does not know which position a start would resume from, nor whether the
   * slot is in use by the very connector that is asked about.
   *
   * @param settings the source's
   * @param answer how long the server may take for each answer
   */
  public static Report withoutPosition(CaptureSettings settings, Duration answer) {
    return new SourceInspection(settings, Optional.empty(), false).inspect(Optional.of(answer));
  }

  private Report inspect(Optional<Duration> answer) {
    heartbeats();
    try (Connection connection = SourcePreparation.connect(settings)) {
      if (answer.isPresent()) {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answer.get().toMillis()));
      }
      ok(Check.SOURCE_CONNECTION, "connected as '" + settings.get("database.user") + "'");
      connected(connection);
    } catch (CaptureException e) {
      failed(Check.SOURCE_CONNECTION, e);
    } catch (SQLException e) {
      failed(Check.SOURCE_CONNECTION, SourceError.query(e, "closing the connection"));
    }
    return new Report(results, tables);
  }

  private interface Work {
    void run() throws SQLException;
  }

  private void connected(Connection connection) {
    step(Check.SOURCE_SERVER, () -> server(connection));
    List<SourceTable> included = new ArrayList<>();
    step(
        Check.SOURCE_TABLES,
        () -> {
          included.addAll(SourceCatalog.included(connection, settings));
          DebeziumLimits.check(connection, included);
          HistoryRoom.check(settings, included, history());
          tables = included.stream().map(SourceTable::table).toList();
          ok(Check.SOURCE_TABLES, "the settings include " + count(included.size(), "table"));
          keys(included);
        });
    if (!included.isEmpty()) {
      step(Check.PUBLICATION, () -> publication(connection, included));
    }
    step(Check.SLOT, () -> slot(connection));
    step(Check.SOURCE_CAPACITY, () -> capacity(connection));
  }

  /** Without heartbeats a slot keeps what others write while its own tables are idle. */
  private void heartbeats() {
    if ("0".equals(settings.get("heartbeat.interval.ms"))) {
      warn(
          Check.SETTINGS,
          "heartbeat.interval.ms=0: while the published tables are idle the slot keeps all WAL of"
              + " the others; set it to 10000");
    }
  }

  private void capacity(Connection connection) throws SQLException {
    SourceCapacity capacity = SourceCapacity.read(connection);
    add(capacity.retention());
    // A slot that could not be looked at may be one of those in use.
    found.ifPresent(
        slot ->
            add(
                capacity.room(
                    slot.isPresent(), slot.filter(each -> each.activePid() != 0).isPresent())));
  }

  private void keys(List<SourceTable> included) {
    List<TableId> keyless =
        included.stream().filter(table -> !table.keyed()).map(SourceTable::table).toList();
    if (!keyless.isEmpty()) {
      add(Finding.keyless(keyless));
    }
  }

  private void add(Finding finding) {
    results.add(new Result(finding, Optional.empty()));
  }

  private SchemaHistory history() {
    return stored.map(Position::history).orElseGet(SchemaHistory::empty);
  }

  private void server(Connection connection) throws SQLException {
    Server server = ServerCheck.check(connection, settings);
    origin = Optional.of(server.origin());
    ok(
        Check.SOURCE_SERVER,
        "PostgreSQL "
            + server.version() / 10_000
            + "."
            + server.version() % 10_000
            + (server.standby() ? " (a standby)" : "")
            + ", wal_level logical, the role may replicate");
    if (isSqlAscii(connection)) {
      warn(
          Check.ENCODING,
          "the source is SQL_ASCII: one changed row that is no UTF-8 ends the stream for good. Move"
              + " the database to UTF8: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0");
    }
  }

  private static boolean isSqlAscii(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_catalog.current_setting('server_encoding')")) {
      row.next();
      return row.getString(1).equals("SQL_ASCII");
    }
  }

  private void publication(Connection connection, List<SourceTable> included) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK_TIMEOUT);
      PublicationSetup setup = new PublicationSetup(connection, settings);
      setup.lapsed(included, history());
      publicationExists = setup.exists();
      setup.ensure(included);
      String name = "publication.name '" + settings.get("publication.name") + "' ";
      setup
          .changes()
          .ifPresentOrElse(
              change -> ok(Check.PUBLICATION, "the start will run: " + change),
              () -> ok(Check.PUBLICATION, name + "carries every included table"));
      setup.warnings().forEach(warning -> warn(Check.PUBLICATION, warning));
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private void slot(Connection connection) throws SQLException {
    String name = settings.get("slot.name");
    Optional<SlotState> slot = SlotState.read(connection, name);
    found = Optional.of(slot);
    WalOrigin source = origin.isPresent() ? origin.get() : SourceOrigin.read(connection, settings);
    Optional<String> problem =
        stored.flatMap(position -> Continuity.of(name, slot, position, source).problem());
    boolean acceptGap = settings.drift().acceptGap();
    if (problem.isPresent() && !acceptGap) {
      throw SlotCheck.gap(problem.get());
    }
    problem.ifPresent(gap -> warn(Check.SLOT, "the start will report this gap: " + gap));
    if (slot.isEmpty()) {
      ok(Check.SLOT, "the start will create slot.name '" + name + "'");
      return;
    }
    ReplicationSlot.checkKind(settings, slot.get());
    if (!publicationExists) {
      String older = PublicationStep.olderSlot(settings, slot.get());
      if (!acceptGap) {
        throw SlotCheck.gap(older);
      }
      warn(Check.SLOT, "the start will report this gap: " + older);
    } else if (slot.get().isLost()) {
      if (!acceptGap || (positionKnown && stored.isEmpty())) {
        throw ReplicationSlot.lost(name, slot.get());
      }
      warn(
          Check.SLOT,
          "slot.name '"
              + name
              + "' is lost; a start with a stored position drops it and reports the gap");
    } else if (slot.get().activePid() != 0 && positionKnown) {
      warn(
          Check.SLOT,
          "slot.name '"
              + name
              + "' is in use by the server process "
              + slot.get().activePid()
              + "; stop the other consumer before the start, or choose another slot.name");
    } else {
      ok(
          Check.SLOT,
          "slot.name '" + name + "' exists" + (slot.get().activePid() == 0 ? " and is free" : ""));
    }
  }

  private void step(Check check, Work work) {
    try {
      work.run();
    } catch (CaptureException e) {
      if (e.getCause() instanceof SQLException sql && isLocked(sql)) {
        locked(check);
      } else {
        failed(check, e);
      }
    } catch (SQLException e) {
      if (isLocked(e)) {
        locked(check);
      } else {
        failed(check, SourceError.query(e, "inspecting the source"));
      }
    }
  }

  private static boolean isLocked(SQLException e) {
    return SourceError.is(e, SourceError.LOCK_NOT_AVAILABLE);
  }

  /** A start waits for locks far longer than is waited for here. */
  private void locked(Check check) {
    warn(check, "could not be looked at now: somebody holds locks on the tables");
  }

  private void ok(Check check, String text) {
    add(Finding.ok(check, text));
  }

  private void warn(Check check, String text) {
    add(Finding.warning(check, text));
  }

  private void failed(Check check, CaptureException e) {
    results.add(new Result(Finding.failure(check, e.getMessage()), Optional.of(e)));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
