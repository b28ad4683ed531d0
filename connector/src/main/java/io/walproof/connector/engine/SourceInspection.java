package io.walproof.connector.engine;

import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.TableId;
import java.sql.Connection;
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
  private boolean slotExists;

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
    try (Connection connection = SourcePreparation.connect(settings)) {
      if (answer.isPresent()) {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answer.get().toMillis()));
      }
      ok(Step.CONNECTION, "connected as '" + settings.get("database.user") + "'");
      connected(connection);
    } catch (CaptureException e) {
      failed(Step.CONNECTION, e);
    } catch (SQLException e) {
      failed(Step.CONNECTION, SourceError.query(e, "closing the connection"));
    }
    return new Report(results, tables, slotExists);
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
      publicationExists = setup.exists();
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
    if (!publicationExists) {
      String older = PublicationStep.olderSlot(settings, slot.get());
      if (!acceptGap) {
        throw SlotCheck.gap(older);
      }
      warn(Step.SLOT, "the start will report this gap: " + older);
    } else if (slot.get().isLost()) {
      if (!acceptGap || (positionKnown && stored.isEmpty())) {
        throw ReplicationSlot.lost(name, slot.get());
      }
      warn(
          Step.SLOT,
          "slot.name '"
              + name
              + "' is lost; a start with a stored position drops it and reports the gap");
    } else if (slot.get().activePid() != 0 && positionKnown) {
      warn(
          Step.SLOT,
          "slot.name '"
              + name
              + "' is in use by the server process "
              + slot.get().activePid()
              + "; stop the other consumer before the start, or choose another slot.name");
    } else {
      ok(
          Step.SLOT,
          "slot.name '" + name + "' exists" + (slot.get().activePid() == 0 ? " and is free" : ""));
    }
  }

  private void step(Step step, Work work) {
    try {
      work.run();
    } catch (CaptureException e) {
      if (e.getCause() instanceof SQLException sql && isLocked(sql)) {
        locked(step);
      } else {
        failed(step, e);
      }
    } catch (SQLException e) {
      if (isLocked(e)) {
        locked(step);
      } else {
        failed(step, SourceError.query(e, "inspecting the source"));
      }
    }
  }

  private static boolean isLocked(SQLException e) {
    return SourceError.is(e, SourceError.LOCK_NOT_AVAILABLE);
  }

  /** A start waits for locks far longer than is waited for here. */
  private void locked(Step step) {
    warn(step, "could not be looked at now: somebody holds locks on the tables");
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
