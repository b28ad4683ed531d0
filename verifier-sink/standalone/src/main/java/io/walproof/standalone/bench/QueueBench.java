package io.walproof.standalone.bench;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.ingest.KeyQueue;
import io.walproof.verifier.ingest.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * How the cost of one changed key grows while ever more of them wait, of one table and of ever more
 * tables: from its arrival to its first read, and until nothing is open at or below it. Needs no
 * server.
 */
final class QueueBench {

  /** So many keys are timed at least, whatever the size. */
  private static final int KEYS_TIMED = 300_000;

  private static final int KEYS_PER_TABLE = 5;
  private static final int BATCH = 5_000;
  private static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");
  private static final Duration SETTLE = Duration.ofSeconds(5);

  /**
   * Sizes grow a hundredfold; what was quadratic would have 100. Caches and trees may take this.
   */
  private static final double MOST = 5;

  private final Time time;
  private final Progress progress;

  QueueBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures at a hundredth, a tenth and all of each.
   *
   * @param mostKeys that wait
   * @param mostTables that they belong to
   * @param rounds whose medians count; one more comes first, to warm up
   */
  List<Finding> run(int mostKeys, int mostTables, int rounds) {
    List<Finding> findings = new ArrayList<>();
    curve("a key among so many that wait", mostKeys, rounds, keys -> cost(1, keys))
        .ifPresent(findings::add);
    curve(
            "a key among those of so many tables",
            mostTables,
            rounds,
            tables -> cost(tables, KEYS_PER_TABLE))
        .ifPresent(findings::add);
    return findings;
  }

  /** Empty where there is one size only. */
  private Optional<Finding> curve(String figure, int most, int rounds, IntToDoubleFunction cost) {
    SortedMap<Integer, Double> costs = new TreeMap<>();
    // The largest first: what the JVM still has to compile must not look like a cost of few.
    for (int share : new int[] {1, 10, 100}) {
      int size = Math.max(1, most / share);
      List<Double> nanos = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        double each = cost.applyAsDouble(size);
        if (round > 0) {
          nanos.add(each);
        }
      }
      costs.put(size, new Sample(figure, nanos).median());
    }
    progress.say("queue: %s: ns by size %s", figure, costs);
    return costs.size() < 2
        ? Optional.empty()
        : Optional.of(new GrowthCurve(Bench.QUEUE, figure, "ns", MOST).judge(costs));
  }

  /** Nanoseconds for a key: in, asked for after each arrival as the worker does, out, decided. */
  private double cost(int tables, int keysPerTable) {
    List<ChangedKey> changes = changes(tables, keysPerTable);
    int repeats = Math.max(1, KEYS_TIMED / changes.size());
    long began = time.nanoTime();
    for (int repeat = 0; repeat < repeats; repeat++) {
      fillAndDrain(changes);
    }
    return (double) (time.nanoTime() - began) / repeats / changes.size();
  }

  private static void fillAndDrain(List<ChangedKey> changes) {
    KeyQueue queue = new KeyQueue(SETTLE);
    Watermark watermark = new Watermark();
    long now = 0;
    for (ChangedKey change : changes) {
      queue.offer(change, watermark, now++);
      if (!queue.takeDue(now, BATCH).isEmpty()) {
        throw new IllegalStateException("a key was due before it had settled");
      }
    }
    now += SETTLE.toNanos();
    List<KeyEntry> due = queue.takeDue(now, BATCH);
    while (!due.isEmpty()) {
      due.forEach(KeyEntry::close);
      due = queue.takeDue(now, BATCH);
    }
    if (watermark.decidedThrough() != changes.size()) {
      throw new IllegalStateException("keys were left in the queue");
    }
  }

  /** Of all tables in turn: the hardest order for what is kept of the last one. */
  private static List<ChangedKey> changes(int tables, int keysPerTable) {
    List<ChangedKey> changes = new ArrayList<>(tables * keysPerTable);
    for (int key = 0; key < keysPerTable; key++) {
      for (int table = 0; table < tables; table++) {
        changes.add(
            new ChangedKey(
                new TableId("public", "table_name_" + table),
                KeyStream.key(key),
                Operation.UPDATE,
                new Lsn(changes.size() + 1L),
                changes.size() + 1L,
                Instant.EPOCH,
                SHAPE));
      }
    }
    return changes;
  }
}
