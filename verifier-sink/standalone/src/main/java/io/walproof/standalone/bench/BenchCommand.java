package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.DurationConverter;
import io.walproof.standalone.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof bench}. */
@Command(
    name = "bench",
    description = {
      "Measures what Walproof costs on embedded PostgreSQL servers, each figure beside the bare work"
          + " in the same run, and holds it against its bound.",
      "Ends with 1 if a bound is missed, or a ratio is worse than the baseline's. Wants a machine that"
          + " does nothing else."
    })
public final class BenchCommand implements Callable<Integer> {

  /** Of each hot key, while it is on hold. */
  private static final int UPDATES = 5;

  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "BENCH",
      description = "Only these: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Bench> only = EnumSet.allOf(Bench.class);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each contender that count, after one to warm up (default: 3).")
  private int rounds;

  @Option(
      names = "--changes",
      paramLabel = "N",
      defaultValue = "500000",
      description = "engine: changes in the backlog (default: 500000).")
  private int changes;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "100000",
      description = "keys: keys that a run checks, of ten times as many rows (default: 100000).")
  private int keys;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "5000",
      description = "keys: keys per read (default: 5000).")
  private int batch;

  @Option(
      names = "--pending",
      paramLabel = "N",
      defaultValue = "100000",
      description = "heap: keys on hold; queue: keys that wait (default: 100000).")
  private int pending;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "range: rows of the tables that are timed (default: 2000000).")
  private int rows;

  @Option(
      names = "--large-rows",
      paramLabel = "N",
      defaultValue = "5000000",
      description = "range: rows of the table that is checked in a small heap (default: 5000000).")
  private int largeRows;

  @Option(
      names = "--tables",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "history, queue: the most tables; history measures 100, 1000 and 10000 up to it (default:"
              + " 10000).")
  private int tables;

  @Option(
      names = "--run-tables",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "tables: the most tables of a run; a hundredth, a tenth and all are measured (default:"
              + " 10000).")
  private int runTables;

  @Option(
      names = "--hot-keys",
      paramLabel = "N",
      defaultValue = "10000",
      description = "versions: keys on hold whose rows keep changing (default: 10000).")
  private int hotKeys;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "10m",
      description = "soak: how long, such as 10m or 8h; at least 30s (default: 10m).",
      converter = DurationConverter.class)
  private Duration duration;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description =
          "Also holds each ratio against that of an earlier --json result; \"default\" is"
              + " the one that comes along, of the default sizes.")
  private String baseline;

  @Option(
      names = "--tolerance",
      paramLabel = "SHARE",
      defaultValue = "0.25",
      description = "How much worse than the baseline a ratio may be (default: 0.25, a quarter).")
  private double tolerance;

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description = "Writes this run's ratios, for --baseline.")
  private Path writeBaseline;

  @Option(names = "--json", description = "The result as one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException, SQLException, TimeoutException, InterruptedException {
    requirePositive("--rounds", rounds);
    requirePositive("--changes", changes);
    requirePositive("--keys", keys);
    requirePositive("--batch", batch);
    requirePositive("--pending", pending);
    requirePositive("--rows", rows);
    requirePositive("--large-rows", largeRows);
    requirePositive("--tables", tables);
    requirePositive("--run-tables", runTables);
    requirePositive("--hot-keys", hotKeys);
    if (duration.compareTo(SoakBench.SHORTEST) < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--duration must be at least " + SoakBench.SHORTEST.toSeconds() + "s");
    }
    Optional<Baseline> before = baseline();
    BenchReport measured = measure(new Progress(spec.commandLine().getErr()));
    if (writeBaseline != null) {
      Files.writeString(writeBaseline, Baseline.of(measured));
    }
    BenchReport report = before.map(known -> measured.against(known, tolerance)).orElse(measured);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.json());
    } else {
      report.print(out);
    }
    out.flush();
    return (report.allHold() && report.worse().isEmpty() ? ExitStatus.CLEAN : ExitStatus.ERROR)
        .code();
  }

  private BenchReport measure(Progress progress)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    Time time = Time.system();
    List<Finding> findings = new ArrayList<>();
    for (Bench bench : EnumSet.copyOf(only)) {
      findings.addAll(
          switch (bench) {
            case ENGINE -> new EngineBench(time, progress).run(changes, rounds);
            case KEYS -> new KeysBench(time, progress).run(keys, batch, rounds);
            case HEAP -> new HeapBench(time, progress).run(pending);
            case RANGE -> new RangeBench(time, progress).run(rows, largeRows, rounds);
            case HISTORY -> new HistoryBench(time, progress).run(tables, rounds);
            case TABLES -> new TablesBench(time, progress).run(runTables);
            case START -> new StartBench(time, progress).run(rounds);
            case VERSIONS -> new VersionsBench(time, progress).run(hotKeys, UPDATES, rounds);
            case QUEUE -> new QueueBench(time, progress).run(pending, tables, rounds);
            case SOAK -> new SoakBench(time, progress).run(duration);
          });
    }
    return new BenchReport(findings);
  }

  /** Read first: nobody wants to learn after an hour that the file is none. */
  private Optional<Baseline> baseline() throws IOException {
    if (!(tolerance >= 0 && tolerance < 1)) {
      throw new ParameterException(spec.commandLine(), "--tolerance must be from 0 to below 1");
    }
    try {
      return baseline == null ? Optional.empty() : Optional.of(Baseline.load(baseline));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--baseline: " + e.getMessage(), e);
    }
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " must be at least 1");
    }
  }
}
