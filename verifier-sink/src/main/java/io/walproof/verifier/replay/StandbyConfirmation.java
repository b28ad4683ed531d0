package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.util.Optional;
import java.util.Set;

/**
 * Strategy {@code standby}: the target is a physical standby of the source's cluster, and its
 * replay position has passed the boundary. Covers every table.
 */
final class StandbyConfirmation implements ReplayConfirmation {

  private static final String REPLAYED = "SELECT pg_catalog.pg_last_wal_replay_lsn()";

  private final BoundaryEmitter boundaries;
  private final Transactions target;
  private final Poller poller;
  private final String systemIdentifier;

  /**
   * @param systemIdentifier the source cluster's, which the target must share at every look
   */
  StandbyConfirmation(
      BoundaryEmitter boundaries, Transactions target, Poller poller, String systemIdentifier) {
    this.boundaries = boundaries;
    this.target = target;
    this.poller = poller;
    this.systemIdentifier = systemIdentifier;
  }

  @Override
  public String strategy() {
    return ConfirmationStrategy.STANDBY.text();
  }

  @Override
  public Emission emit(Deadline deadline, Cancellation cancel) {
    return boundaries.message(deadline, cancel);
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    Lsn wanted = boundary.lsn().orElseThrow();
    return poller.poll((until, stop) -> look(wanted, until, stop), deadline, cancel);
  }

  private record Position(DatabaseIdentity identity, Optional<Lsn> replayed) {}

  private Poller.Finding look(Lsn wanted, Deadline deadline, Cancellation cancel) {
    Outcome<Position> outcome =
        target.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session ->
                new Position(
                    DatabaseIdentity.read(session),
                    Optional.ofNullable(session.text(REPLAYED, Session.Parameters.NONE))
                        .map(Lsn::parse)));
    if (outcome instanceof Outcome.Failed<Position> failed) {
      return Poller.failed(failed);
    }
    Position position = ((Outcome.Done<Position>) outcome).value();
    if (!position.identity().systemIdentifier().equals(systemIdentifier)) {
      return Poller.broken("the target is no standby of the source: another system identifier");
    }
    if (!position.identity().inRecovery()) {
      return Poller.broken("the target is no standby (any more): it was promoted");
    }
    if (position.replayed().filter(lsn -> lsn.hasPassed(wanted)).isPresent()) {
      return Poller.confirmed(Set.of());
    }
    return new Poller.Waiting(
        "the standby has replayed up to "
            + position.replayed().map(Lsn::toString).orElse("nowhere")
            + ", short of the boundary "
            + wanted);
  }

  @Override
  public void close() {}
}
