package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.Subscriptions.Slots;
import io.walproof.verifier.replay.Subscriptions.Subscription;
import io.walproof.verifier.row.TargetNames;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Strategy {@code subscription}: for every subscription that carries one of the tables, its slot on
 * the source has confirmed past the boundary, which its applier does only after it has committed
 * and flushed.
 *
 * <p>That the slot of that name is this subscription's own cannot be read without its connection
 * string, which ordinary roles may not see. So the applier's own word is required too: it must have
 * received a position between the boundary and the present end of the source's WAL. An applier that
 * is fed by another server would have to be in that narrow window of an unrelated WAL by chance.
 */
final class SubscriptionConfirmation extends MessageConfirmation {

  private final Transactions source;
  private final Transactions target;
  private final Optional<String> only;
  private final TargetNames names;

  /**
   * @param only the one subscription that counts; all if empty
   * @param names what the target calls the tables
   */
  SubscriptionConfirmation(
      BoundaryEmitter boundaries,
      Transactions source,
      Transactions target,
      Poller poller,
      Optional<String> only,
      TargetNames names) {
    super(ConfirmationStrategy.SUBSCRIPTION, boundaries, poller);
    this.source = source;
    this.target = target;
    this.only = only;
    this.names = names;
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    Lsn wanted = boundary.lsn().orElseThrow();
    List<TableId> asked = List.copyOf(tables);
    return poll((until, stop) -> look(wanted, asked, until, stop), deadline, cancel);
  }

  private Poller.Finding look(
      Lsn wanted, List<TableId> tables, Deadline deadline, Cancellation cancel) {
    // The target first: what it has received by now cannot lie past the source's end a moment
    // later.
    Outcome<Subscriptions> there =
        target.run(
            TransactionKind.ROWS,
            deadline,
            cancel,
            session -> Subscriptions.read(session, only, tables, names));
    if (there instanceof Outcome.Failed<Subscriptions> failed) {
      return Poller.failed(failed);
    }
    Outcome<Slots> here =
        source.run(TransactionKind.ROWS, deadline, cancel, Subscriptions::readSlots);
    if (here instanceof Outcome.Failed<Slots> failed) {
      return Poller.failed(failed);
    }
    return judge(
        wanted,
        tables,
        ((Outcome.Done<Subscriptions>) there).value(),
        ((Outcome.Done<Slots>) here).value());
  }

  /** Pure: what two readings prove. */
  static Poller.Finding judge(Lsn wanted, List<TableId> tables, Subscriptions there, Slots here) {
    if (there.all().isEmpty()) {
      return Poller.broken("the target's database has no such subscription");
    }
    Set<TableId> notReplicated = new HashSet<>();
    Set<String> needed = new HashSet<>();
    for (TableId table : tables) {
      TableCoverage coverage = there.coverage().get(table);
      if (coverage == null || !coverage.ready()) {
        notReplicated.add(table);
      } else {
        needed.addAll(coverage.subscriptions());
      }
    }
    for (Subscription subscription : there.all()) {
      if (tables.isEmpty() || needed.contains(subscription.oid())) {
        Optional<String> obstacle = obstacle(subscription, wanted, here);
        if (obstacle.isPresent()) {
          return new Poller.Waiting(obstacle.get());
        }
      }
    }
    return Poller.confirmed(notReplicated);
  }

  private static Optional<String> obstacle(Subscription subscription, Lsn wanted, Slots here) {
    String name = "subscription \"" + subscription.name() + '"';
    if (subscription.slot().isEmpty()) {
      return Optional.of(name + " has no slot (slot_name = NONE)");
    }
    Lsn confirmed = here.confirmed().get(subscription.slot().get());
    if (confirmed == null) {
      return Optional.of(
          name
              + " uses slot \""
              + subscription.slot().get()
              + "\", which is no pgoutput slot of the source's database");
    }
    // Disabled or not, what the slot has confirmed is applied; the sentence only explains a wait.
    String state =
        !subscription.enabled()
            ? " is disabled; ALTER SUBSCRIPTION ... ENABLE resumes it. Its slot"
            : subscription.received().isEmpty() ? " has no running applier; its slot" : "'s slot";
    if (!confirmed.hasPassed(wanted)) {
      return Optional.of(
          name + state + " has confirmed up to " + confirmed + ", short of the boundary " + wanted);
    }
    Optional<Lsn> received = subscription.received();
    if (received.isEmpty()
        || !received.get().hasPassed(wanted)
        || !here.ends().hasPassed(received.get())) {
      return Optional.of(
          name
              + state
              + " has confirmed, but its applier has received up to "
              + received.map(Lsn::toString).orElse("nowhere")
              + ", which is not between the boundary "
              + wanted
              + " and the source's end "
              + here.ends()
              + ": it may be fed by another server");
    }
    return Optional.empty();
  }
}
