package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.util.Optional;
import java.util.Set;

/**
 * Strategy {@code marker_table}: a token is written to this instance's row on the source, and the
 * same token, or a later one of this run, is found on the target. Proves replay only of an applier
 * that keeps the source's commit order over all tables, which is for the operator to know.
 */
final class MarkerTableConfirmation implements ReplayConfirmation {

  private final BoundaryEmitter boundaries;
  private final Transactions source;
  private final Transactions target;
  private final Poller poller;
  private final MarkerTable marker;
  private final MarkerTable arriving;
  private final String run;
  private long emitted;

  /**
   * @param marker the table on the source
   * @param arriving the table on the target
   * @param run tells this run's tokens from those of any other
   */
  MarkerTableConfirmation(
      BoundaryEmitter boundaries,
      Transactions source,
      Transactions target,
      Poller poller,
      MarkerTable marker,
      MarkerTable arriving,
      String run) {
    this.boundaries = boundaries;
    this.source = source;
    this.target = target;
    this.poller = poller;
    this.marker = marker;
    this.arriving = arriving;
    this.run = run;
  }

  @Override
  public String strategy() {
    return ConfirmationStrategy.MARKER_TABLE.text();
  }

  @Override
  public Emission emit(Deadline deadline, Cancellation cancel) {
    String token = run + ':' + ++emitted;
    Outcome<Boolean> written =
        source.run(
            TransactionKind.MARKER,
            deadline,
            cancel,
            session -> {
              marker.write(session, token);
              return true;
            });
    return boundaries.emit(written, token, deadline, cancel);
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    return poller.poll((until, stop) -> look(boundary.token(), until, stop), deadline, cancel);
  }

  private Poller.Finding look(String token, Deadline deadline, Cancellation cancel) {
    Outcome<Optional<String>> outcome =
        target.run(TransactionKind.ROWS, deadline, cancel, arriving::read);
    if (outcome instanceof Outcome.Failed<Optional<String>> failed) {
      return failed.cause() == Outcome.Cause.CATALOG
          ? Poller.broken("the target has no marker table; run there: " + arriving.ddl())
          : Poller.failed(failed);
    }
    Optional<String> found = ((Outcome.Done<Optional<String>>) outcome).value();
    if (found.filter(arrived -> isOrFollows(arrived, token)).isPresent()) {
      return Poller.confirmed(Set.of());
    }
    return new Poller.Waiting(
        "the marker has not arrived in "
            + arriving.table()
            + " on the target"
            + (found.isPresent() ? "; an older one is there" : ""));
  }

  /** One row is overwritten by each emission, so a later token proves the earlier ones too. */
  private boolean isOrFollows(String arrived, String token) {
    String prefix = run + ':';
    if (!arrived.startsWith(prefix) || !token.startsWith(prefix)) {
      return false;
    }
    return number(arrived, prefix) >= number(token, prefix);
  }

  private static long number(String token, String prefix) {
    return Long.parseLong(token.substring(prefix.length()));
  }

  @Override
  public void close() {}
}
