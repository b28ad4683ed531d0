package io.walproof.verifier.core;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.SimulatedDatabase.Change;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.TablePlan;
import io.walproof.verifier.versions.ChangeStream;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One seeded history of a virtual source, a virtual applier and the real intake, deferral, recheck
 * and decision code, in one thread on a virtual clock. The world moves between any two reads, so
 * every interleaving that real servers could show can come up. The same seed gives the same
 * history.
 */
final class VerdictSimulation {

  private static final TableId TABLE = new TableId("sim", "t");
  private static final int KEYS = 4;
  private static final int VALUES = 3;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration SETTLE = TICK.multipliedBy(3);

  private final Random random;
  private final ManualTime time = new MovingTime();
  private final SimulatedDatabase source = new SimulatedDatabase(KEYS);
  private final SimulatedDatabase target = new SimulatedDatabase(KEYS);
  private final SimulatedApplier applier;
  private final SimulatedWitness witness;
  private final Supplier<AuditLog> audits;
  private final SimulatedTrace trace;
  private AuditLog audit;
  private final List<Integer> transactionOfSequence = new ArrayList<>();
  private Ledger ledger;
  private PendingBoard board;
  private VersionBook book;
  private FirstCheck firstCheck;
  private Recheck recheck;
  private Watermark watermark;
  private final Deque<Long> hiddenSince = new ArrayDeque<>();
  private final World world;

  /** How far the stream was ever shown, also before it went back. */
  private int shown;

  private int delivered;

  /** The transaction that a restart resumes with. */
  private int committed;

  /** Changes that this process took in. */
  private long taken;

  private boolean writing = true;
  private int nextValue;

  /**
   * What a history is made of.
   *
   * @param valuesRecur whether rows take the same few values again and again, or never one twice
   * @param versionsBytes how much memory versions of rows may take; 0 keeps none
   * @param hot whether rows hardly ever rest
   * @param dies whether the process dies now and then, wherever it is
   * @param held whether the source's synchronous standby is slow: commits are not seen for long
   * @param troubled whether reads and boundaries fail now and then
   */
  record World(
      boolean valuesRecur,
      long versionsBytes,
      boolean hot,
      boolean dies,
      boolean held,
      boolean troubled) {}

