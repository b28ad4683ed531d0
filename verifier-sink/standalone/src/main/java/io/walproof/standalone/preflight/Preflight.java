package io.walproof.standalone.preflight;

import io.walproof.connector.engine.SourceInspection;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionFile;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.contract.finding.Grade;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.run.RunSettings;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.preflight.PairFindings;
import io.walproof.verifier.preflight.TableFindings;
import io.walproof.verifier.row.ColumnSettingsCheck;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TargetNamesCheck;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Runs every check that its grounds allow; a failure hides no other. Belongs to one thread. */
final class Preflight {

  private final RunSettings settings;
  private final Time time;
  private final Consumer<String> progress;

  /** Each once, as source and verifier both look at keys. */
  private final Set<Finding> findings = new LinkedHashSet<>();

  private Preflight(RunSettings settings, Time time, Consumer<String> progress) {
    this.settings = settings;
    this.time = time;
    this.progress = progress;
  }

  /**
   * Looks at everything.
   *
   * @param settings of the run that is planned
   * @param progress is told what takes long
   */
  static List<Finding> run(RunSettings settings, Time time, Consumer<String> progress) {
    Preflight preflight = new Preflight(settings, time, progress);
    preflight.run();
    return List.copyOf(preflight.findings);
  }

  private void run() {
    findings.addAll(SettingsFindings.of(settings.verifier()));
    progress.accept("looking at the source");
    SourceInspection.Report report = SourceInspection.of(settings.capture(), stored());
    report.results().forEach(result -> findings.add(result.finding()));
    VerifierSettings verifier = settings.verifier();
    progress.accept("looking at the target");
    try (Database source = Databases.open(verifier.source(), time);
        Database target = Databases.open(verifier.target(), time)) {
      if (identities(source, target)) {
        findings.addAll(new PairFindings(time).of(source, target, Deadline.never(time)));
        namesAndColumns(source, target);
        findings.addAll(
            new TableFindings(source, target, verifier.rows(), verifier.route(), time)
                .of(report.tables(), Deadline.never(time), progress));
        replay(source, target, report.tables());
      }
    }
  }

  /** What was said of single names and columns must fit the catalogs, or the run does not start. */
  private void namesAndColumns(Database source, Database target) {
    RowSettings rows = settings.verifier().rows();
    try {
      TargetNamesCheck.find(source, target, rows, time)
          .forEach(problem -> findings.add(Finding.failure(Check.SETTINGS, problem.text())));
      ColumnSettingsCheck.require(source, target, rows, time);
    } catch (DatabaseException e) {
      findings.add(Finding.failure(Check.SETTINGS, e.getMessage()));
    }
  }

  private Optional<Position> stored() {
    try {
      Optional<Position> stored =
          PositionFile.read(RunSession.offsetsFile(settings.stateDirectory()));
      findings.add(
          Finding.ok(
              Check.STATE,
              stored
                  .map(position -> "the run goes on from " + position.resume())
                  .orElse("the run is the first one")));
      return stored;
    } catch (PositionStoreException e) {
      findings.add(Finding.failure(Check.STATE, e.getMessage()));
      return Optional.empty();
    }
  }

  private void replay(Database source, Database target, List<TableId> tables) {
    progress.accept("waiting for the target to pass a marker");
    findings.addAll(new ReplayFindings(settings.verifier(), time).of(source, target, tables));
  }

  /** Whether both databases can be used. */
  private boolean identities(Database source, Database target) {
    Optional<DatabaseIdentity> here = identity(source, Check.SOURCE_CONNECTION);
    Optional<DatabaseIdentity> there = identity(target, Check.TARGET_CONNECTION);
    if (here.isEmpty() || there.isEmpty()) {
      return false;
    }
    try {
      Databases.requireDistinct(here.get(), there.get());
      findings.add(Finding.ok(Check.DISTINCT, "source and target are two databases"));
      return true;
    } catch (DatabaseException e) {
      findings.add(Finding.failure(Check.DISTINCT, e.getMessage()));
      return false;
    }
  }

  private Optional<DatabaseIdentity> identity(Database database, Check check) {
    try {
      DatabaseIdentity identity = Databases.check(database, time, new Cancellation());
      findings.add(
          Finding.ok(
              check,
              "rows are read from database "
                  + identity.name()
                  + " of PostgreSQL "
                  + identity.version() / 10_000
                  + "."
                  + identity.version() % 10_000
                  + (identity.inRecovery() ? " (a standby)" : "")));
      return Optional.of(identity);
    } catch (DatabaseException e) {
      findings.add(Finding.failure(check, e.getMessage()));
      return Optional.empty();
    }
  }

  /** How many findings have the grade. */
  static long count(List<Finding> findings, Grade grade) {
    return findings.stream().filter(finding -> finding.grade() == grade).count();
  }
}
