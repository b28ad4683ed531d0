package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.HeldCommits.Doubt;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.KeylessRows;
import io.walproof.verifier.row.RangeAccess.Within;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowAccess.BatchRead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Rows that the target has and the source, as far as a chunk showed, has not. They may be deletes
 * that are still on their way, or rows that another order put elsewhere, so each is looked up on
 * the target and then on the source; then a boundary must be replayed, and only what the target has
 * unmoved after that, and the source still has not, is counted. A key that comes and goes is no
 * finding: each time the target has another version of its row. For one thread; holds one batch of
 * keys.
 */
final class TargetOnlyRows {

  private static final int KEPT = 100_000;

  /** How often a key is looked at. */
  private static final int ROUNDS = 3;

  private static final String REPLACED =
      "rows of these keys were written on the target each time that replay was waited for";

  private final Time time;
  private final RangeLimits limits;
  private final RangeAccess access;
  private final ReplayConfirmation replay;
  private final SideReader reader;
  private final PassProgress progress;
  private final KeyRange claimed;
  private final Cancellation cancel;
  private final List<RowKey> candidates = new ArrayList<>();
  private final List<RowKey> named = new ArrayList<>();
  private final Set<RowKey> onBothSides = new LinkedHashSet<>();
  private long count;
  private long keyless;
  private long unknown;
  private String whyOpen = REPLACED;
  private Optional<String> whyUnknown = Optional.empty();

  TargetOnlyRows(
      Time time,
      RangeLimits limits,
      RangeAccess access,
      ReplayConfirmation replay,
      SideReader reader,
      PassProgress progress,
      KeyRange claimed,
      Cancellation cancel) {
    this.progress = progress;
    this.time = time;
    this.limits = limits;
    this.access = access;
    this.replay = replay;
    this.reader = reader;
    this.claimed = claimed;
    this.cancel = cancel;
  }

  /** Takes candidates; whenever there are many they are looked at. */
  void add(List<RowKey> keys) {
    for (RowKey key : keys) {
      candidates.add(key);
      if (candidates.size() >= limits.lookupRows()) {
        confirm();
      }
    }
  }