  /** The process ends here and now. */
  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Death() {
      super("the process died", null, false, false);
    }
  }

  /**
   * A history.
   *
   * @param audits opens the audit, for each process anew
   */
  VerdictSimulation(
      long seed,
      Behaviour behaviour,
      World world,
      SimulatedTrace trace,
      Supplier<AuditLog> audits) {
    this.random = new Random(seed);
    this.world = world;
    this.trace = trace;
    this.audits = audits;
    this.applier = new SimulatedApplier(behaviour, source, target, random);
    this.witness = new SimulatedWitness(behaviour, world.valuesRecur(), source, target);
    boot();
  }

  /** A verifier process starts with nothing in memory. */
  private void boot() {
    VerifierLimits limits =
        new VerifierLimits(
            SETTLE,
            TICK.multipliedBy(12),
            1 + random.nextInt(4),
            TICK.multipliedBy(30),
            Duration.ZERO,
            Duration.ofSeconds(30),
            1_000_000,
            Set.of());
    ledger = new Ledger();
    book = new VersionBook(world.versionsBytes());
    board = new PendingBoard(time, limits, ledger, book);
    shown = 0;
    taken = 0;
    audit = audits.get();
    Recorder recorder = new Recorder(new WitnessedAudit(), ledger, board);
    Cancellation cancel = new Cancellation();
    firstCheck =
        new FirstCheck(
            time, limits, board, new PlanCache(new Rows(), new Scope()), recorder, cancel);
    recheck =
        new Recheck(
            time,
            limits,
            board,
            new PlanCache(new Rows(), new Scope()),
            new Replay(),
            new VersionSource(book, new Stream(), TICK.multipliedBy(20)),
            recorder,
            cancel);
    watermark = new Watermark();
    transactionOfSequence.clear();
  }

  /** Runs the history to its end, where nothing is pending. */
  VerdictSimulation run(int steps) {
    for (int i = 0; i < steps; i++) {
      live();
    }
    writing = false;
    int patience = 10_000;
    while (!(applier.caughtUp()
        && delivered == source.transactions()
        && source.revealed() == delivered
        && board.pending() == 0)) {
      live();
      if (patience-- == 0) {
        throw new AssertionError("the history does not come to rest");
      }
    }
    commitOffset();
    if (committed != source.transactions()) {
      throw new AssertionError("nothing is pending, and the offset stays at " + committed);
    }
    requireCoverage();
    witness.ended(world.held() || world.troubled());
    audit.close();
    return this;
  }

  private void live() {
    try {
      step();
    } catch (Death e) {
      crash();
    }
  }

  private void step() {
    anythingMayHappen();
    move();
    switch (random.nextInt(4)) {
      case 0 -> {
        List<KeyEntry> due = board.takeDueKeys(atOnce());
        if (!due.isEmpty()) {
          witness.begins();
          firstCheck.check(due);
        }
      }
      case 1 -> {
        List<Deferred> due = board.takeDueDeferred(atOnce());
        if (!due.isEmpty()) {
          witness.begins();
          recheck(due);
        }
      }
      case 2 -> requireCoverage();
      default -> {}
    }
  }

  /** Where another thread may commit the offset, and where the process may die. */
  private void anythingMayHappen() {
    if (random.nextInt(8) == 0) {
      commitOffset();
    }
    if (world.dies() && writing && random.nextInt(120) == 0) {
      throw new Death();
    }
  }

  private boolean trouble() {
    return world.troubled() && writing && random.nextInt(12) == 0;
  }

  /** Invariant I, at any moment; refuses counts that do not add up by itself. */
  private void requireCoverage() {
    Coverage coverage = ledger.total();
    if (coverage.pending() != board.pending() || coverage.observed() < taken) {
      throw new AssertionError(
          taken + " changes, " + board.pending() + " pending, but counted " + coverage);
    }
  }

  private int atOnce() {
    return world.hot() ? 30 : 3;
  }

  private void recheck(List<Deferred> due) {
    try {
      recheck.round(due);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A wait of the code under test: the world moves on. */
  private final class MovingTime extends ManualTime {
    @Override
    public void waitOn(Object monitor, Duration atMost) {
      anythingMayHappen();
      move();
    }
  }

  /** The world goes on by itself. */
  private void move() {
    time.advance(TICK);
    revealSettled();
    if (world.hot()) {
      // The stream and the applier keep up with what is written.
      if (random.nextBoolean()) {
        write();
      }
      deliver();
      apply();
    }
    if (writing && world.versionsBytes() > 0 && random.nextInt(400) == 0) {
      goBack();
    }
    switch (random.nextInt(5)) {
      case 0 -> write();
      case 1 -> deliver();
      case 2 -> {
        int upTo = source.revealed() + random.nextInt(4);
        if (standbyAnswers()) {
          reveal(upTo);
        }
      }
      default -> apply();
    }
  }

  private boolean standbyAnswers() {
    return !world.held() || random.nextInt(12) == 0;
  }

  private void reveal(int upTo) {
    witness.visible(source.reveal(upTo));
  }

  private void apply() {
    int before = applier.applied();
    SimulatedApplier.Applied written = applier.step();
    witness.applied(applier.applied(), written);
    if (!written.keys().isEmpty() || applier.applied() != before) {
      trace.add(() -> "applied up to " + applier.applied() + ", wrote " + written);
    }
  }

  /**
   * Queries see a commit one settle time later at the latest: that is what settling means. Where
   * anything is in trouble it takes longer, and where it waits for a standby longer than a
   * recheck's delay.
   */
  private void revealSettled() {
    int settles = world.held() ? 8 : world.troubled() ? 3 : 1;
    long longest = SETTLE.toNanos() * settles;
    while (!hiddenSince.isEmpty() && time.nanoTime() - hiddenSince.peek() >= longest) {
      hiddenSince.remove();
      reveal(source.transactions() - hiddenSince.size());
    }
  }

  private void write() {
    if (!writing) {
      return;
    }
    List<Change> changes = new ArrayList<>();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int key = random.nextInt(KEYS);
      if (changes.stream().noneMatch(c -> c.key() == key) && !source.isLocked(key)) {
        boolean delete = source.holds(key) && random.nextInt(4) == 0;
        boolean sameValue = world.valuesRecur() && source.holds(key) && random.nextInt(5) == 0;
        long fresh = fresh();
        long value = sameValue ? source.value(key) : fresh;
        if (random.nextInt(4) == 0) {
          // What the transaction passes through and nobody else ever sees.
          changes.add(new Change(key, fresh(), source.holds(key) && random.nextInt(3) == 0));
        }
        changes.add(new Change(key, value, delete));
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    source.commit(changes);
    witness.committed(changes);
    hiddenSince.add(time.nanoTime());
    if (random.nextBoolean() && standbyAnswers()) {
      reveal(source.transactions());
    }
    trace.add(() -> "source transaction " + source.transactions() + ": " + brief(changes));
  }

  /** The left column is never what the right one is, nor is what is left of that cut short. */
  private long fresh() {
    int n = world.valuesRecur() ? random.nextInt(VALUES) : nextValue++;
    return SimulatedDatabase.row(2 * n + 1, 1_000_000 + 20 * n);
  }

  private void deliver() {
    if (delivered == source.transactions()) {
      return;
    }
    for (Change change : source.transaction(delivered)) {
      Operation operation = change.delete() ? Operation.DELETE : Operation.UPDATE;
      witness.delivered(delivered, change.key(), operation);
      try {
        board.offer(
            new ChangedKey(
                TABLE,
                key(change.key()),
                operation,
                new Lsn(delivered + 1),
                delivered + 1,
                Instant.EPOCH,
                VerifierHarness.SHAPE),
            Optional.of(
                new StreamedRow(
                    new Lsn(delivered + 1L),
                    delivered < shown,
                    change.delete()
                        ? Optional.empty()
                        : Optional.of(OneColumnStream.row(change.value())))),
            Stratum.CDC,
            watermark);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      transactionOfSequence.add(delivered);
      taken++;
    }
    delivered++;
    shown = Math.max(shown, delivered);
  }

  /** The capture starts its stream anew, from what is durable; the process lives on. */
  private void goBack() {
    trace.add(() -> "the stream goes back to transaction " + (committed + 1));
    delivered = committed;
  }

  /** Makes durable where a restart resumes: with the first transaction that is not decided. */
  private void commitOffset() {
    int decided = (int) watermark.decidedThrough();
    int resume =
        decided == transactionOfSequence.size() ? delivered : transactionOfSequence.get(decided);
    committed = Math.max(committed, resume);
    witness.offsetCommitted(committed);
  }

  /** The process dies; its successor resumes where the offset was last committed. */
  private void crash() {
    trace.add(() -> "crash, resume at transaction " + (committed + 1));
    witness.died();
    audit.close();
    delivered = committed;
    boot();
  }

  private static RowKey key(int id) {
    return VerifierHarness.key(id);
  }

  private static String brief(List<Change> changes) {
    return changes.stream()
        .map(c -> c.key() + (c.delete() ? " deleted" : " = " + SimulatedDatabase.text(c.value())))
        .collect(Collectors.joining(", "));
  }

  private static String brief(KeyRead read) {
    return read instanceof KeyRead.Found found
        ? SimulatedDatabase.text(found.hash().low()) + " by " + found.xmin()
        : read.getClass().getSimpleName();
  }

  private static String brief(AuditEntry entry) {
    return entry instanceof AuditEntry.Decision decision
        ? "decided: " + SimulatedWitness.id(decision.key()) + " is " + decision.verdict()
        : "on hold: " + SimulatedWitness.id(((AuditEntry.Observation) entry).key());
  }

  SimulatedTally tally() {
    return witness.tally();
  }

  /** Tells the witness what has become durable. */
  private final class WitnessedAudit implements AuditLog {
    @Override
    public void append(List<AuditEntry> entries) {
      anythingMayHappen();
      audit.append(entries);
      entries.forEach(entry -> trace.add(() -> brief(entry)));
      entries.forEach(witness::recorded);
      anythingMayHappen();
    }

    @Override
    public void close() {
      audit.close();
    }
  }

  private final class Rows implements RowAccess {
    @Override
    public Opening open(
        TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
      return new Opening.Ready(new OneColumnPlan(table, keyColumns, "sim"));
    }

    @Override
    public BatchRead read(
        Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
      for (int n = random.nextInt(4); n > 0; n--) {
        move();
      }
      VisibleTransactions visible =
          new VisibleTransactions(source.revealed() + 1, source.revealed() + 1, Set.of());
      if (random.nextInt(3) == 0) {
        move();
      }
      anythingMayHappen();
      IncompleteReason failure =
          side == Side.SOURCE
              ? IncompleteReason.SOURCE_READ_FAILED
              : IncompleteReason.TARGET_READ_FAILED;
      if (trouble()) {
        trace.add(() -> side.text() + " read failed");
        boolean stale = random.nextInt(3) == 0;
        witness.obstacle(stale ? IncompleteReason.SCHEMA_CHANGED : failure);
        return stale ? new BatchRead.PlanStale() : new BatchRead.Failed(failure, "simulated");
      }
      SimulatedDatabase database = side == Side.SOURCE ? source : target;
      List<KeyRead> rows = new ArrayList<>();
      for (RowKey key : keys) {
        if (trouble()) {
          witness.obstacle(failure);
          rows.add(new KeyRead.Unreadable(failure, "simulated"));
        } else {
          rows.add(database.read(SimulatedWitness.id(key)));
          witness.read(side, SimulatedWitness.id(key));
        }
      }
      if (source.revealed() < delivered) {
        witness.obstacle(IncompleteReason.TRANSACTION_NOT_VISIBLE);
      }
      trace.add(
          () ->
              side.text()
                  + " read of "
                  + keys.stream().map(SimulatedWitness::id).toList()
                  + ": "
                  + rows.stream().map(VerdictSimulation::brief).toList());
      return new BatchRead.Rows(
          rows, side == Side.SOURCE ? Optional.of(visible) : Optional.empty());
    }

    @Override
    public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
      anythingMayHappen();
      if (trouble()) {
        witness.obstacle(IncompleteReason.SOURCE_READ_FAILED);
        return new HeldCommits.Unknown(IncompleteReason.SOURCE_READ_FAILED, "simulated");
      }
      if (source.revealed() < source.transactions()) {
        witness.obstacle(IncompleteReason.TRANSACTION_NOT_VISIBLE);
      }
      return new HeldCommits.Known(
          IntStream.range(source.revealed(), source.transactions())
              .mapToObj(Integer::toString)
              .collect(Collectors.toSet()));
    }

    @Override
    public void close() {}
  }

  /** The stream as the verifier may ask for it. */
  private final class Stream implements ChangeStream {
    @Override
    public Optional<Carried> carries() {
      return Optional.of(new Carried("", Set.of(), 0));
    }

    @Override
    public Optional<Lsn> mark() {
      anythingMayHappen();
      trace.add(() -> "mark " + source.transactions());
      return Optional.of(new Lsn(source.transactions()));
    }

    @Override
    public Lsn reached() {
      return new Lsn(delivered);
    }
  }

  private final class Replay implements ReplayConfirmation {
    @Override
    public String strategy() {
      return "simulated";
    }

    @Override
    public Emission emit(Deadline deadline, Cancellation cancel) {
      for (int n = random.nextInt(3); n > 0; n--) {
        move();
      }
      anythingMayHappen();
      if (trouble()) {
        witness.obstacle(IncompleteReason.CONFIRMATION_FAILED);
        return new Emission.Failed(IncompleteReason.CONFIRMATION_FAILED, "simulated");
      }
      // Its commit waits for the synchronous standby, as those before it do.
      reveal(source.transactions());
      witness.boundaryEmitted();
      int boundary = source.transactions();
      trace.add(() -> "boundary " + boundary);
      return new Emission.Emitted(new Boundary(Optional.of(new Lsn(boundary)), ""));
    }

    @Override
    public Result await(
        Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
      while (applier.durable() < boundary.lsn().orElseThrow().value()) {
        if (deadline.hasPassed()) {
          witness.obstacle(IncompleteReason.REPLAY_NOT_CONFIRMED);
          return new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, "simulated");
        }
        anythingMayHappen();
        move();
      }
      witness.boundaryConfirmed();
      return new Result.Confirmed(Set.of());
    }

    @Override
    public void close() {}
  }
}
