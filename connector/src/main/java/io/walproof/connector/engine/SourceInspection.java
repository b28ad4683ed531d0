package io.walproof.connector.engine;

import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
  private final List<Result> results = new ArrayList<>();
  private List<TableId> tables = List.of();
  private boolean slotExists;

  /** Whose WAL the source has, once a step has found out. */
  private Optional<WalOrigin> origin = Optional.empty();

  private SourceInspection(CaptureSettings settings, Optional<Position> stored) {
    this.settings = settings;
    this.stored = stored;
  }

  /** The steps of a start, in order. */
  public enum Step {
    CONNECTION,
    SERVER,
    TABLES,
    PUBLICATION,
    SLOT
  }

  /** How a step went. */
  public enum Grade {
    OK,
    WARNING,
    FAILURE
  }

  /**
   * One finding.
   *
   * @param step what was tried
   * @param grade how it went
   * @param text what was found; a failure's text names the way out
   * @param refusal what a start would end with, of failures
   */
  public record Result(Step step, Grade grade, String text, Optional<CaptureException> refusal) {}

  /**
   * All findings.
   *
   * @param results in the order of the steps; a step whose ground is missing is left out
   * @param tables the included tables, empty if they could not be found out
   * @param slotExists whether the slot was found
   */
  public record Report(List<Result> results, List<TableId> tables, boolean slotExists) {
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
    SourceInspection inspection = new SourceInspection(settings, stored);
    try (Connection connection = SourcePreparation.connect(settings)) {
      inspection.ok(Step.CONNECTION, "connected as '" + settings.get("database.user") + "'");
      inspection.connected(connection);
    } catch (CaptureException e) {
      inspection.failed(Step.CONNECTION, e);
    } catch (SQLException e) {
      inspection.failed(Step.CONNECTION, SourceError.query(e, "closing the connection"));
    }
    return new Report(inspection.results, inspection.tables, inspection.slotExists);
  }

  private interface Work {
    void run() throws SQLException;
  }

  private void connected(Connection connection) {
    step(Step.SERVER, () -> server(connection));
    List<SourceTable> included = new ArrayList<>();
    step(
        Step.TABLES,
        () -> {
          included.addAll(SourceCatalog.included(connection, settings));
          DebeziumLimits.check(connection, included);
          HistoryRoom.check(settings, included, history());
          tables = included.stream().map(SourceTable::table).toList();
          ok(Step.TABLES, "the settings include " + count(included.size(), "table"));
        });
    if (!included.isEmpty()) {
      step(Step.PUBLICATION, () -> publication(connection, included));
    }
    step(Step.SLOT, () -> slot(connection));
  }

  private SchemaHistory history() {
    return stored.map(Position::history).orElseGet(SchemaHistory::empty);
  }

  private void server(Connection connection) throws SQLException {
    Server server = ServerCheck.check(connection, settings);
    origin = Optional.of(server.origin());
    ok(
        Step.SERVER,
        "PostgreSQL "
            + server.version() / 10_000
            + "."
            + server.version() % 10_000
            + (server.standby() ? " (a standby)" : "")
            + ", wal_level logical, the role may replicate");
  }

  private void publication(Connection connection, List<SourceTable> included) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK_TIMEOUT);
      PublicationSetup setup = new PublicationSetup(connection, settings);
      setup.lapsed(included, history());
      setup.ensure(included);
      String name = "publication.name '" + settings.get("publication.name") + "' ";
      setup
          .changes()
          .ifPresentOrElse(
              change -> ok(Step.PUBLICATION, "the start will run: " + change),
              () -> ok(Step.PUBLICATION, name + "carries every included table"));
      setup.warnings().forEach(warning -> warn(Step.PUBLICATION, warning));
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private void slot(Connection connection) throws SQLException {
    String name = settings.get("slot.name");
    Optional<SlotState> slot = SlotState.read(connection, name);
    slotExists = slot.isPresent();
    WalOrigin source = origin.isPresent() ? origin.get() : SourceOrigin.read(connection, settings);
    Optional<String> problem =
        stored.flatMap(position -> Continuity.of(name, slot, position, source).problem());
    boolean acceptGap = settings.drift().acceptGap();
    if (problem.isPresent() && !acceptGap) {
      throw SlotCheck.gap(problem.get());
    }
    problem.ifPresent(gap -> warn(Step.SLOT, "the start will report this gap: " + gap));
    if (slot.isEmpty()) {
      ok(Step.SLOT, "the start will create slot.name '" + name + "'");
      return;
    }
    ReplicationSlot.checkKind(settings, slot.get());
    if (slot.get().isLost()) {
      CaptureException lost = ReplicationSlot.lost(name, slot.get());
      if (!acceptGap) {
        throw lost;
      }
      warn(Step.SLOT, lost.getMessage());
    } else if (slot.get().activePid() != 0) {
      warn(
          Step.SLOT,
          "slot.name '"
              + name
              + "' is in use by the server process "
              + slot.get().activePid()
              + "; stop the other consumer before the start, or choose another slot.name");
    } else {
      ok(Step.SLOT, "slot.name '" + name + "' exists and is free");
    }
  }

  private void step(Step step, Work work) {
    try {
      work.run();
    } catch (CaptureException e) {
      failed(step, e);
    } catch (SQLException e) {
      if (SourceError.is(e, SourceError.LOCK_NOT_AVAILABLE)) {
        warn(step, "could not be looked at now: somebody holds locks on the tables");
      } else {
        failed(step, SourceError.query(e, "inspecting the source"));
      }
    }
  }

  private void ok(Step step, String text) {
    results.add(new Result(step, Grade.OK, text, Optional.empty()));
  }

  private void warn(Step step, String text) {
    results.add(new Result(step, Grade.WARNING, text, Optional.empty()));
  }

  private void failed(Step step, CaptureException e) {
    results.add(new Result(step, Grade.FAILURE, e.getMessage(), Optional.of(e)));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
