package io.walproof.standalone.run;

import io.walproof.connector.catalog.FileCatalogStore;
import io.walproof.connector.connect.SourceCounters;
import io.walproof.connector.connect.SourceGauges;
import io.walproof.connector.engine.CaptureEngine;
import io.walproof.connector.offset.FilePositionStore;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.metrics.Gauges;
import io.walproof.standalone.ExitStatus;
import io.walproof.verifier.assembly.AssembledVerifier;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.EvidenceCopy;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.connect.SinkGauges;
import io.walproof.verifier.connect.TimedAuditLog;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.core.VersionSource;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.versions.VersionBook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connector and verifier in one process: starts them in order, moves the offset behind what is
 * decided, and ends them in order. Owned by one thread, which calls {@link #tick} every now and
 * then.
 */
public final class RunSession {

  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);

  /** The offsets' file in the state directory. */
  public static final String OFFSETS_FILE = "offsets.json";

  /** What the source's catalog said last, in the state directory. */
  private static final String CATALOG_FILE = "catalog.json";

  /** What range checks proved so far, in the state directory. */
  static final String RANGE_LEDGERS = "range";

  /** The keys of diverted tables, in the state directory. */
  public static final String DIVERTED_FILE = "diverted.jsonl";

  private static final int POSITIONS_HELD = 10_000;

  private final RunSettings settings;
  private final String runId;
  private final Time time;
  private final StateDirectory state;
  private final TimedAuditLog audit;
  private final FilePositionStore offsets;
  private final AssembledVerifier assembled;
  private final RunRanges ranges;
  private final Intake intake;
  private final SourceCounters counters;
  private final DivertedKeys diverted;
  private final CaptureEngine engine;
  private final Idleness idleness;
  private long lastCommitAt;
  private long lastSummaryAt;

  private RunSession(
      RunSettings settings,
      String runId,
      Time time,
      StateDirectory state,
      TimedAuditLog audit,
      FilePositionStore offsets,
      AssembledVerifier assembled,
      RunRanges ranges,
      Intake intake,
      SourceCounters counters,
      DivertedKeys diverted,
      CaptureEngine engine) {
    this.settings = settings;
    this.runId = runId;
    this.time = time;
    this.state = state;
    this.audit = audit;
    this.offsets = offsets;
    this.assembled = assembled;
    this.ranges = ranges;
    this.intake = intake;
    this.counters = counters;
    this.diverted = diverted;
    this.engine = engine;
    this.idleness = new Idleness(time, new RunStream());
    this.lastCommitAt = time.nanoTime();
    this.lastSummaryAt = time.nanoTime();
  }

  /**
   * Starts a run. On failure everything that was opened is closed again, and the exception's
   * message is for the operator.
   *
   * @param settings what to do
   * @param time the clock
   * @param observer is shown every audit entry once it is durable, on the thread that wrote it
   */
  public static RunSession start(
      RunSettings settings, Time time, Consumer<List<AuditEntry>> observer)
      throws InterruptedException {
    String runId = UUID.randomUUID().toString();
    Deque<Runnable> undo = new ArrayDeque<>();
    boolean started = false;
    try {
      StateDirectory state = StateDirectory.open(settings.stateDirectory());
      undo.push(state::close);
      FilePositionStore offsets = FilePositionStore.open(offsetsFile(state.path()));
      TimedAuditLog audit =
          new TimedAuditLog(
              new ObservedAudit(
                  FileAuditLog.open(
                      state, runId, time, settings.auditRotateBytes(), EvidenceCopy.NONE),
                  observer),
              time);
      undo.push(audit::close);
      KnownDrift known = KnownDrift.read(state.auditFile());
      RunChangeStream stream = new RunChangeStream();
      AssembledVerifier assembled =
          AssembledVerifier.start(
              settings.verifier(),
              audit,
              time,
              new VersionSource(
                  new VersionBook(settings.versions().maxBytes()),
                  stream,
                  settings.versions().timeout()));
      undo.push(() -> endFailedStart(assembled, audit, settings.shutdownTimeout()));
      RunRanges ranges = RunRanges.of(settings, state.path().resolve(RANGE_LEDGERS), audit, time);
      SourceCounters counters = new SourceCounters();
      DivertedKeys diverted =
          new DivertedKeys(
              DivertedStore.open(state.path().resolve(DIVERTED_FILE), settings.divertedMax()),
              assembled.verifier(),
              settings.divertedMax());
      Intake intake =
          new Intake(
              assembled.verifier(), time, POSITIONS_HELD, known, ranges::drift, counters, diverted);
      CaptureEngine engine =
          CaptureEngine.start(
              settings.capture(),
              offsets,
              new FileCatalogStore(state.path().resolve(CATALOG_FILE)),
              intake,
              time);
      undo.push(engine::close);
      if (assembled.verifier().versions().isOn()) {
        stream.begins(engine, intake);
      }
      // By the server's own word: before a first snapshot there is no position to ask.
      assembled.requireSourceCluster(engine.systemIdentifier());
      ranges.start();
      started = true;
      return new RunSession(
          settings, runId, time, state, audit, offsets, assembled, ranges, intake, counters,
          diverted, engine);
    } finally {
      if (!started) {
        undo.forEach(Runnable::run);
      }
    }
  }

  /** Where a state directory keeps its offsets. */
  public static Path offsetsFile(Path stateDirectory) {
    return stateDirectory.resolve(OFFSETS_FILE);
  }

  /**
   * Commits the offset and writes a summary when they are due.
   *
   * @throws RuntimeException what stopped the engine or the verification
   */
  public void tick() {
    throwIfFailed();
    long now = time.nanoTime();
    if (now - lastCommitAt >= settings.commitInterval().toNanos()) {
      lastCommitAt = now;
      commit();
    }
    if (now - lastSummaryAt >= settings.summaryInterval().toNanos()) {
      lastSummaryAt = now;
      audit.append(verifier().summaries(ranges.keys()));
    }
  }

  private void throwIfFailed() {
    Optional<Throwable> failure = verifier().failure().or(engine::failure).or(ranges::failure);
    if (failure.isPresent()) {
      throw failure.get() instanceof RuntimeException runtime
          ? runtime
          : new IllegalStateException(failure.get().getMessage(), failure.get());
    }
  }

  private void commit() {
    intake.committable().ifPresent(offsets::write);
    diverted.forgetChecked(offsets.durable().map(Position::decided).orElse(ChangeOrdinal.NONE));
  }

  /** What this run's records carry. */
  public String runId() {
    return runId;
  }

  /**
   * What waits for an operator to accept a shape: diverted tables, and keys of theirs that are
   * kept. A run with any is not clean.
   */
  public long diverted() {
    long tables =
        intake
            .last()
            .or(offsets::durable)
            .map(position -> position.history().diversions().size())
            .orElse(0);
    return tables + diverted.kept();
  }

  /** Where the evidence is. */
  public Path auditFile() {
    return state.auditFile();
  }

  /** The verifier, for its figures. */
  public Verifier verifier() {
    return assembled.verifier();
  }

  /** The range checks that the run does by itself. */
  public RunRanges ranges() {
    return ranges;
  }

  /** The counts over all tables, range checks' keys included. */
  public Coverage total() {
    List<Coverage> all = new ArrayList<>(ranges.keys().values());
    all.add(verifier().total());
    return Coverage.sum(all);
  }

  /** The same by table. */
  public Map<TableId, Coverage> perTable() {
    Map<TableId, Coverage> all = new TreeMap<>(verifier().perTable());
    ranges.keys().forEach((table, its) -> all.merge(table, its, Coverage::plus));
    return all;
  }

  /** Mismatches that wait for their recheck, range checks' included. */
  public OnHold onHold() {
    return new OnHold(verifier().deferred(), verifier().oldestDeferred()).and(ranges.onHold());
  }

  /** Registers what this run shows of itself; until its end. */
  public void describe(Gauges source, Gauges verifier) {
    SourceGauges.describe(source, counters);
    SinkGauges.register(verifier, verifier(), audit);
    ranges.describe(verifier);
  }

  /**
   * Asks the source how much WAL the slot holds back, for the gauges; takes as long as the source
   * takes. On any thread.
   *
   * @return bytes, empty if that cannot be told
   */
  public OptionalLong measureSlotLag() {
    OptionalLong lag = engine.slotLag();
    counters.slotLag(lag);
    return lag;
  }

  /** The position that a restart would resume from. */
  public Optional<Lsn> durableLsn() {
    return offsets.durable().map(Position::resume);
  }

  /**
   * Whether nothing is pending, no range check is under way, no change came in for the duration,
   * and none is on its way: a stream that is silent may be far behind, or broken. Never while the
   * drift policy halts the run: its end is about to come.
   */
  public boolean idleFor(Duration duration) {
    return !engine.halting()
        && ranges.isIdle()
        && diverted.isUnderWay()
        && idleness.lastedFor(duration);
  }

  /**
   * Ends the run: what is pending is audited as incomplete and stays above the offset, so that a
   * restart checks it again. Everything is closed, also when a step fails.
   *
   * @throws RuntimeException if the last position could not be written; the end is recorded then,
   *     as a failure
   * @param reason for the record, such as {@code stopped} or {@code failed}
   * @param exitStatus the process's exit status, asked for once the counts are final
   */
  public void end(String reason, Supplier<ExitStatus> exitStatus) throws InterruptedException {
    try {
      intake.stop();
      ranges.stop();
      if (!assembled.stop(settings.shutdownTimeout())) {
        LOG.warn("The verifier's workers did not stop within the shutdown timeout");
      }
      engine.close();
      RuntimeException unwritten = unwritten(this::commit);
      Coverage total = total();
      ExitStatus status = unwritten == null ? exitStatus.get() : ExitStatus.ERROR;
      List<AuditEntry> last = new ArrayList<>(verifier().summaries(ranges.keys()));
      last.add(
          new AuditEntry.RunEnd(
              unwritten == null ? reason : "failed", total, OptionalLong.of(status.code())));
      audit.append(last);
      if (unwritten != null) {
        throw unwritten;
      }
    } finally {
      engine.close();
      audit.close();
      state.close();
    }
  }

  /** What kept the last commit from being written, which must not hide the run's end; or null. */
  static RuntimeException unwritten(Runnable commit) {
    try {
      commit.run();
      return null;
    } catch (PositionStoreException | DivertedStoreException e) {
      return e;
    }
  }

  /** A run that the audit knows the beginning of gets its end there too. */
  private static void endFailedStart(AssembledVerifier assembled, AuditLog audit, Duration atMost) {
    try {
      assembled.stop(atMost);
      audit.append(
          List.of(
              new AuditEntry.RunEnd(
                  "failed to start",
                  assembled.verifier().total(),
                  OptionalLong.of(ExitStatus.ERROR.code()))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // The failure that is under way says more.
      LOG.warn("The end of the run could not be recorded", e);
    }
  }

  private final class RunStream implements Idleness.Stream {
    @Override
    public int pending() {
      return verifier().pending();
    }

    @Override
    public long lastChangeAt() {
      return intake.lastChangeAt();
    }

    @Override
    public Lsn reached() {
      return intake.reached();
    }

    @Override
    public boolean rangesIdle() {
      return ranges.isIdle();
    }

    @Override
    public Optional<Lsn> mark() {
      return engine.mark();
    }
  }

  /** Shows durable entries to somebody else too. */
  private record ObservedAudit(AuditLog log, Consumer<List<AuditEntry>> observer)
      implements AuditLog {
    @Override
    public void append(List<AuditEntry> entries) {
      log.append(entries);
      observer.accept(entries);
    }

    @Override
    public void close() {
      log.close();
    }
  }
}
