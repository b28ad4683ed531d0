package io.walproof.standalone.run;

import io.walproof.connector.offset.Position;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.IncompleteReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the keys of diverted tables in a run: each is kept, recorded as incomplete, and
 * only then may the position move past it; so none is lost however the run ends. The first delivery
 * of a run tells which tables are diverted still. The kept keys of all others, whose shape was
 * accepted at this start or at an earlier one, are checked, and forgotten once all of them are
 * decided; a run that ends before checks them again.
 *
 * <p>Deliveries come on the engine's thread; the run's thread calls {@link #forgetChecked()}.
 */
final class DivertedKeys {

  private static final Logger LOG = LoggerFactory.getLogger(DivertedKeys.class);
  private static final int AT_ONCE = 1_000;

  private final DivertedStore store;
  private final Verifier verifier;
  private final int most;

  /** The commit of the last change that was decided when the run began; later ones come again. */
  private final Lsn decided;

  private final Watermark watermark = new Watermark();

  /** Engine's thread. */
  private final List<ChangedKey> arrived = new ArrayList<>();

  private final Set<TableId> told = new HashSet<>();

  /** Kept keys that are being checked; empty before the first delivery, and once all are. */
  private volatile Optional<List<ChangedKey>> checking = Optional.empty();

  private volatile boolean begun;

  DivertedKeys(DivertedStore store, Verifier verifier, int most, Lsn decided) {
    this.store = store;
    this.verifier = verifier;
    this.most = most;
    this.decided = decided;
  }

  /**
   * Lets the kept keys be checked of every table that is not diverted, when called first.
   *
   * @param start the position of the run's first delivery
   * @return false if the run was stopped meanwhile
   */
  boolean checkAccepted(Position start) throws InterruptedException {
    if (begun) {
      return true;
    }
    Set<TableId> diverted =
        start.history().diversions().keySet().stream()
            .map(TableId::parse)
            .collect(Collectors.toUnmodifiableSet());
    for (TableId table : store.fullExcept(diverted)) {
      if (told.add(table)) {
        LOG.warn("{}: keys that were diverted were not kept and are not checked", table);
        verifier.record(notKept(table, start));
      }
    }
    // A diversion that was not durable is in no history; its changes come again, and decide anew.
    List<ChangedKey> accepted =
        store.except(diverted).stream().filter(key -> decided.hasPassed(key.lsn())).toList();
    for (ChangedKey key : accepted) {
      if (!verifier.submit(key, watermark)) {
        return false;
      }
    }
    checking = Optional.of(accepted);
    begun = true;
    return true;
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
    Set<ChangedKey> notKept = new HashSet<>(left);
    verifier.setAside(
        arrived.stream().filter(key -> !notKept.contains(key)).toList(),
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

  /** Forgets what is checked, once all of it is. */
  void forgetChecked() {
    Optional<List<ChangedKey>> checked = checking;
    if (checked.isPresent() && watermark.decidedThrough() == watermark.issued()) {
      store.forget(checked.get(), told);
      checking = Optional.empty();
    }
  }

  /** Whether nothing is kept that should be checked by now and is not on its way. */
  boolean isUnderWay() {
    return begun || store.size() == 0;
  }

  /** What is kept. */
  int kept() {
    return store.size();
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
