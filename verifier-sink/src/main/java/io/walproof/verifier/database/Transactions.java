package io.walproof.verifier.database;

import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Runs short transactions with pinned settings on one database: bounded by a deadline, stopped by a
 * cancellation, and tried again, a bounded number of times, after failures that are known to pass.
 * Thread-safe; each call uses one connection.
 */
public final class Transactions {

  /** How long the network may stay silent beyond the statement's own time. */
  private static final Duration NETWORK_SLACK = Duration.ofMillis(700);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Database database;
  private final Time time;

  /** For the database. */
  public Transactions(Database database, Time time) {
    this.database = database;
    this.time = time;
  }

  /** The database. */
  public Database database() {
    return database;
  }

  /** Runs the work in a transaction of its own; the work may run more than once. */
  public <T> Outcome<T> run(
      TransactionKind kind, Deadline deadline, Cancellation cancel, Work<T> work) {
    Duration pause = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      if (cancel.isCancelled()) {
        return new Outcome.Failed<>(Outcome.Cause.CANCELLED, "cancelled");
      }
      if (deadline.hasPassed()) {
        return new Outcome.Failed<>(Outcome.Cause.DEADLINE, "no time was left");
      }
      Duration limit = atLeastOneMilli(deadline.remaining(database.settings().statementTimeout()));
      long began = time.nanoTime();
      try {
        return new Outcome.Done<>(once(kind, limit, deadline, cancel, work));
      } catch (SQLException e) {
        Duration took = Duration.ofNanos(time.nanoTime() - began);
        boolean timedOut = took.compareTo(limit) >= 0;
        SqlFailure failure = SqlFailure.of(e);
        // Cancelled before its time and not by us: an administrator, or a conflict on a standby.
        boolean mayPass = failure.mayPass() || (failure == SqlFailure.CANCELLED && !timedOut);
        if (cancel.isCancelled()
            || deadline.hasPassed()
            || !mayPass
            || attempt >= database.settings().maxAttempts()) {
          return failed(e, failure, timedOut, attempt, deadline, cancel);
        }
      }
      pause(deadline.remaining(pause), cancel);
      pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
    }
  }

  private <T> T once(
      TransactionKind kind, Duration limit, Deadline deadline, Cancellation cancel, Work<T> work)
      throws SQLException {
    Connection connection = database.borrow(deadline, cancel);
    boolean ended = false;
    try {
      connection.setNetworkTimeout(
          Runnable::run, Math.toIntExact(limit.plus(NETWORK_SLACK).toMillis()));
      Session session = new Session(connection, deadline, cancel);
      session.execute(PinnedSettings.opening(kind, limit.toMillis()));
      T value = work.run(session);
      connection.commit();
      ended = true;
      return value;
    } finally {
      giveBack(connection, ended);
    }
  }

  private void giveBack(Connection connection, boolean ended) throws SQLException {
    try {
      if (!ended) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // The first failure is under way and says more; this one says the connection is of no use.
      database.evict(connection);
    } finally {
      connection.close();
    }
  }

  private <T> Outcome<T> failed(
      SQLException e,
      SqlFailure failure,
      boolean timedOut,
      int attempts,
      Deadline deadline,
      Cancellation cancel) {
    if (cancel.isCancelled()) {
      return new Outcome.Failed<>(Outcome.Cause.CANCELLED, "cancelled");
    }
    Outcome.Cause cause =
        switch (failure) {
          case CANCELLED -> deadline.hasPassed() ? Outcome.Cause.DEADLINE : Outcome.Cause.OTHER;
          case CONNECTION, PASSING ->
              deadline.hasPassed() ? Outcome.Cause.DEADLINE : Outcome.Cause.UNREACHABLE;
          case REFUSED -> Outcome.Cause.REFUSED;
          case PERMISSION -> Outcome.Cause.PERMISSION;
          case CATALOG -> Outcome.Cause.CATALOG;
          case DATA -> Outcome.Cause.DATA;
          case INTERNAL -> Outcome.Cause.INTERNAL;
          case OTHER -> Outcome.Cause.OTHER;
        };
    return new Outcome.Failed<>(
        cause,
        e instanceof StoppedException stopped
            ? stopped.why()
            : Explanation.of(database.settings(), e, failure, timedOut, attempts));
  }

  private static Duration atLeastOneMilli(Duration duration) {
    return duration.toMillis() < 1 ? Duration.ofMillis(1) : duration;
  }

  /** Waits, at most this long; a cancellation ends it. */
  private void pause(Duration atMost, Cancellation cancel) {
    try {
      cancel.await(time, atMost);
    } catch (InterruptedException e) {
      // Whoever interrupts a worker wants it to stop; the next step sees the flag.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What to do in a transaction.
   *
   * @param <T> what it yields
   */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it; an exception rolls the transaction back. */
    T run(Session session) throws SQLException;
  }
}
