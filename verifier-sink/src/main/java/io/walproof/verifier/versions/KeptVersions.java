package io.walproof.verifier.versions;

import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.VersionGap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The versions of one key, for all its pending entries. Guarded by the {@link VersionBook}. */
final class KeptVersions {

  /** About what one costs on the heap, at its place in the queue. */
  static final long BYTES = 96;

  /** A pending entry, and the number of the last version that is not its concern. */
  private record Holder(KeyEntry entry, long since) {}

  /** A version, flat because there are many. */
  private static final class Kept {
    private final long number;
    private final long lossBefore;
    private final long commit;
    private final long transaction;
    private final long high;
    private final long low;
    private final boolean absent;
    private final VersionGap untold;
    private final ShapeHash shape;
    private final String plan;

    private Kept(
        long number, long lossBefore, RowVersion.Change change, ShapeHash shape, String plan) {
      this.number = number;
      this.lossBefore = lossBefore;
      this.commit = change.commit().value();
      this.transaction = change.transactionId();
      Optional<RowHash> hash =
          change.state() instanceof RowVersion.Known known ? known.hash() : Optional.empty();
      this.high = hash.map(RowHash::high).orElse(0L);
      this.low = hash.map(RowHash::low).orElse(0L);
      this.absent = hash.isEmpty();
      this.untold = change.state() instanceof RowVersion.Untold gap ? gap.reason() : null;
      this.shape = shape;
      this.plan = plan;
    }

    /** As it is for rows of this shape that are read by this plan. */
    private RowVersion.Change change(ShapeHash wanted, String wantedPlan) {
      return new RowVersion.Change(new Lsn(commit), transaction, state(wanted, wantedPlan));
    }

    private RowVersion.State state(ShapeHash wanted, String wantedPlan) {
      if (!wanted.equals(shape)) {
        return new RowVersion.Untold(VersionGap.SHAPE);
      }
      if (untold != null) {
        return new RowVersion.Untold(untold);
      }
      if (absent) {
        return new RowVersion.Known(Optional.empty());
      }
      return wantedPlan.equals(plan)
          ? new RowVersion.Known(Optional.of(new RowHash(high, low)))
          : new RowVersion.Untold(VersionGap.SHAPE);
    }
  }

  private final List<Holder> holders = new ArrayList<>(1);
  private ArrayDeque<Kept> versions;

  /** The number of the last version that was dropped for want of room, 0 if none was. */
  private long droppedTo;

  void open(KeyEntry entry, long since) {
    holders.add(new Holder(entry, since));
  }

  /** Whether the entry is one of those that versions are kept for. */
  Optional<Long> since(KeyEntry entry) {
    return holders.stream()
        .filter(holder -> holder.entry() == entry)
        .findFirst()
        .map(Holder::since);
  }

  /**
   * An entry ended.
   *
   * @return how many versions are nobody's concern any more and were dropped
   */
  int close(KeyEntry entry) {
    holders.removeIf(holder -> holder.entry() == entry);
    long needed = holders.stream().mapToLong(Holder::since).min().orElse(Long.MAX_VALUE);
    int dropped = 0;
    while (versions != null && !versions.isEmpty() && versions.peekFirst().number <= needed) {
      versions.removeFirst();
      dropped++;
    }
    return dropped;
  }

  boolean isUnused() {
    return holders.isEmpty();
  }

  /**
   * Keeps a version.
   *
   * @param lossBefore the number of the last place before it where changes may be missing, 0 for
   *     none
   */
  void add(long number, long lossBefore, RowVersion.Change change, ShapeHash shape, String plan) {
    if (versions == null) {
      versions = new ArrayDeque<>(4);
    }
    versions.addLast(new Kept(number, lossBefore, change, shape, plan));
  }

  /** Makes room for one by dropping the oldest; false if there is none to drop. */
  boolean dropOldest() {
    if (versions == null || versions.isEmpty()) {
      return false;
    }
    droppedTo = versions.removeFirst().number;
    return true;
  }

  /** A version was not kept, for want of room. */
  void missed(long number) {
    droppedTo = number;
  }

  /**
   * The versions after a number, in the stream's order, and every place among them where changes
   * may be missing.
   *
   * @param lastLoss the number of the last such place, 0 for none
   */
  List<RowVersion> after(long since, long lastLoss, ShapeHash shape, String plan) {
    List<RowVersion> list = new ArrayList<>();
    // What is dropped is older than what is kept.
    if (droppedTo > since) {
      list.add(new RowVersion.Lost(VersionGap.MEMORY));
    }
    long last = since;
    if (versions != null) {
      for (Kept kept : versions) {
        if (kept.number > since) {
          if (kept.lossBefore > last) {
            list.add(new RowVersion.Lost(VersionGap.CHANGES_MISSED));
          }
          list.add(kept.change(shape, plan));
          last = kept.number;
        }
      }
    }
    if (lastLoss > last) {
      list.add(new RowVersion.Lost(VersionGap.CHANGES_MISSED));
    }
    return list;
  }
}
