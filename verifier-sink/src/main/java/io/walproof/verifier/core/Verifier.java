package io.walproof.verifier.core;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes changed keys and decides every one of them. Whoever feeds it calls {@link #submit} from its
 * own thread and commits offsets up to the {@link Watermark}; whoever owns it calls {@link #start}
 * and {@link #stop}, once each. Thread-safe.
 */
public final class Verifier {

  /**
   * What the verifier works with. It closes the row accesses and the confirmation when it stops,
   * and leaves the audit log open.
   *
   * @param time the clock
   * @param audit where evidence goes
   * @param firstRows rows for the first reads
   * @param recheckRows rows for the rechecks, on connections of their own
   * @param replay the replay confirmation
   * @param versions where versions of rows that keep changing come from
   */
  public record Parts(
      Time time,
      AuditLog audit,
      RowAccess firstRows,
      RowAccess recheckRows,
      ReplayConfirmation replay,
      VersionSource versions) {

    /** Without versions. */
    public Parts(
        Time time,
        AuditLog audit,
        RowAccess firstRows,
        RowAccess recheckRows,
        ReplayConfirmation replay) {
      this(time, audit, firstRows, recheckRows, replay, VersionSource.none());
    }
  }

  private static final int TABLES_PER_SUMMARY = 1_000;

  @FunctionalInterface
  private interface Work {
    void run() throws InterruptedException;
  }

  private final Parts parts;
  private final Ledger ledger = new Ledger();
  private final Scope scope = new Scope();
  private final PendingBoard board;
  private final Recorder recorder;
  private final Recheck recheck;
  private final Cancellation cancel = new Cancellation();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong gaps = new AtomicLong();
  private final List<Thread> workers = new ArrayList<>();

  /** A verifier that has not started. */
  public Verifier(VerifierLimits limits, Parts parts) {
    this.parts = parts;
    this.board = new PendingBoard(parts.time(), limits, ledger, parts.versions().book());
    this.recorder = new Recorder(parts.audit(), ledger, board);
    FirstCheck first =
        new FirstCheck(
            parts.time(), limits, board, new PlanCache(parts.firstRows(), scope), recorder, cancel);
    this.recheck =
        new Recheck(
            parts.time(),
            limits,
            board,
            new PlanCache(parts.recheckRows(), scope),
            parts.replay(),
            parts.versions(),
            recorder,
            cancel);
    workers.add(worker("walproof-first-check", first::run));
    workers.add(worker("walproof-recheck", recheck::run));
  }

  /** Starts the workers. */
  public void start() {
    workers.forEach(Thread::start);
  }

  /**
   * Takes in a change; waits while {@code verify.pending.max} keys are undecided.
   *
   * @return false if verification was stopped and the change was not taken
   * @throws VerifierException if verification has failed
   */
  public boolean submit(ChangedKey change, Watermark watermark) throws InterruptedException {
    return submit(change, Stratum.CDC, watermark);
  }

  /**
   * Takes in a key that a change or a range check named; waits while {@code verify.pending.max}
   * keys are undecided. Its records carry the stratum.
   *
   * @return false if verification was stopped and the key was not taken
   * @throws VerifierException if verification has failed
   */
  public boolean submit(ChangedKey change, Stratum stratum, Watermark watermark)
      throws InterruptedException {
    return submit(change, Optional.empty(), stratum, watermark);
  }

  /**
   * Takes in a change that the stream shows, with its row; waits while {@code verify.pending.max}
   * keys are undecided.
   *
   * @return false if verification was stopped and the change was not taken
   * @throws VerifierException if verification has failed
   */
  public boolean submit(ChangedKey change, StreamedRow row, Watermark watermark)
      throws InterruptedException {
    return submit(change, Optional.of(row), Stratum.CDC, watermark);
  }

  private boolean submit(
      ChangedKey change, Optional<StreamedRow> row, Stratum stratum, Watermark watermark)
      throws InterruptedException {
    throwIfFailed();
    boolean taken = board.offer(change, row, stratum, watermark);
    throwIfFailed();
    return taken;
  }

  /** The stream shows changes of the table's rows that are not submitted, or not by key. */
  public void missedChangesOf(TableId table) {
    board.versions().lost(table);
  }

  /** What is kept of the versions of rows, for its figures. */
  public VersionBook versions() {
    return board.versions();
  }

  /**
   * Ends keys as incomplete without a look at their rows. When they are submitted later, each is
   * observed anew.
   *
   * @param reason why they must not be checked now
   * @param detail a sentence for people
   * @throws VerifierException if verification has failed
   */
  public void setAside(List<ChangedKey> keys, IncompleteReason reason, String detail) {
    throwIfFailed();
    recorder.setAside(keys, reason, detail);
  }

  /** Makes an entry durable that is no key check's own, such as a range check's beginning. */
  public void record(AuditEntry entry) {
    throwIfFailed();
    parts.audit().append(List.of(entry));
  }

  /** Counts a change of a table that cannot be judged, by reason. */
  public void countSkipped(TableId table, String reason) {
    ledger.skippedAtOnce(table, reason);
  }

  /** Counts a record of the stream that concerns no key, by reason. */
  public void countIgnored(String reason) {
    ledger.ignoredRecord(reason);
  }

  /** Makes a drift event durable before its position can be committed. */
  public void record(DriftEvent event) {
    throwIfFailed();
    parts.audit().append(List.of(new AuditEntry.Drift(event)));
    if (event.isGap()) {
      board.versions().lost();
      gaps.incrementAndGet();
      ledger.gap(event.table(), event.lsn());
    }
  }

  /** A gap that somebody else has recorded: the verdicts start after it. */
  public void startAfter(DriftEvent gap) {
    ledger.gap(gap.table(), gap.lsn());
  }

  /** Stretches of the stream that were lost, so that nothing in them can be judged. */
  public long gaps() {
    return gaps.get();
  }

  /**
   * Gives up the streams' keys that wait: they are audited as incomplete and stay above the
   * streams' offsets, so that whoever reads on from there checks them again. Keys that a worker is
   * about to decide are decided.
   *
   * @throws io.walproof.verifier.audit.AuditException if that cannot be recorded
   */
  public void abandon(Collection<Watermark> streams) {
    PendingBoard.Leftovers left = board.abandon(streams);
    if (failure.get() == null) {
      recorder.revoked(left.unread(), left.deferred());
    }
  }

  /**
   * Gives up a stream's keys that wait: they are audited as incomplete. Keys that a worker is about
   * to decide are decided.
   *
   * @throws io.walproof.verifier.audit.AuditException if that cannot be recorded
   */
  public void cancel(Watermark stream) {
    PendingBoard.Leftovers left = board.abandon(List.of(stream));
    if (failure.get() == null) {
      recorder.cancelled(left.unread(), left.deferred());
    }
  }

  /**
   * The counts so far. In several records where there are many tables, so that none grows beyond
   * what a topic takes; each has the same total.
   */
  public List<AuditEntry> summaries() {
    return summaries(Map.of());
  }

  /**
   * The counts so far together with others'.
   *
   * @param others by table
   */
  public List<AuditEntry> summaries(Map<TableId, Coverage> others) {
    Map<TableId, Coverage> tables = new TreeMap<>(perTable());
    others.forEach((table, more) -> tables.merge(table, more, Coverage::plus));
    Coverage total = Coverage.sum(tables.values());
    List<AuditEntry> summaries = new ArrayList<>();
    Map<TableId, Coverage> part = new TreeMap<>();
    for (Map.Entry<TableId, Coverage> table : tables.entrySet()) {
      part.put(table.getKey(), table.getValue());
      if (part.size() == TABLES_PER_SUMMARY) {
        summaries.add(summary(total, part));
        part.clear();
      }
    }
    if (!part.isEmpty() || summaries.isEmpty()) {
      summaries.add(summary(total, part));
    }
    return summaries;
  }

  private AuditEntry summary(Coverage total, Map<TableId, Coverage> tables) {
    Map<TableId, ColumnsLeftOut> columns = new TreeMap<>(scope.leftOut());
    columns.keySet().retainAll(tables.keySet());
    return new AuditEntry.Summary(total, tables, ledger.verdictsAfter(tables.keySet()), columns);
  }

  /** Whether {@link #submit} would not wait. */
  public boolean hasRoom() {
    return board.hasRoom();
  }

  /** The counts over all tables. */
  public Coverage total() {
    return ledger.total();
  }

  /** The counts per table. */
  public Map<TableId, Coverage> perTable() {
    return ledger.perTable();
  }

  /** Records of the stream that concerned no key, by reason. */
  public Map<String, Long> ignoredRecords() {
    return ledger.ignoredRecords();
  }

  /** Columns that exist on both sides and cannot be compared, by table, each with the reason. */
  public Map<TableId, List<String>> columnsNotCompared() {
    Map<TableId, List<String>> notCompared = new TreeMap<>();
    scope
        .leftOut()
        .forEach(
            (table, columns) -> {
              if (!columns.notCompared().isEmpty()) {
                notCompared.put(table, columns.notCompared());
              }
            });
    return notCompared;
  }

  /** What no verdict covers of the tables whose changed keys were read. */
  public Map<TableId, ColumnsLeftOut> columnsLeftOut() {
    return scope.leftOut();
  }

  /** Undecided keys. */
  public int pending() {
    return board.pending();
  }

  /** Undecided keys that wait for their recheck. */
  public int deferred() {
    return board.deferredCount();
  }

  /** How long the oldest mismatch on hold has been there; zero if there is none. */
  public Duration oldestDeferred() {
    return board.oldestDeferred();
  }

  /** How long until the next recheck; empty while nothing is on hold. */
  public Optional<Duration> untilRecheck() {
    return board.untilRecheck();
  }

  /** What the waits for replay have shown. */
  public ReplayStatus replayStatus() {
    return recheck.status();
  }

  /** What stopped verification, empty while it works. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  /**
   * Stops: running statements are cancelled, and what is pending is audited as incomplete without
   * being closed, so that a restart checks it again.
   *
   * @param atMost how long to wait for the workers
   * @return whether everything ended in time
   */
  public boolean stop(Duration atMost) throws InterruptedException {
    board.stop();
    cancel.cancel();
    boolean ended = true;
    long end = parts.time().nanoTime() + atMost.toNanos();
    for (Thread worker : workers) {
      long left = Math.max(1, (end - parts.time().nanoTime()) / 1_000_000);
      worker.join(left);
      ended &= !worker.isAlive();
    }
    if (ended && failure.get() == null) {
      PendingBoard.Leftovers leftovers = board.takeAll();
      recorder.abandoned(leftovers.unread(), leftovers.deferred());
    }
    parts.firstRows().close();
    parts.recheckRows().close();
    parts.replay().close();
    return ended;
  }

  private Thread worker(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                fail(e);
              } catch (RuntimeException | Error e) {
                fail(e);
              }
            },
            name);
    thread.setDaemon(true);
    return thread;
  }

  private void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    board.stop();
    cancel.cancel();
  }

  private void throwIfFailed() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new VerifierException("verification has stopped: " + cause.getMessage(), cause);
    }
  }
}
