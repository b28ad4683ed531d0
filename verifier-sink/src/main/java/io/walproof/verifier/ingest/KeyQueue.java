package io.walproof.verifier.ingest;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry.Stratum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
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
  private final Map<Group, PriorityQueue<Due>> groups = new LinkedHashMap<>();
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
    groups
        .computeIfAbsent(
            new Group(entry.table(), entry.key().names()),
            g -> new PriorityQueue<>((a, b) -> Long.compare(a.at() - b.at(), 0)))
        .add(new Due(now + settleNanos, entry));
    size++;
  }

  /** When the next entry may be due, on the clock that {@code now} comes from. */
  public OptionalLong nextDue() {
    return earliestGroup()
        .map(group -> OptionalLong.of(groups.get(group).element().at()))
        .orElseGet(OptionalLong::empty);
  }

  /**
   * Takes due entries of one table with one set of key columns, oldest first; empty if none is due.
   */
  public List<KeyEntry> takeDue(long now, int atMost) {
    List<KeyEntry> taken = new ArrayList<>();
    Optional<Group> group = earliestGroup();
    while (group.isPresent()
        && taken.isEmpty()
        && groups.get(group.get()).element().at() - now <= 0) {
      drain(group.get(), now, atMost, taken);
      group = earliestGroup();
    }
    return taken;
  }

  private void drain(Group group, long now, int atMost, List<KeyEntry> taken) {
    PriorityQueue<Due> queue = groups.get(group);
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
      groups.remove(group);
    }
  }

  /** Takes the entries of abandoned streams, due or not. */
  public List<KeyEntry> takeAbandoned() {
    List<KeyEntry> taken = new ArrayList<>();
    for (PriorityQueue<Due> queue : groups.values()) {
      queue.removeIf(due -> due.entry().isAbandoned() && taken.add(due.entry()));
    }
    groups.values().removeIf(PriorityQueue::isEmpty);
    accepting.values().removeIf(KeyEntry::isAbandoned);
    size -= taken.size();
    return taken;
  }

  /** Takes everything, due or not, for a shutdown. */
  public List<KeyEntry> takeAll() {
    List<KeyEntry> all = new ArrayList<>(size);
    groups.values().forEach(queue -> queue.forEach(due -> all.add(due.entry())));
    groups.clear();
    accepting.clear();
    size = 0;
    return all;
  }

  /** How many entries wait. */
  public int size() {
    return size;
  }

  private Optional<Group> earliestGroup() {
    Group earliest = null;
    long at = 0;
    for (Map.Entry<Group, PriorityQueue<Due>> candidate : groups.entrySet()) {
      long due = candidate.getValue().element().at();
      if (earliest == null || due - at < 0) {
        earliest = candidate.getKey();
        at = due;
      }
    }
    return Optional.ofNullable(earliest);
  }
}