  /** Looks at the rest. */
  void confirm() {
    List<RowKey> open = List.copyOf(candidates);
    candidates.clear();
    for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
      whyOpen = REPLACED;
      open = look(open);
    }
    if (!open.isEmpty()) {
      unknown(open.size(), whyOpen);
    }
  }

  /**
   * Counts the rows that only the target has: they stand there unmoved from before the source was
   * seen without them until replay has passed a boundary after that.
   *
   * @return keys to look at again: their rows were replaced meanwhile, and may be new rows of a key
   *     that the source had again; or a commit is held that the source may not have shown
   */
  private List<RowKey> look(List<RowKey> keys) {
    Present before = present(keys);
    List<RowKey> there = new ArrayList<>();
    List<RowKey> absent = inRange(absent(before.keys(), there));
    if (!reader.plan().isIndexed(Side.TARGET)) {
      keep(there);
    }
    if (absent.isEmpty()) {
      return List.of();
    }
    HeldCommits held = heldCommits();
    if (!awaited(absent.size())) {
      return List.of();
    }
    Present after = present(absent);
    List<RowKey> moved = new ArrayList<>();
    List<RowKey> unmoved = new ArrayList<>();
    for (RowKey key : after.keys()) {
      boolean same = before.versions().get(key).equals(after.versions().get(key));
      (same ? unmoved : moved).add(key);
    }
    Optional<Doubt> doubt =
        unmoved.isEmpty() ? Optional.empty() : HeldCommits.between(held, heldCommits());
    List<RowKey> only = absent(unmoved, new ArrayList<>());
    if (doubt.isPresent() && !only.isEmpty()) {
      whyOpen = doubt.get().detail();
      moved.addAll(only);
      return moved;
    }
    for (RowKey key : only) {
      count++;
      if (named.size() < limits.namedKeys()) {
        named.add(key);
      }
    }
    return moved;
  }

  private HeldCommits heldCommits() {
    return access.heldCommits(reader.readDeadline(), cancel);
  }

  /** Without a unique index the target may have a second row of a key that was paired. */
  private void keep(List<RowKey> keys) {
    for (RowKey key : keys) {
      if (onBothSides.size() < KEPT) {
        onBothSides.add(key);
      } else if (!onBothSides.contains(key)) {
        unknown(1, "more than " + KEPT + " keys may be on the target twice");
      }
    }
  }

  /**
   * Counts rows with NULL in the key: they lie in no range, and no source row can have their key.
   * Part of the claim of a whole table only.
   */
  void countKeyless() throws InterruptedException {
    if (!claimed.isWhole() || reader.plan().isIndexed(Side.TARGET)) {
      return;
    }
    KeylessRows rows =
        reader.resting(until -> access.keylessRows(reader.plan(), until, cancel), cancel);
    if (rows instanceof KeylessRows.Failed failed) {
      unknown(1, failed.detail());
    } else {
      keyless = ((KeylessRows.Counted) rows).rows();
      count += keyless;
    }
  }

  /** How many of the rows have no key to be named by. */
  long keyless() {
    return keyless;
  }

  /** Candidates that the source has too, where nothing keeps the target from having them twice. */
  List<RowKey> onBothSides() {
    return List.copyOf(onBothSides);
  }

  /**
   * Keys that the target has.
   *
   * @param keys they, as often as they were asked for
   * @param versions {@code xmin} by key; none where several rows have the key, of which one at
   *     least is no passing one: the source never has two
   */
  private record Present(List<RowKey> keys, Map<RowKey, OptionalLong> versions) {}

  private Present present(List<RowKey> keys) {
    List<RowKey> present = new ArrayList<>();
    Map<RowKey, OptionalLong> versions = new HashMap<>();
    each(
        Side.TARGET,
        keys,
        (key, row) -> {
          if (isThere(row)) {
            present.add(key);
            versions.put(key, version(row));
          }
        });
    return new Present(present, versions);
  }

  private static OptionalLong version(KeyRead present) {
    return present instanceof KeyRead.Found found
        ? OptionalLong.of(found.xmin())
        : ((KeyRead.Unreadable) present).xmin();
  }

  /** The keys that the source has not; the others go where it is said. */
  private List<RowKey> absent(List<RowKey> keys, List<RowKey> others) {
    List<RowKey> absent = new ArrayList<>();
    each(Side.SOURCE, keys, (key, row) -> (isThere(row) ? others : absent).add(key));
    return absent;
  }

  /** Looks the keys up; what cannot be told is counted. */
  private void each(Side side, List<RowKey> keys, BiConsumer<RowKey, KeyRead> take) {
    if (keys.isEmpty()) {
      return;
    }
    RangePlan plan = reader.plan();
    BatchRead read = access.lookup(side, plan, keys, reader.readDeadline(), cancel);
    if (read instanceof BatchRead.PlanStale && reader.renew(plan, cancel) == null) {
      read = access.lookup(side, reader.plan(), keys, reader.readDeadline(), cancel);
    }
    if (read instanceof BatchRead.Failed failed) {
      unknown(keys.size(), failed.detail());
    } else if (read instanceof BatchRead.Rows rows) {
      for (int i = 0; i < keys.size(); i++) {
        KeyRead row = rows.rows().get(i);
        if (row instanceof KeyRead.Unreadable unreadable && !isThere(row)) {
          unknown(1, unreadable.detail());
        } else {
          take.accept(keys.get(i), row);
        }
      }
    } else {
      unknown(keys.size(), "the table's columns kept changing");
    }
  }

  private static boolean isThere(KeyRead row) {
    return row instanceof KeyRead.Found
        || (row instanceof KeyRead.Unreadable some && provesPresence(some.reason()));
  }

  private static boolean provesPresence(IncompleteReason reason) {
    return reason == IncompleteReason.NOT_UNIQUE || reason == IncompleteReason.ROW_TOO_LARGE;
  }

  /** The target's order may not be the source's, by which a claim is made. */
  private List<RowKey> inRange(List<RowKey> keys) {
    if (claimed.isWhole() || keys.isEmpty()) {
      return keys;
    }
    Within within = access.within(reader.plan(), claimed, keys, reader.readDeadline(), cancel);
    if (within instanceof Within.Failed failed) {
      unknown(keys.size(), failed.detail());
      return List.of();
    }
    Set<Integer> places = ((Within.Places) within).places();
    List<RowKey> inside = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (places.contains(i)) {
        inside.add(keys.get(i));
      }
    }
    return inside;
  }

  private boolean awaited(int keys) {
    RangeStage former = progress.enter(RangeStage.REPLAY);
    try {
      return replayed(keys);
    } finally {
      progress.enter(former);
    }
  }

  private boolean replayed(int keys) {
    Emission emission = replay.emit(reader.readDeadline(), cancel);
    if (emission instanceof Emission.Failed failed) {
      unknown(keys, failed.detail());
      return false;
    }
    TableId table = reader.plan().table().table();
    Deadline atMost = Deadline.in(time, limits.replayTimeout());
    Result result =
        replay.await(((Emission.Emitted) emission).boundary(), Set.of(table), atMost, cancel);
    if (result instanceof Result.NotConfirmed failed) {
      unknown(keys, failed.detail());
      return false;
    }
    if (((Result.Confirmed) result).notReplicated().contains(table)) {
      unknown(
          keys,
          "replay is confirmed, but not for this table: what was confirmed does not carry it, or still copies it");
      return false;
    }
    return true;
  }

  private void unknown(int keys, String why) {
    unknown += keys;
    whyUnknown = Optional.of(why);
  }

  /** Rows that only the target has. */
  RangeResult.Names found() {
    return new RangeResult.Names(count, named);
  }

  /** Candidates of which nobody knows. */
  long unknown() {
    return unknown;
  }

  /** Why that is. */
  Optional<String> whyUnknown() {
    return whyUnknown;
  }
}
