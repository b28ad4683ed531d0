package io.walproof.verifier.assembly;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.ExactWitness;
import io.walproof.verifier.range.Findings;
import io.walproof.verifier.range.KeyChecks;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmations;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.schedule.ReadingTurn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A range check with a verifier of its own for the rows that differ, and the connections that both
 * own. Opened and stopped by one thread.
 */
public final class AssembledRangeCheck {

  private static final Duration POLL = Duration.ofMillis(50);

  private final AssembledVerifier assembled;
  private final Database source;
  private final Database target;
  private final ReplayConfirmation replay;
  private final Function<Own, RangeCheck.Parts> parts;
  private final boolean restart;
  private final Time time;
  private Optional<Alone> asked = Optional.empty();

  private AssembledRangeCheck(
      AssembledVerifier assembled,
      Database source,
      Database target,
      ReplayConfirmation replay,
      Function<Own, RangeCheck.Parts> parts,
      boolean restart,
      Time time) {
    this.assembled = assembled;
    this.source = source;
    this.target = target;
    this.replay = replay;
    this.parts = parts;
    this.restart = restart;
    this.time = time;
  }

  /** What checks do not share. */
  private record Own(KeyChecks keys, boolean restart) {}

  /**
   * Checks both databases, finds the replay confirmation, and starts the key checks' workers.
   *
   * @param settings of the key checks, their databases included
   * @param limits of the range checks
   * @param ledgers the directory for ledgers
   * @param restart forgets what earlier checks of the same claims proved
   * @param audit where evidence goes; stays open when the check stops
   * @param time the clock
   * @throws io.walproof.verifier.database.DatabaseException if a database cannot be used
   * @throws io.walproof.verifier.replay.ConfirmationException if replay cannot be confirmed
   */
  public static AssembledRangeCheck start(
      VerifierSettings settings,
      RangeLimits limits,
      Path ledgers,
      boolean restart,
      AuditLog audit,
      Time time) {
    return start(settings, limits, ledgers, restart, audit, time, true, new Cancellation());
  }

  /**
   * The same.
   *
   * @param beginsRun whether a run begins with it, whose scope is recorded
   * @param cancel ends the start
   */
  static AssembledRangeCheck start(
      VerifierSettings settings,
      RangeLimits limits,
      Path ledgers,
      boolean restart,
      AuditLog audit,
      Time time,
      boolean beginsRun,
      Cancellation cancel) {
    Findings findings = new Findings(limits.namedKeys());
    AssembledVerifier assembled =
        AssembledVerifier.start(
            settings, new WatchedAudit(audit, findings), time, beginsRun, cancel);
    Database source = Databases.open(settings.source(), time);
    Database target = Databases.open(settings.target(), time);
    boolean started = false;
    try {
      ReplayConfirmation replay =
          ReplayConfirmations.create(
              settings.confirmation().beside("range"), source, target, time, cancel);
      RangeAccess access = RowAccesses.createRanges(source, target, settings.rows(), time);
      String databases = name(assembled.source()) + ' ' + name(assembled.target());
      Function<Own, RangeCheck.Parts> parts =
          own ->
              new RangeCheck.Parts(
                  time,
                  limits,
                  access,
                  replay,
                  own.keys(),
                  findings,
                  ledgers,
                  databases,
                  own.restart(),
                  limits.exact()
                      ? Optional.of(witness(settings, target, replay, limits, time))
                      : Optional.empty());
      started = true;
      return new AssembledRangeCheck(assembled, source, target, replay, parts, restart, time);
    } finally {
      if (!started) {
        source.close();
        target.close();
        stopQuietly(assembled);
      }
    }
  }

  /** It keeps one session, so that nobody else ends it. */
  private static ExactWitness witness(
      VerifierSettings settings,
      Database target,
      ReplayConfirmation replay,
      RangeLimits limits,
      Time time) {
    DatabaseSettings own = settings.source().withConnections(1);
    return new ExactWitness(
        time, Databases.open(own, time), target, replay, limits.replayTimeout());
  }

  private static String name(DatabaseIdentity identity) {
    return identity.systemIdentifier() + '/' + identity.name();
  }

