package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.DurationConverter;
import io.walproof.standalone.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
      "Ends with 1 if a bound is missed. Wants a machine that does nothing else."
    })
public final class BenchCommand implements Callable<Integer> {

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
      description = "heap: keys on hold (default: 100000).")
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
          "history: the most tables; 100, 1000 and 10000 are measured up to it (default: 10000).")
  private int tables;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "10m",
      description = "soak: how long, such as 10m or 8h; at least 30s (default: 10m).",
      converter = DurationConverter.class)
  private Duration duration;

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
    if (duration.compareTo(SoakBench.SHORTEST) < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--duration must be at least " + SoakBench.SHORTEST.toSeconds() + "s");
    }
    BenchReport report = measure(new Progress(spec.commandLine().getErr()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.json());
    } else {
      report.print(out);
    }
    out.flush();
    return (report.allHold() ? ExitStatus.CLEAN : ExitStatus.ERROR).code();
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
            case SOAK -> new SoakBench(time, progress).run(duration);
          });
    }
    return new BenchReport(findings);
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(spec.commandLine(), option + " must be at least 1");
    }
  }
}
