package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.WalproofCommand;
import io.walproof.standalone.bench.Finding.Bound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The memory that {@code walproof run} takes with ever more tables, each with a change that was
 * captured, read on both sides, recorded and put on hold: the live heap, and the process's peak.
 */
final class TablesBench {

  private static final String HEAP = "1g";

  /** A run with few tables, and each table's schemas, plans and histories. */
  private static final double BASE_MEGABYTES = 96;

  private static final double MOST_KILOBYTES_PER_TABLE = 64;

  /** Of fewer tables the heap tells nothing. */
  private static final int FEWEST_TELLING = 100;

  private static final double MOST_GROWTH = 2;
  private static final double KILOBYTE = 1 << 10;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Time time;
  private final Progress progress;

  TablesBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Measures with a hundredth, a tenth and all of so many tables. */
  List<Finding> run(int most) throws IOException, SQLException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    SortedMap<Integer, Double> heaps = new TreeMap<>();
    for (int tables :
        new TreeSet<>(List.of(Math.max(1, most / 100), Math.max(1, most / 10), most))) {
      Memory memory = memory(tables);
      heaps.put(tables, memory.liveMegabytes());
      progress.say(
          "tables: %,d: %.1f MB of live heap, %.0f MB resident at most",
          tables, memory.liveMegabytes(), memory.peakMegabytes());
      findings.add(
          new Finding(
              Bench.TABLES,
              "live heap of walproof run with " + tables + " tables",
              memory.liveMegabytes(),
              "MB",
              new Bound(
                  Bound.Kind.BELOW, BASE_MEGABYTES + tables * MOST_KILOBYTES_PER_TABLE / KILOBYTE),
              Map.of("peak_resident_megabytes", List.of(memory.peakMegabytes()))));
    }
    SortedMap<Integer, Double> each = perTable(heaps);
    if (each.size() > 1) {
      findings.add(
          new GrowthCurve(Bench.TABLES, "heap of one more table", "KB", MOST_GROWTH).judge(each));
    }
    return findings;
  }

  /** What each table more than those of the size before takes, in kilobytes. */
  private static SortedMap<Integer, Double> perTable(SortedMap<Integer, Double> heaps) {
    SortedMap<Integer, Double> each = new TreeMap<>();
    int before = 0;
    for (int tables : heaps.keySet()) {
      if (before >= FEWEST_TELLING) {
        each.put(tables, (heaps.get(tables) - heaps.get(before)) * KILOBYTE / (tables - before));
      }
      before = tables;
    }
    return each;
  }

  private record Memory(double liveMegabytes, double peakMegabytes) {}

  private Memory memory(int tables) throws IOException, SQLException, InterruptedException {
    progress.say("tables: making %,d on both sides", tables);
    try (TwoSides sides = TwoSides.empty();
        TemporaryState folder = TemporaryState.create()) {
      ManyTables.create(sides, tables);
      Path state = folder.path().resolve("state");
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(
          config,
          sides.configuration(
              state,
              "table.include.list=public\\\\." + ManyTables.PREFIX + ".*",
              // Any number of tables must fit; what that costs is measured.
              "drift.history.max.bytes=" + (64 << 20)));
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              folder.path().resolve("run.txt"),
              WalproofCommand.class,
              "run",
              "--config",
              config.toString())) {
        RunChild run = new RunChild(child, state, time);
        run.awaitRunning();
        ManyTables.change(sides, tables);
        run.awaitDeferred(tables);
        double live;
        try (SoakProbe probe = SoakProbe.attach(child.pid())) {
          live = probe.heap();
        }
        double peak = peakMegabytes(child.pid());
        child.terminate();
        child.await(PATIENCE);
        return new Memory(live, peak);
      }
    }
  }

  /** As the kernel counts it; not a number elsewhere than on Linux. */
  private static double peakMegabytes(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.exists(status)) {
      return Double.NaN;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / KILOBYTE;
      }
    }
    return Double.NaN;
  }
}
