package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.bench.Finding.Bound;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.run.RunSettingsLoader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * What it costs to keep the versions of rows that are on hold ({@code verify.versions.max.bytes}):
 * a run's CPU time for each further change of such rows, with and without, in turns; and the heap
 * that the versions take, beside what they are counted as.
 */
final class VersionsBench {

  private static final int KEPT_BYTES = 256 << 20;
  private static final int ROWS_PER_TRANSACTION = 500;
  private static final double CPU_BELOW = 1.5;
  private static final double HEAP_BELOW = 1.5;
  private static final double BYTES_PER_VERSION = 400;

  /** With fewer changes the heap tells nothing. */
  private static final int FEWEST_TELLING = 10_000;

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Time time;
  private final Progress progress;
  private int runs;

  VersionsBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param keys on hold
   * @param updates of each of them while it is
   * @param rounds with and without that count; one more of each comes first, to warm up
   */
  List<Finding> run(int keys, int updates, int rounds)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    List<Double> off = new ArrayList<>();
    List<Double> on = new ArrayList<>();
    List<Double> heap = new ArrayList<>();
    List<Double> counted = new ArrayList<>();
    try (TwoSides sides = TwoSides.start(keys)) {
      sides.onTarget("UPDATE public.bench SET note = 'other'");
      for (int round = 0; round <= rounds; round++) {
        Run without = run(sides, keys, updates, 0);
        Run with = run(sides, keys, updates, KEPT_BYTES);
        if (round > 0) {
          off.add(without.cpuMicros());
          on.add(with.cpuMicros());
          heap.add((double) with.heapBytes() - without.heapBytes());
          counted.add((double) with.countedBytes());
        }
        progress.say(
            "versions: CPU of a change %.1f us without, %.1f us with; %,.1f MB more heap, counted as"
                + " %,.1f MB",
            without.cpuMicros(),
            with.cpuMicros(),
            (with.heapBytes() - without.heapBytes()) / 1e6,
            with.countedBytes() / 1e6);
      }
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(
        Finding.below(
            Bench.VERSIONS,
            "CPU of a change with versions kept over without",
            CPU_BELOW,
            new Sample("with_microseconds_per_change", on),
            new Sample("without_microseconds_per_change", off)));
    if (keys * updates >= FEWEST_TELLING) {
      Sample taken = new Sample("heap_bytes", heap);
      findings.add(
          Finding.below(
              Bench.VERSIONS,
              "heap of versions over what they are counted as",
              HEAP_BELOW,
              taken,
              new Sample("counted_bytes", counted)));
      findings.add(
          new Finding(
              Bench.VERSIONS,
              "heap of a kept version, its key's share included",
              taken.median() / ((double) keys * updates),
              "bytes",
              new Bound(Bound.Kind.BELOW, BYTES_PER_VERSION),
              Map.of(taken.name(), taken.values())));
    }
    return findings;
  }

  /**
   * One run.
   *
   * @param cpuMicros of this process for each change
   * @param heapBytes in use with everything on hold
   * @param countedBytes what the versions are counted as
   */
  private record Run(double cpuMicros, long heapBytes, long countedBytes) {}

  private Run run(TwoSides sides, int keys, int updates, int maxBytes)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    String slot = "bench_versions_" + ++runs;
    try (TemporaryState folder = TemporaryState.create()) {
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(
          config,
          sides.configuration(
              folder.path().resolve("state"),
              "slot.name=" + slot,
              // Nothing is decided meanwhile, and every update may be an entry of its own.
              "verify.pending.max=" + Math.multiplyExact(keys, updates + 2),
              "verify.versions.max.bytes=" + maxBytes));
      RunSession session = RunSession.start(RunSettingsLoader.load(config), time, entries -> {});
      try {
        sides.updateSource(keys, ROWS_PER_TRANSACTION);
        await(session, () -> session.verifier().deferred() >= keys);
        long before = session.total().observed();
        long cpu = cpuNanos();
        for (int update = 0; update < updates; update++) {
          sides.updateSource(keys, ROWS_PER_TRANSACTION);
        }
        long expected = before + (long) keys * updates;
        await(
            session,
            () ->
                session.total().observed() >= expected
                    && session.verifier().deferred() == session.verifier().pending());
        double micros = (cpuNanos() - cpu) / 1e3 / ((double) keys * updates);
        return new Run(micros, usedHeap(), session.verifier().versions().bytes());
      } finally {
        session.end("stopped", () -> ExitStatus.INCOMPLETE);
        sides.dropSlot(slot);
      }
    }
  }

  private void await(RunSession session, BooleanSupplier condition)
      throws TimeoutException, InterruptedException {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      session.tick();
      if (time.nanoTime() - end > 0) {
        throw new TimeoutException("the run did not take all changes within " + PATIENCE);
      }
      time.sleep(POLL);
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** What is reachable: a full collection twice, because the first may only discover references. */
  private static long usedHeap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
