package io.walproof.standalone.run;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Operation;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.IncompleteReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the keys of diverted tables in a run: each is kept, recorded as incomplete, and
 * only then may the position move past it; so none is lost however the run ends. The first delivery
 * of a run tells which tables are diverted still. The kept keys of all others, whose shape was
 * accepted at this start or at an earlier one, are checked, and forgotten once all of them are
 * decided; a run that ends before checks them again. Those that the stream brings again are not
 * checked twice: they come as any other key, and are forgotten once the durable position is past
 * them.
 *
 * <p>Deliveries come on the engine's thread; the run's thread calls {@link #forgetChecked}.
 */
final class DivertedKeys {

  private static final Logger LOG = LoggerFactory.getLogger(DivertedKeys.class);
  private static final int AT_ONCE = 1_000;

  private final DivertedStore store;
  private final Verifier verifier;
  private final int most;

  private final Watermark watermark = new Watermark();

  /** Engine's thread. */
  private final List<ChangedKey> arrived = new ArrayList<>();

  /** Tables of which it was told that keys were not kept. */
  private final Set<TableId> notKept = new HashSet<>();

  /** Kept keys that are being checked; empty before the first delivery, and once all are. */
  private volatile Optional<List<ChangedKey>> checking = Optional.empty();

  /** Kept keys of tables that are not diverted any more, which the stream brings again. */
  private volatile List<ChangedKey> returning = List.of();

  private volatile boolean begun;

  DivertedKeys(DivertedStore store, Verifier verifier, int most) {
    this.store = store;
    this.verifier = verifier;
    this.most = most;
  }

  /**
   * Lets the kept keys be checked of every table that is not diverted, when called first.
   *
   * @param batch the run's first deliveries, at least one
   * @param tell takes the gaps of tables of which keys were not kept
   * @return false if the run was stopped meanwhile
   */
  boolean checkAccepted(List<Delivery> batch, Consumer<DriftEvent> tell)
      throws InterruptedException {
    if (begun) {
      return true;
    }
    List<Delivery> told = batch.stream().takeWhile(DivertedKeys::isOfTheStart).toList();
    // A gap is told with the history from before an acceptance at the same start.
    Position start =
        told.isEmpty() ? batch.get(0).position() : told.get(told.size() - 1).position();
    Set<TableId> diverted =
        start.history().diversions().keySet().stream()
            .map(TableId::parse)
            .collect(Collectors.toUnmodifiableSet());
    for (TableId table : store.fullExcept(diverted)) {
      if (notKept.add(table)) {
        LOG.warn("{}: keys that were diverted were not kept and are not checked", table);
        tell.accept(notKept(table, start));
      }
    }
    List<DriftEvent> gaps =
        told.stream().flatMap(each -> each.drift().stream()).filter(DriftEvent::isGap).toList();
    List<ChangedKey> accepted = new ArrayList<>();
    List<ChangedKey> again = new ArrayList<>();
    for (ChangedKey key : store.except(diverted)) {
      // Of a diversion that was not durable no history knows; there they decide anew.
      boolean comesAgain =
          key.lsn().hasPassed(start.resume())
              && key.operation() != Operation.READ
              && !isLost(key, gaps);
      (comesAgain ? again : accepted).add(key);
    }
    for (ChangedKey key : accepted) {
      if (!verifier.submit(key, watermark)) {
        return false;
      }
    }
    checking = Optional.of(accepted);
    returning = List.copyOf(again);
    begun = true;
    return true;
  }

  private static boolean isOfTheStart(Delivery delivery) {
    return delivery
        .skip()
        .filter(skip -> skip.reason() == Skip.Reason.GAP || skip.reason() == Skip.Reason.ACCEPTED)
        .isPresent();
  }

  private static boolean isLost(ChangedKey key, List<DriftEvent> gaps) {
    return gaps.stream().anyMatch(gap -> gap.table().map(key.table()::equals).orElse(true));
  }

  /** Takes a key of a diverted table. */
  void take(ChangedKey key) {
    arrived.add(key);
    if (arrived.size() >= AT_ONCE) {
      keepArrived();
    }
  }

  /** Makes sure of the keys that were taken, before their position may be written. */
  void keepArrived() {
    if (arrived.isEmpty()) {
      return;
    }
    List<ChangedKey> left = store.keep(arrived);
    Set<ChangedKey> leftOut = new HashSet<>(left);
    verifier.setAside(
        arrived.stream().filter(key -> !leftOut.contains(key)).toList(),
        IncompleteReason.SHAPE_NOT_ACCEPTED,
        "nobody has accepted the table's shape (drift.accept); the key is kept, and checked once"
            + " somebody has");
    verifier.setAside(
        left,
        IncompleteReason.DIVERTED_NOT_KEPT,
        "nobody has accepted the table's shape (drift.accept), and verify.diverted.max="
            + most
            + " keys are kept already; check the table with verify-range once its shape is"
            + " accepted");
    arrived.clear();
  }

  /**
   * Forgets what is checked, once all of it is, and what came again.
   *
   * @param durable the last decided change of the durable position; later ones come again
   */
  void forgetChecked(ChangeOrdinal durable) {
    List<ChangedKey> open = returning;
    List<ChangedKey> past =
        open.stream().filter(key -> durable.commit().hasPassed(key.lsn())).toList();
    if (!past.isEmpty()) {
      store.forget(past, Set.of());
      returning = open.stream().filter(key -> !durable.commit().hasPassed(key.lsn())).toList();
    }
    Optional<List<ChangedKey>> checked = checking;
    if (checked.isPresent() && watermark.decidedThrough() == watermark.issued()) {
      store.forget(checked.get(), notKept);
      checking = Optional.empty();
    }
  }

  /** Whether nothing is kept that should be checked by now and is not on its way. */
  boolean isUnderWay() {
    return begun || store.size() == 0;
  }

  /** What is kept, without what comes again as any other key. */
  int kept() {
    return store.size() - store.held(returning);
  }

  private static DriftEvent notKept(TableId table, Position start) {
    return new DriftEvent(
        Kind.GAP,
        Occurrence.ACROSS_RESTART,
        Optional.of(table),
        start.resume(),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        "dlq",
        "reported",
        "while this table was diverted there was no room for all of its keys (verify.diverted.max);"
            + " those are not checked. Check the table with verify-range");
  }
}
