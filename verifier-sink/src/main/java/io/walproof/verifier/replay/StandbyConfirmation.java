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
import io.walproof.verifier.row.TargetNames;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Strategy {@code standby}: the target is a physical standby of the source's cluster, and its
 * replay position has passed the boundary. Covers every table whose rows are to be in the target's
 * table of the same name: another one, which the source has too, is filled by whoever writes there.
 */
final class StandbyConfirmation extends MessageConfirmation {

  private static final String REPLAYED = "SELECT pg_catalog.pg_last_wal_replay_lsn()";

  private final Transactions target;
  private final String systemIdentifier;
  private final TargetNames names;

  /**
   * @param systemIdentifier the source cluster's, which the target must share at every look
   * @param names what the target calls the tables
   */
  StandbyConfirmation(
      BoundaryEmitter boundaries,
      Transactions target,
      Poller poller,
      String systemIdentifier,
      TargetNames names) {
    super(ConfirmationStrategy.STANDBY, boundaries, poller);
    this.target = target;
    this.systemIdentifier = systemIdentifier;
    this.names = names;
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    Lsn wanted = boundary.lsn().orElseThrow();
    Set<TableId> elsewhere =
        tables.stream()
            .filter(table -> !names.table(table).equals(Optional.of(table)))
            .collect(Collectors.toSet());
    return poll((until, stop) -> look(wanted, elsewhere, until, stop), deadline, cancel);
  }

  private record Position(DatabaseIdentity identity, Optional<Lsn> replayed) {}

  private Poller.Finding look(
      Lsn wanted, Set<TableId> elsewhere, Deadline deadline, Cancellation cancel) {
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
      return Poller.confirmed(elsewhere);
    }
    return new Poller.Waiting(
        "the standby has replayed up to "
            + position.replayed().map(Lsn::toString).orElse("nowhere")
            + ", short of the boundary "
            + wanted);
  }
}
