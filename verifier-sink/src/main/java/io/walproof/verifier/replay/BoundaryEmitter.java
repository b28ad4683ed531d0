package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import java.util.Optional;

/**
 * Emits boundaries: a small transaction on the source, then a position at or after its commit.
 * Every commit that an earlier read could see lies before that commit, and so before the boundary.
 *
 * <p>The position is the end of the flushed WAL, not of the inserted WAL: what others inserted and
 * have not committed may stay unflushed for many seconds, and nobody replays it before.
 */
final class BoundaryEmitter implements Boundaries {

  private static final String MESSAGE =
      "SELECT pg_catalog.pg_logical_emit_message(true, 'walproof-boundary', '')";
  private static final String POSITION = "SELECT pg_catalog.pg_current_wal_flush_lsn()";

  private final Transactions source;

  BoundaryEmitter(Transactions source) {
    this.source = source;
  }

  /** By a logical message, which needs no privilege and writes no row. */
  @Override
  public Emission message(Deadline deadline, Cancellation cancel) {
    return emit(
        source.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session -> session.text(MESSAGE, Session.Parameters.NONE)),
        "",
        deadline,
        cancel);
  }

  /** After a transaction of the caller's own, which committed if its outcome is {@code Done}. */
  <T> Emission emit(Outcome<T> committed, String token, Deadline deadline, Cancellation cancel) {
    if (committed instanceof Outcome.Failed<T> failed) {
      return failed(failed);
    }
    Outcome<String> position =
        source.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session -> session.text(POSITION, Session.Parameters.NONE));
    if (position instanceof Outcome.Failed<String> failed) {
      return failed(failed);
    }
    Lsn lsn = Lsn.parse(((Outcome.Done<String>) position).value());
    return new Emission.Emitted(new ReplayConfirmation.Boundary(Optional.of(lsn), token));
  }

  private static <T> Emission failed(Outcome.Failed<T> failed) {
    return new Emission.Failed(
        switch (failed.cause()) {
          case CANCELLED -> IncompleteReason.CANCELLED;
          case DEADLINE, UNREACHABLE, REFUSED, PERMISSION, CATALOG, DATA, INTERNAL, OTHER ->
              IncompleteReason.CONFIRMATION_FAILED;
        },
        "no boundary was emitted: " + failed.detail());
  }
}
