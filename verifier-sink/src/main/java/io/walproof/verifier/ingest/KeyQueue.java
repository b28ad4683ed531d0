package io.walproof.verifier.ingest;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry.Stratum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Keys that wait for their first read. Repeats of a key are coalesced, and no key is read before
 * every change that its entry stands for has settled: a change can be seen in the WAL a moment
 * before it is visible to a query.
 *
 * <p>An entry takes repeats for one settle time after its first change, and is due one settle time
 * after its last. So a key that never rests is still read, at the latest after two settle times,
 * and the read is never too early for any of its changes. Later repeats open the next entry.
 *
 * <p>Pure data, given the time; the caller guards it.
 */
public final class KeyQueue {

  private record Identity(Watermark watermark, Stratum stratum, TableId table, RowKey key) {
    static Identity of(KeyEntry entry) {
      return new Identity(entry.watermark(), entry.stratum(), entry.table(), entry.key());
    }
  }

  private record Group(TableId table, List<String> keyColumns) {}

  private record Due(long at, KeyEntry entry) {}

  /**
   * The keys of one group. Its place among the groups must be left before its first key changes.
   */
  private static final class Waiting {
    private final Group group;
    private final long number;
    private final PriorityQueue<Due> keys =
        new PriorityQueue<>((a, b) -> Long.compare(a.at() - b.at(), 0));

    Waiting(Group group, long number) {
      this.group = group;
      this.number = number;
    }

    boolean holds(KeyEntry entry) {
      return group.table().equals(entry.table()) && entry.key().isNamed(group.keyColumns());
    }

    long firstDue() {
      return keys.element().at();
    }

    static int compare(Waiting a, Waiting b) {
      int byDue = Long.compare(a.firstDue() - b.firstDue(), 0);
      return byDue != 0 ? byDue : Long.compare(a.number, b.number);
    }
  }

  /** What became of an offered change. */
  public enum Offer {
    /** A new entry waits for its read. */
    QUEUED,
    /** An earlier entry of the key stands for this change too. */
    COALESCED,
    /** A delete that no waiting entry stands for: decided at once, nothing to judge. */
    SOURCE_ABSENT
  }

  private final long settleNanos;
  private final Consumer<KeyEntry> opened;
  private final Map<Identity, KeyEntry> accepting = new HashMap<>();
  private final Map<Group, Waiting> groups = new HashMap<>();

  /** The groups by their first key: with many tables, nobody may look at each of them. */
  private final TreeSet<Waiting> byDue = new TreeSet<>(Waiting::compare);

  /** The group of the last key; consecutive changes mostly belong to one table. */
  private Waiting latest;

  private long groupsMade;
  private int size;

  /** A queue with the settle time ({@code verify.settle.ms}). */
  public KeyQueue(Duration settle) {
    this(settle, entry -> {});
  }

  /**
   * A queue.
   *
   * @param opened is told of each new entry
   */
  public KeyQueue(Duration settle, Consumer<KeyEntry> opened) {
    this.settleNanos = settle.toNanos();
    this.opened = opened;
  }

  /** Takes in a change. */
  public Offer offer(ChangedKey change, Watermark watermark, long now) {
    return offer(change, Stratum.CDC, watermark, now);
  }

  /** Takes in a key that a change or a range check named. */
  public Offer offer(ChangedKey change, Stratum stratum, Watermark watermark, long now) {
    Identity identity = new Identity(watermark, stratum, change.table(), change.key());
    KeyEntry waiting = accepting.get(identity);
    long sequence = watermark.issue();
    if (waiting != null && now - waiting.firstArrival() <= settleNanos && waiting.mayAbsorb()) {
      waiting.absorb(change, now);
      watermark.close(sequence);
      return Offer.COALESCED;
    }
    if (change.operation() == Operation.DELETE) {
      watermark.close(sequence);
      return Offer.SOURCE_ABSENT;
    }
    KeyEntry entry = new KeyEntry(change, stratum, watermark, sequence, now);
    accepting.put(identity, entry);
    opened.accept(entry);
    enqueue(entry, now);
    return Offer.QUEUED;
  }

  /** Takes an entry back whose changes no query sees yet; it is due one settle time later. */
  public void postpone(KeyEntry entry, long now) {
    entry.postpone(now);
    enqueue(entry, now);
  }

  /** Lets a key be observed anew for the changes of an ended entry, one settle time from now. */
  public void renew(KeyEntry ended, long now) {
    KeyEntry renewed = ended.renewed(now);
    opened.accept(renewed);
    enqueue(renewed, now);
  }

  private void enqueue(KeyEntry entry, long now) {
    Waiting group = group(entry);
    Due due = new Due(now + settleNanos, entry);
    if (group.keys.isEmpty() || due.at() - group.firstDue() < 0) {
      if (!group.keys.isEmpty()) {
        byDue.remove(group);
      }
      group.keys.add(due);
      byDue.add(group);
    } else {
      group.keys.add(due);
    }
    size++;
  }

  private Waiting group(KeyEntry entry) {
    if (latest == null || !latest.holds(entry)) {
      latest =
          groups.computeIfAbsent(
              new Group(entry.table(), entry.key().names()), g -> new Waiting(g, ++groupsMade));
    }
    return latest;
  }

  /** When the next entry may be due, on the clock that {@code now} comes from. */
  public OptionalLong nextDue() {
    return byDue.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byDue.first().firstDue());
  }

  /**
   * Takes due entries of one table with one set of key columns, oldest first; empty if none is due.
   */
  public List<KeyEntry> takeDue(long now, int atMost) {
    List<KeyEntry> taken = new ArrayList<>();
    while (taken.isEmpty() && !byDue.isEmpty() && byDue.first().firstDue() - now <= 0) {
      drain(byDue.pollFirst(), now, atMost, taken);
    }
    return taken;
  }

  private void drain(Waiting group, long now, int atMost, List<KeyEntry> taken) {
    PriorityQueue<Due> queue = group.keys;
    while (taken.size() < atMost && !queue.isEmpty() && queue.element().at() - now <= 0) {
      KeyEntry entry = queue.remove().entry();
      long settled = entry.lastArrival() + settleNanos;
      if (settled - now > 0) {
        queue.add(new Due(settled, entry));
      } else {
        accepting.remove(Identity.of(entry), entry);
        taken.add(entry);
        size--;
      }
    }
    if (queue.isEmpty()) {
      forget(group);
    } else {
      byDue.add(group);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very object
  private void forget(Waiting group) {
    groups.remove(group.group);
    if (group == latest) {
      latest = null;
    }
  }

  /** Takes the entries of abandoned streams, due or not. */
  public List<KeyEntry> takeAbandoned() {
    List<KeyEntry> taken = new ArrayList<>();
    List<Waiting> all = List.copyOf(byDue);
    byDue.clear();
    for (Waiting group : all) {
      group.keys.removeIf(due -> due.entry().isAbandoned() && taken.add(due.entry()));
      if (group.keys.isEmpty()) {
        forget(group);
      } else {
        byDue.add(group);
      }
    }
    accepting.values().removeIf(KeyEntry::isAbandoned);
    size -= taken.size();
    return taken;
  }

  /** Takes everything, due or not, for a shutdown. */
  public List<KeyEntry> takeAll() {
    List<KeyEntry> all = new ArrayList<>(size);
    byDue.forEach(group -> group.keys.forEach(due -> all.add(due.entry())));
    groups.clear();
    byDue.clear();
    latest = null;
    accepting.clear();
    size = 0;
    return all;
  }

  /** How many entries wait. */
  public int size() {
    return size;
  }
}
