package io.walproof.verifier.assembly;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.core.VersionSource;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.PublishedRows;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmations;
import io.walproof.verifier.row.ColumnSettingsCheck;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.TargetNamesCheck;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A running verifier with the connections that it owns. Opened and stopped by one thread; the
 * verifier itself is thread-safe.
 */
public final class AssembledVerifier {

  /** How long the workers get once their connections are gone. */
  private static final Duration AFTER_CUT_OFF = Duration.ofSeconds(5);

  private final Database source;
  private final Database target;
  private final DatabaseIdentity sourceIdentity;
  private final DatabaseIdentity targetIdentity;
  private final Verifier verifier;

  private AssembledVerifier(
      Database source,
      Database target,
      DatabaseIdentity sourceIdentity,
      DatabaseIdentity targetIdentity,
      Verifier verifier) {
    this.source = source;
    this.target = target;
    this.sourceIdentity = sourceIdentity;
    this.targetIdentity = targetIdentity;
    this.verifier = verifier;
  }

  /**
   * Checks both databases, finds the replay confirmation, records the run's scope, and starts the
   * workers.
   *
   * @param settings what to do
   * @param audit where evidence goes; stays open when the verifier stops
   * @param time the clock
   * @throws io.walproof.verifier.database.DatabaseException if a database cannot be used
   * @throws io.walproof.verifier.replay.ConfirmationException if replay cannot be confirmed
   */
  public static AssembledVerifier start(VerifierSettings settings, AuditLog audit, Time time) {
    return start(settings, audit, time, VersionSource.none());
  }

  /**
   * The same, with versions of rows from a stream of changes.
   *
   * @param versions where they come from
   */
  public static AssembledVerifier start(
      VerifierSettings settings, AuditLog audit, Time time, VersionSource versions) {
    return start(settings, audit, time, true, new Cancellation(), versions);
  }

  /**
   * The same.
   *
   * @param beginsRun whether a run begins with it, whose scope is recorded
   * @param cancel ends the start
   */
  static AssembledVerifier start(
      VerifierSettings settings,
      AuditLog audit,
      Time time,
      boolean beginsRun,
      Cancellation cancel) {
    return start(settings, audit, time, beginsRun, cancel, VersionSource.none());
  }

  private static AssembledVerifier start(
      VerifierSettings settings,
      AuditLog audit,
      Time time,
      boolean beginsRun,
      Cancellation cancel,
      VersionSource versions) {
    Database source = Databases.open(settings.source(), time);
    Database target = Databases.open(settings.target(), time);
    boolean started = false;
    try {
      DatabaseIdentity sourceIdentity = Databases.check(source, time, cancel);
      DatabaseIdentity targetIdentity = Databases.check(target, time, cancel);
      Databases.requireDistinct(sourceIdentity, targetIdentity);
      if (beginsRun) {
        // Later a table that they name may be gone, which is no mistake in them.
        TargetNamesCheck.require(source, target, settings.rows(), time);
        ColumnSettingsCheck.require(source, target, settings.rows(), time);
      }
      ReplayConfirmation replay =
          ReplayConfirmations.create(settings.confirmation(), source, target, time, cancel);
      if (beginsRun) {
        audit.append(List.of(scope(settings, replay, sourceIdentity, targetIdentity)));
      }
      Verifier verifier =
          new Verifier(
              settings.limits(),
              new Verifier.Parts(
                  time,
                  audit,
                  rows(settings, source, target, time),
                  rows(settings, source, target, time),
                  replay,
                  versions));
      verifier.start();
      started = true;
      return new AssembledVerifier(source, target, sourceIdentity, targetIdentity, verifier);
    } finally {
      if (!started) {
        source.close();
        target.close();
      }
    }
  }

  private static RowAccess rows(
      VerifierSettings settings, Database source, Database target, Time time) {
    return PublishedRows.create(source, target, settings.rows(), settings.route(), time);
  }

  private static AuditEntry.RunStart scope(
      VerifierSettings settings,
      ReplayConfirmation replay,
      DatabaseIdentity source,
      DatabaseIdentity target) {
    return new AuditEntry.RunStart(
        RowAccesses.RULES_VERSION,
        replay.strategy(),
        settings.limits().ignoredApps().stream().sorted().toList(),
        settings.scope(),
        Optional.of(new AuditedDatabases(source.forAudit(), target.forAudit())));
  }

  /**
   * Refuses source rows from another cluster than the changes: transaction ids and LSNs would mean
   * nothing there.
   *
   * @param systemIdentifier of the cluster that the changes come from
   * @throws DatabaseException if the rows come from another
   */
  public void requireSourceCluster(String systemIdentifier) {
    if (!sourceIdentity.systemIdentifier().equals(systemIdentifier)) {
      throw new DatabaseException(
          "verify.source.jdbc.url leads to another cluster (system identifier "
              + sourceIdentity.systemIdentifier()
              + ") than database.hostname ("
              + systemIdentifier
              + "). Rows must be read from the server that is streamed; leave verify.source.jdbc.url"
              + " out.");
    }
  }

  /** Which database source rows are read from. */
  public DatabaseIdentity source() {
    return sourceIdentity;
  }

  /** Which database target rows are read from. */
  public DatabaseIdentity target() {
    return targetIdentity;
  }

  /** The verifier. */
  public Verifier verifier() {
    return verifier;
  }

  /**
   * Stops the verifier and closes its connections. A read on a dead network does not notice its
   * cancellation; closing the pools cuts it off, so that its keys are audited too.
   *
   * @param atMost how long to wait for running work
   * @return whether everything ended in time
   */
  public boolean stop(Duration atMost) throws InterruptedException {
    try {
      if (verifier.stop(atMost)) {
        return true;
      }
      source.close();
      target.close();
      return verifier.stop(AFTER_CUT_OFF);
    } finally {
      source.close();
      target.close();
    }
  }
}