  private static void stopQuietly(AssembledVerifier assembled) {
    try {
      assembled.stop(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The check of all claims, on the thread that asks. */
  public RangeCheck check() {
    if (asked.isEmpty()) {
      VerifiedKeys keys = new VerifiedKeys(assembled.verifier(), time);
      asked = Optional.of(alone(restart, keys, keys));
    }
    return asked.get().check();
  }

  /**
   * Another check, for one claim on one thread; its keys are awaited apart from others'.
   *
   * @param restart forgets what earlier checks of the claim proved
   * @param turn is given away once only keys are awaited
   */
  Alone alone(boolean restart, ReadingTurn turn) {
    VerifiedKeys keys = new VerifiedKeys(assembled.verifier(), time);
    return alone(restart, keys, new PoliteKeys(keys, turn));
  }

  private Alone alone(boolean restart, VerifiedKeys keys, KeyChecks asChecked) {
    // The witness' evidence lies between two reads of one table; while keys are awaited, others
    // read.
    RangeCheck.Parts own = parts.apply(new Own(asChecked, restart));
    return new Alone(
        new RangeCheck(own), () -> assembled.verifier().cancel(keys.watermark), own.witness());
  }

  /**
   * A check and a way to give up the keys that it named.
   *
   * @param check the check
   * @param giveUp records those that are undecided as such
   * @param witness its own
   */
  record Alone(RangeCheck check, Runnable giveUp, Optional<ExactWitness> witness)
      implements AutoCloseable {

    /** How far it has come; empty before and after. */
    Optional<RangeCheck.Status> progress() {
      return check.progress();
    }

    @Override
    public void close() {
      witness.ifPresent(ExactWitness::close);
    }
  }

  /** The key checks of rows that differ, for their figures. */
  public Verifier verifier() {
    return assembled.verifier();
  }

  /**
   * Stops the key checks and closes the connections.
   *
   * @param atMost how long to wait for running work
   * @return whether everything ended in time
   */
  public boolean stop(Duration atMost) throws InterruptedException {
    try {
      return assembled.stop(atMost);
    } finally {
      asked.ifPresent(Alone::close);
      replay.close();
      source.close();
      target.close();
    }
  }

  /** Shows durable entries to the findings. */
  private record WatchedAudit(AuditLog log, Findings findings) implements AuditLog {
    @Override
    public void append(List<AuditEntry> entries) {
      log.append(entries);
      findings.accept(entries);
    }

    @Override
    public void close() {
      log.close();
    }
  }

  /** Lets others read once only keys are awaited: nothing is read after that. */
  private static final class PoliteKeys implements KeyChecks {
    private final KeyChecks keys;
    private final ReadingTurn turn;

    PoliteKeys(KeyChecks keys, ReadingTurn turn) {
      this.keys = keys;
      this.turn = turn;
    }

    @Override
    public boolean submit(TableId table, RowKey key) throws InterruptedException {
      return keys.submit(table, key);
    }

    @Override
    public boolean awaitDecided(Deadline deadline, Cancellation cancel)
        throws InterruptedException {
      turn.give();
      return keys.awaitDecided(deadline, cancel);
    }

    @Override
    public void record(AuditEntry entry) {
      keys.record(entry);
    }
  }

  /** The verifier as range checks see it. */
  private static final class VerifiedKeys implements KeyChecks {
    private final Verifier verifier;
    private final Time time;
    private final Watermark watermark = new Watermark();

    VerifiedKeys(Verifier verifier, Time time) {
      this.verifier = verifier;
      this.time = time;
    }

    @Override
    public boolean submit(TableId table, RowKey key) throws InterruptedException {
      ChangedKey named = new ChangedKey(table, key, Operation.READ, Lsn.NONE, 0, time.now(), null);
      return verifier.submit(named, Stratum.RANGE, watermark);
    }

    @Override
    public boolean awaitDecided(Deadline deadline, Cancellation cancel)
        throws InterruptedException {
      while (watermark.decidedThrough() < watermark.issued()) {
        if (cancel.isCancelled() || deadline.hasPassed() || verifier.failure().isPresent()) {
          return false;
        }
        cancel.await(time, POLL);
      }
      return true;
    }

    @Override
    public void record(AuditEntry entry) {
      verifier.record(entry);
    }
  }
}
