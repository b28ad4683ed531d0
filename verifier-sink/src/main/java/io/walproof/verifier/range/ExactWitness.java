package io.walproof.verifier.range;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Evidence that nobody wrote to a table while it was read, for strength {@link Strength#EXACT}. It
 * covers every writer of the source by the WAL, through a temporary slot whose publication sends
 * all of the table's changes:
 *
 * <ol>
 *   <li>The slot is there before the first read. Every transaction that commits later is in what it
 *       yields, and every one that committed before is waited for until reads see it, and until
 *       replay is confirmed past it.
 *   <li>After the last read a message is committed. Whatever a read saw was committed before it, so
 *       the slot yields it before the message. If nothing of it is of the table, all reads saw the
 *       same rows.
 *   <li>What changes rows and is not in the changes, such as rewriting, changes the catalog, and so
 *       does a publication that was changed meanwhile.
 * </ol>
 *
 * <p>The target's other writers are not in the source's WAL: unless it is a physical standby, no
 * transaction at all may have ended there between first and last read. Whatever cannot be shown
 * leaves the result {@link Strength#LIVE}. For one thread; holds one connection, and the slot holds
 * WAL back on the source, from {@link #begin} to {@link #end} or {@link #close}.
 */
public final class ExactWitness implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(50);

  private final Time time;
  private final Database connection;
  private final Transactions source;
  private final Transactions target;
  private final ReplayConfirmation replay;
  private final Duration patience;
  private String slot = "";
  private WitnessedTable state;
  private Optional<String> targetSnapshot = Optional.empty();

  /**
   * A witness that has not begun.
   *
   * @param connection leads to the source and has exactly one connection, which keeps the slot;
   *     closed with the witness
   * @param target the target
   * @param replay confirms replay, on the same thread
   * @param patience the longest of each wait: for the slot, for replay, for open transactions
   */
  public ExactWitness(
      Time time,
      Database connection,
      Database target,
      ReplayConfirmation replay,
      Duration patience) {
    this.time = time;
    this.connection = connection;
    this.source = new Transactions(connection, time);
    this.target = new Transactions(target, time);
    this.replay = replay;
    this.patience = patience;
  }

  /** Carries why nothing is proved. */
  private static final class NotShown extends Exception {
    private static final long serialVersionUID = 1L;

    NotShown(String why) {
      super(why);
    }
  }

  /**
   * Begins; to be called before the first read.
   *
   * @return why nothing can be shown; empty if it has begun
   */
  Optional<String> begin(TableId table, Deadline atMost, Cancellation cancel)
      throws InterruptedException {
    drop();
    try {
      requireOwnSession(atMost, cancel);
      requireSuitable(state(table, atMost, cancel));
      slot = "walproof_exact_" + UUID.randomUUID().toString().replace('-', '_');
      run(
          source,
          "no temporary slot could be created on the source, or transactions stayed open",
          atMost,
          cancel,
          session -> session.text(WitnessSql.CREATE, Session.Parameters.texts(slot)));
      state = state(table, atMost, cancel);
      requireSuitable(state);
      long marked = mark(UUID.randomUUID().toString(), atMost, cancel);
      confirm(table, atMost, cancel);
      awaitEnded(marked, atMost, cancel);
      targetSnapshot = targetSnapshot(atMost, cancel);
      return Optional.empty();
    } catch (NotShown e) {
      drop();
      return Optional.of(e.getMessage());
    }
  }

  /** A pooler would keep the slot, with the WAL that it holds back, for whoever comes next. */
  private void requireOwnSession(Deadline atMost, Cancellation cancel) throws NotShown {
    boolean direct =
        run(source, "the source did not tell who answers", atMost, cancel, Session::isDirect);
    if (!direct) {
      throw new NotShown(
          "the source's rows are read through a connection pooler, which keeps no session for a"
              + " temporary slot; let verify.source.jdbc.url lead to the server itself");
    }
  }

  private static void requireSuitable(WitnessedTable table) throws NotShown {
    if (table.publication().isEmpty()) {
      throw new NotShown("no publication of the source sends every change of the table");
    }
    if (table.shifting()) {
      throw new NotShown("a column's values depend on a type or a function that may be altered");
    }
  }

  /**
   * Ends; to be called after the last read.
   *
   * @return why nothing is shown; empty if nobody wrote to the table since {@link #begin}
   */
  Optional<String> end(TableId table, Deadline atMost, Cancellation cancel)
      throws InterruptedException {
    try {
      Optional<String> targetNow = targetSnapshot(atMost, cancel);
      String token = UUID.randomUUID().toString();
      mark(token, atMost, cancel);
      WitnessedTable now = state(table, atMost, cancel);
      if (!now.equals(state)) {
        throw new NotShown("the table or its publication was altered meanwhile");
      }
      if (wasWritten(token, atMost, cancel)) {
        throw new NotShown("the source's table was written to meanwhile");
      }
      if (!targetNow.equals(targetSnapshot)) {
        throw new NotShown(
            "transactions ended on the target meanwhile, and nothing shows what they wrote");
      }
      return Optional.empty();
    } catch (NotShown e) {
      return Optional.of(e.getMessage());
    } finally {
      drop();
    }
  }

  private WitnessedTable state(TableId table, Deadline atMost, Cancellation cancel)
      throws NotShown {
    Optional<WitnessedTable> read =
        run(
            source,
            "the source's catalog could not be read",
            atMost,
            cancel,
            session ->
                session.query(
                    WitnessSql.STATE,
                    Session.Parameters.texts(table.schema(), table.name()),
                    WitnessedTable::read));
    return read.orElseThrow(() -> new NotShown("the source has no such table"));
  }

  /**
   * Commits a message on the source.
   *
   * @return its transaction: every one that was begun before has a smaller number
   */
  private long mark(String token, Deadline atMost, Cancellation cancel) throws NotShown {
    String transaction =
        run(
            source,
            "no message could be written to the source's WAL",
            atMost,
            cancel,
            session -> {
              session.text(WitnessSql.MARK, Session.Parameters.texts(token));
              return session.text(WitnessSql.OWN_TRANSACTION, Session.Parameters.NONE);
            });
    return Long.parseLong(transaction);
  }

  private void confirm(TableId table, Deadline atMost, Cancellation cancel) throws NotShown {
    Emission emission = replay.emit(bounded(atMost), cancel);
    if (emission instanceof Emission.Failed failed) {
      throw new NotShown(failed.detail());
    }
    ReplayConfirmation.Boundary boundary = ((Emission.Emitted) emission).boundary();
    if (boundary.lsn().isEmpty()) {
      throw new NotShown("no replay is confirmed (verify.replay.confirmation)");
    }
    Result result = replay.await(boundary, Set.of(table), bounded(atMost), cancel);
    if (result instanceof Result.NotConfirmed failed) {
      throw new NotShown(failed.detail());
    }
    if (((Result.Confirmed) result).notReplicated().contains(table)) {
      throw new NotShown("replay is not confirmed for this table");
    }
  }

  /** A commit may lie before the slot's beginning and not be visible yet. */
  private void awaitEnded(long marked, Deadline atMost, Cancellation cancel)
      throws NotShown, InterruptedException {
    Deadline deadline = bounded(atMost);
    while (snapshot(source, atMost, cancel).xmin() <= marked) {
      if (deadline.hasPassed() || cancel.isCancelled()) {
        throw new NotShown("transactions that were open on the source stayed open");
      }
      cancel.await(time, POLL);
    }
  }

  private VisibleTransactions snapshot(Transactions on, Deadline atMost, Cancellation cancel)
      throws NotShown {
    return VisibleTransactions.parse(
        run(
            on,
            "a server did not tell its open transactions",
            atMost,
            cancel,
            session -> session.text(WitnessSql.SNAPSHOT, Session.Parameters.NONE)));
  }

  /** Empty where the source's WAL covers the target's writers too. */
  private Optional<String> targetSnapshot(Deadline atMost, Cancellation cancel) throws NotShown {
    if (replay.strategy().equals("standby")) {
      return Optional.empty();
    }
    String recovery =
        run(
            target,
            "the target did not tell whether it is a standby",
            atMost,
            cancel,
            session -> session.text(WitnessSql.IN_RECOVERY, Session.Parameters.NONE));
    if (!recovery.equals("f")) {
      // A standby's snapshots do not list what is open.
      throw new NotShown("the target is a standby whose replay is confirmed in another way");
    }
    return Optional.of(snapshot(target, atMost, cancel).toString());
  }

  private boolean wasWritten(String token, Deadline atMost, Cancellation cancel) throws NotShown {
    String end =
        run(
            source,
            "the source's position could not be read",
            atMost,
            cancel,
            session -> session.text(WitnessSql.FLUSHED, Session.Parameters.NONE));
    String publication = SqlIdentifier.quoted(state.publication().orElseThrow());
    byte[] last = token.getBytes(StandardCharsets.UTF_8);
    while (true) {
      List<byte[]> changes =
          run(
              source,
              "the source's changes could not be read",
              atMost,
              cancel,
              session ->
                  session.query(
                      WitnessSql.CHANGES,
                      Session.Parameters.texts(slot, end, publication),
                      ExactWitness::changes));
      boolean ended = false;
      for (byte[] change : changes) {
        if (state.isChangedBy(change)) {
          return true;
        }
        ended |= WitnessedTable.isMessage(change) && endsWith(change, last);
      }
      if (ended) {
        return false;
      }
      if (changes.isEmpty()) {
        throw new NotShown("the slot did not yield the changes up to the last read");
      }
    }
  }

  private static List<byte[]> changes(ResultSet rows) throws SQLException {
    List<byte[]> changes = new ArrayList<>();
    while (rows.next()) {
      changes.add(rows.getBytes(1));
    }
    return changes;
  }

  private static boolean endsWith(byte[] all, byte[] end) {
    return all.length >= end.length
        && Arrays.equals(all, all.length - end.length, all.length, end, 0, end.length);
  }

  private <T> T run(
      Transactions on,
      String failure,
      Deadline atMost,
      Cancellation cancel,
      Transactions.Work<T> work)
      throws NotShown {
    Outcome<T> outcome = on.run(TransactionKind.ROWS, bounded(atMost), cancel, work);
    if (outcome instanceof Outcome.Done<T> done) {
      return done.value();
    }
    throw new NotShown(failure + " (" + ((Outcome.Failed<T>) outcome).detail() + ')');
  }

  private Deadline bounded(Deadline atMost) {
    return Deadline.in(time, patience).earlierOf(atMost);
  }

  /** Also when the check is cancelled; the session's end would drop the slot too. */
  private void drop() {
    if (slot.isEmpty()) {
      return;
    }
    String name = slot;
    slot = "";
    Outcome<String> dropped =
        source.run(
            TransactionKind.ROWS,
            Deadline.in(time, patience),
            new Cancellation(),
            session -> session.text(WitnessSql.DROP, Session.Parameters.texts(name)));
    if (dropped instanceof Outcome.Failed<String> failed) {
      org.slf4j.LoggerFactory.getLogger(ExactWitness.class)
          .debug("a temporary slot ends with its session: {}", failed.detail());
    }
  }

  @Override
  public void close() {
    drop();
    connection.close();
  }
}
