package io.walproof.verifier.core;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.SimulatedApplier.Behaviour;
import io.walproof.verifier.core.SimulatedDatabase.Change;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.row.HeldCommits;
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
  private final MemoryAudit audit = new MemoryAudit();
  private final List<String> trace = new ArrayList<>();
  private final List<Integer> transactionOfSequence = new ArrayList<>();
  private Ledger ledger;
  private PendingBoard board;
  private VersionBook book;
  private FirstCheck firstCheck;
  private Recheck recheck;
  private Watermark watermark;
  private final Deque<Long> hiddenSince = new ArrayDeque<>();
  private final boolean valuesRecur;
  private final World world;

  /** How far the stream was ever shown, also before it went back. */
  private int shown;

  private int delivered;
  private boolean writing = true;
  private long nextValue;

  /**
   * What a history is made of.
   *
   * @param valuesRecur whether rows take the same few values again and again, or never one twice
   * @param versionsBytes how much memory versions of rows may take; 0 keeps none
   * @param hot whether rows hardly ever rest
   */
  record World(boolean valuesRecur, long versionsBytes, boolean hot) {}

  /** A history. */
  VerdictSimulation(long seed, Behaviour behaviour, World world) {
    this.random = new Random(seed);
    this.world = world;
    this.valuesRecur = world.valuesRecur();
    this.applier = new SimulatedApplier(behaviour, source, target, random);
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
    Recorder recorder = new Recorder(audit, ledger, board);
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
  VerdictSimulation run(int steps, boolean crashes) {
    for (int i = 0; i < steps; i++) {
      step();
      if (crashes && random.nextInt(60) == 0) {
        crash();
      }
    }
    writing = false;
    int patience = 10_000;
    while (!(applier.caughtUp()
        && delivered == source.transactions()
        && source.revealed() == delivered
        && board.pending() == 0)) {
      step();
      if (patience-- == 0) {
        throw new AssertionError("the history does not come to rest\n" + story());
      }
    }
    return this;
  }

  private void step() {
    move();
    switch (random.nextInt(3)) {
      case 0 -> {
        List<KeyEntry> due = board.takeDueKeys(atOnce());
        if (!due.isEmpty()) {
          firstCheck.check(due);
        }
      }
      case 1 -> {
        List<Deferred> due = board.takeDueDeferred(atOnce());
        if (!due.isEmpty()) {
          recheck(due);
        }
      }
      default -> {}
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
      applier.step();
    }
    if (writing && world.versionsBytes() > 0 && random.nextInt(400) == 0) {
      goBack();
    }
    switch (random.nextInt(5)) {
      case 0 -> write();
      case 1 -> deliver();
      case 2 -> source.reveal(source.revealed() + random.nextInt(4));
      default -> applier.step();
    }
  }

  /** Queries see a commit one settle time later at the latest: that is what settling means. */
  private void revealSettled() {
    while (!hiddenSince.isEmpty() && time.nanoTime() - hiddenSince.peek() >= SETTLE.toNanos()) {
      hiddenSince.remove();
      source.reveal(source.transactions() - hiddenSince.size());
    }
  }

  private void write() {
    if (!writing) {
      return;
    }
    List<Change> changes = new ArrayList<>();
    for (int n = 1 + random.nextInt(2); n > 0; n--) {
      int key = random.nextInt(KEYS);
      if (changes.stream().noneMatch(c -> c.key() == key) && !source.isLocked(key)) {
        boolean delete = source.holds(key) && random.nextInt(4) == 0;
        boolean sameValue = valuesRecur && source.holds(key) && random.nextInt(5) == 0;
        long fresh = valuesRecur ? random.nextInt(VALUES) : nextValue++;
        long value = sameValue ? source.value(key) : fresh;
        if (random.nextInt(4) == 0) {
          // What the transaction passes through and nobody else ever sees.
          long between = valuesRecur ? random.nextInt(VALUES) : nextValue++;
          changes.add(new Change(key, between, source.holds(key) && random.nextInt(3) == 0));
        }
        changes.add(new Change(key, value, delete));
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    source.commit(changes);
    hiddenSince.add(time.nanoTime());
    if (random.nextBoolean()) {
      source.reveal(source.transactions());
    }
    trace.add("source " + source.transactions() + " " + changes);
  }

  private void deliver() {
    if (delivered == source.transactions()) {
      return;
    }
    for (Change change : source.transaction(delivered)) {
      try {
        board.offer(
            new ChangedKey(
                TABLE,
                key(change.key()),
                change.delete() ? Operation.DELETE : Operation.UPDATE,
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
            io.walproof.verifier.model.AuditEntry.Stratum.CDC,
            watermark);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      transactionOfSequence.add(delivered);
    }
    delivered++;
    shown = Math.max(shown, delivered);
  }

  /** The capture starts its stream anew, from what is decided; the process lives on. */
  private void goBack() {
    int resume = resume();
    trace.add("the stream goes back to transaction " + (resume + 1));
    delivered = resume;
  }

  private int resume() {
    int decided = (int) watermark.decidedThrough();
    return decided == transactionOfSequence.size() ? delivered : transactionOfSequence.get(decided);
  }

  /** The process dies; its successor resumes with the whole transaction that is not decided. */
  private void crash() {
    int resume = resume();
    trace.add("crash, resume at transaction " + (resume + 1));
    delivered = resume;
    boot();
  }

  private static RowKey key(int id) {
    return VerifierHarness.key(id);
  }

  private static int id(RowKey key) {
    return Integer.parseInt(key.texts().get(0));
  }

  List<Decision> decisions() {
    return audit.decisions();
  }

  int observations() {
    return audit.observations().size();
  }

  Coverage coverage() {
    return ledger.total();
  }

  Watermark watermark() {
    return watermark;
  }

  /** Keys whose rows differ between the two databases now. */
  List<RowKey> differing() {
    List<RowKey> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      if (source.holds(i) && (!target.holds(i) || target.value(i) != source.value(i))) {
        keys.add(key(i));
      }
    }
    return keys;
  }

  /** The last verdict that names the key, empty if its last check matched. */
  Optional<Decision> lastDecision(RowKey key) {
    return decisions().stream().filter(d -> d.key().equals(key)).reduce((a, b) -> b);
  }

  String story() {
    return String.join("\n", trace);
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
      SimulatedDatabase database = side == Side.SOURCE ? source : target;
      List<KeyRead> rows = keys.stream().map(key -> database.read(id(key))).toList();
      trace.add(side.text() + " read " + keys.stream().map(RowKey::texts).toList() + " " + rows);
      return new BatchRead.Rows(
          rows, side == Side.SOURCE ? Optional.of(visible) : Optional.empty());
    }

    @Override
    public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
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
      trace.add("mark " + source.transactions());
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
      // Its commit waits for the synchronous standby, as those before it do.
      source.reveal(source.transactions());
      trace.add("boundary " + source.transactions());
      return new Emission.Emitted(new Boundary(Optional.of(new Lsn(source.transactions())), ""));
    }

    @Override
    public Result await(
        Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
      while (applier.durable() < boundary.lsn().orElseThrow().value()) {
        if (deadline.hasPassed()) {
          return new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, "simulated");
        }
        move();
      }
      return new Result.Confirmed(Set.of());
    }

    @Override
    public void close() {}
  }
}
