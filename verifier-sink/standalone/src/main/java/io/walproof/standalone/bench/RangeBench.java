package io.walproof.standalone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.embedded.TcpLink;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.WalproofCommand;
import io.walproof.standalone.bench.Finding.Bound;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.DigestPlace;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.row.KeyRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Range checks of two equal tables beside a bare copy of both, in turns; then with a few and with
 * many rows that differ; then at half the duty cycle; and of a large table in a small heap.
 */
final class RangeBench {

  private static final double OVER_BARE = 1.5;
  private static final double FEW_OVER_EQUAL = 1.2;
  private static final int FEW = 10;

  /** How many rows differ, and what that may cost over equal ones. */
  private record Rate(int every, double overEqual) {}

  private static final List<Rate> RATES = List.of(new Rate(1_000, 2), new Rate(20, 3));

  /** Tables of other widths have fewer rows. */
  private static final int WIDTH_SHARE = 4;

  /** From two chunks to twenty. */
  private static final int MOST_CHUNKS = 20;

  private static final double CHUNK_GROWTH = 2;
  private static final double CPU_OVER_BARE = 2;
  private static final double HALF = 0.5;

  /** Half the load, give or take a quarter of it. */
  private static final double LOAD_AT_HALF = 0.625;

  private static final long BYTES_PER_ROW = 110;

  private static final long LEAST_RATE = 2_000_000;

  /** How long a slow link takes for one table, unless it is small. */
  private static final long SLOW_SECONDS = 20;

  /** A trial of a few thousand rows is part of it. */
  private static final double AUTO_OVER_BETTER = 1.5;

  private static final String HEAP = "256m";
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final Time time;
  private final Progress progress;

  RangeBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param rows rows of the tables that are timed
   * @param largeRows rows of the table that is checked in a small heap
   * @param rounds runs that count; one more of each comes first, to warm up
   */
  List<Finding> run(int rows, int largeRows, int rounds)
      throws IOException, SQLException, InterruptedException {
    progress.say("range: filling both sides with %,d rows", rows);
    List<Finding> findings = new ArrayList<>();
    try (TwoSides sides = TwoSides.start(rows)) {
      List<Double> bare = new ArrayList<>();
      List<Double> equal = new ArrayList<>();
      List<Double> cpu = new ArrayList<>();
      List<Double> bareCpu = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        double copies = bare(sides, rows, round == 0 ? new ArrayList<>() : bareCpu);
        RangeRun run = proved(sides, rows, 1);
        if (round > 0) {
          bare.add(copies);
          equal.add(run.seconds());
          cpu.add(run.sourceCpuSeconds() * 1e6 / rows);
        }
        progress.say(
            "range: %s: bare copies %.2f s, range check %.2f s, source CPU %.2f s",
            round == 0 ? "warm-up" : "round " + round,
            copies,
            run.seconds(),
            run.sourceCpuSeconds());
      }
      Sample reference = new Sample("equal_seconds", equal);
      Sample load = new Sample("source_cpu_seconds_per_million_rows", cpu);
      findings.add(
          Finding.below(
              Bench.RANGE,
              "range check over bare copies of both",
              OVER_BARE,
              reference,
              new Sample("bare_seconds", bare)));
      findings.add(
          Finding.below(
              Bench.RANGE,
              "source CPU of a range check over a bare copy",
              CPU_OVER_BARE,
              load,
              new Sample("bare_cpu_seconds_per_million_rows", bareCpu)));
      findings.add(halfDuty(sides, rows, rounds, reference, load));
      findings.addAll(slowLink(sides, rows));
      findings.add(chunks(sides, rows, rounds));
      findings.addAll(new WidthBench(time, progress).run(sides, rows / WIDTH_SHARE, rounds));
      findings.add(
          differing(
              sides,
              rows,
              rows / FEW,
              FEW + " rows that differ",
              rounds,
              FEW_OVER_EQUAL,
              reference));
      for (Rate rate : RATES) {
        String figure = "one row in " + rate.every() + " that differs";
        findings.add(
            differing(sides, rows, rate.every(), figure, rounds, rate.overEqual(), reference));
      }
      findings.add(smallHeap(sides, largeRows));
    }
    return findings;
  }

  private double bare(TwoSides sides, int rows, List<Double> cpu)
      throws SQLException, InterruptedException {
    try (Connection source = sides.source().connect(ReplicatedPair.DATABASE);
        Connection target = sides.target().connect(ReplicatedPair.DATABASE)) {
      long began = time.nanoTime();
      if (BareCopies.copy(source, target, BenchTable.ID) != rows) {
        throw new IllegalStateException("the bare copies did not see every row");
      }
      double seconds = (time.nanoTime() - began) / 1e9;
      cpu.add(ServerCpu.ofItself(source) * 1e6 / rows);
      return seconds;
    }
  }

  private RangeRun proved(TwoSides sides, int rows, double dutyCycle)
      throws IOException, SQLException, InterruptedException {
    RangeRun run = RangeRun.of(sides, dutyCycle, time);
    if (run.result().outcome() != RangeOutcome.PROVED
        || run.result().progress().rows() != rows
        || run.result().keys().suspects() != 0) {
      throw new IllegalStateException("equal tables were not proved: " + run.result());
    }
    return run;
  }

  /** Of the first tenth of the table and of all of it, in chunks of one size. */
  private Finding chunks(TwoSides sides, int rows, int rounds)
      throws IOException, SQLException, InterruptedException {
    int chunkRows = Math.max(1, rows / MOST_CHUNKS);
    SortedMap<Integer, Double> costs = new TreeMap<>();
    for (int chunks : new int[] {MOST_CHUNKS / 10, MOST_CHUNKS}) {
      List<Double> millis = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        RangeRun run = RangeRun.of(sides, firstRows(chunks * chunkRows), chunkRows, time);
        if (run.result().outcome() != RangeOutcome.PROVED) {
          throw new IllegalStateException("equal rows were not proved: " + run.result());
        }
        millis.add(run.seconds() * 1e3 / chunks);
      }
      costs.put(chunks, new Sample("ms", millis).median());
    }
    progress.say("range: ms for a chunk of %,d rows, by chunks: %s", chunkRows, costs);
    return new GrowthCurve(Bench.RANGE, "a chunk of so many", "ms", CHUNK_GROWTH).judge(costs);
  }

  private static Claim firstRows(int rows) {
    KeyRange.Bound last = new KeyRange.Bound(List.of(Integer.toString(rows)), true);
    return new Claim(
        BenchTable.ID, new KeyRange(Optional.empty(), Optional.of(last)), Claim.Origin.REQUEST);
  }

  private Finding halfDuty(TwoSides sides, int rows, int rounds, Sample full, Sample load)
      throws IOException, SQLException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      RangeRun run = proved(sides, rows, HALF);
      seconds.add(run.seconds());
      cpu.add(run.sourceCpuSeconds() * 1e6 / rows);
    }
    Sample half = new Sample("half_duty_seconds", seconds);
    Sample halfCpu = new Sample("half_duty_source_cpu_seconds_per_million_rows", cpu);
    double ratio = (halfCpu.median() / half.median()) / (load.median() / full.median());
    progress.say(
        "range: at half the duty cycle %.2f s instead of %.2f s, source load %.2f of the full one;"
            + " %.2f s of source CPU a million rows",
        half.median(), full.median(), ratio, load.median());
    return new Finding(
        Bench.RANGE,
        "source load at verify.duty.cycle=0.5 over full",
        ratio,
        "ratio",
        new Bound(Bound.Kind.BELOW, LOAD_AT_HALF),
        samples(full, load, half, halfCpu));
  }

  /** The whole table takes so long to copy that digests by the server must win. */
  private List<Finding> slowLink(TwoSides sides, int rows)
      throws IOException, SQLException, InterruptedException {
    long rate = Math.max(LEAST_RATE, rows * BYTES_PER_ROW / SLOW_SECONDS);
    Map<DigestPlace, Double> seconds = new EnumMap<>(DigestPlace.class);
    Map<DigestPlace, Long> bytes = new EnumMap<>(DigestPlace.class);
    for (DigestPlace place : DigestPlace.values()) {
      try (TcpLink source = TcpLink.to(sides.source().port(), rate, time);
          TcpLink target = TcpLink.to(sides.target().port(), rate, time)) {
        RangeRun run = RangeRun.of(sides, url(source), url(target), 1, place, time);
        if (run.result().outcome() != RangeOutcome.PROVED) {
          throw new IllegalStateException("equal tables were not proved: " + run.result());
        }
        seconds.put(place, run.seconds());
        bytes.put(place, source.sent() + target.sent());
        progress.say(
            "range: over links of %,d bytes/s, verify.range.digest=%s (%s): %.1f s, %,d bytes",
            rate,
            place.text(),
            run.result().digest().orElse(""),
            run.seconds(),
            source.sent() + target.sent());
      }
    }
    double client = seconds.get(DigestPlace.CLIENT);
    double server = seconds.get(DigestPlace.SERVER);
    double auto = seconds.get(DigestPlace.AUTO);
    return List.of(
        new Finding(
            Bench.RANGE,
            "server's digest over ours, slow links",
            server / client,
            "ratio",
            new Bound(Bound.Kind.BELOW, 1),
            Map.of(
                "client_and_server_seconds",
                List.of(client, server),
                "client_and_server_bytes",
                List.of(
                    (double) bytes.get(DigestPlace.CLIENT),
                    (double) bytes.get(DigestPlace.SERVER)))),
        new Finding(
            Bench.RANGE,
            "auto over the better one, slow links",
            auto / Math.min(client, server),
            "ratio",
            new Bound(Bound.Kind.BELOW, AUTO_OVER_BETTER),
            Map.of("auto_seconds", List.of(auto))));
  }

  private static String url(TcpLink link) {
    return "jdbc:postgresql://127.0.0.1:" + link.port() + "/" + ReplicatedPair.DATABASE;
  }

  /** So many rows of the target get another value; each must be found. */
  private Finding differing(
      TwoSides sides, int rows, int step, String figure, int rounds, double bound, Sample equal)
      throws IOException, SQLException, InterruptedException {
    sides.onTarget("UPDATE public.bench SET note = 'other' WHERE id % " + step + " = 0");
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      RangeRun run = RangeRun.of(sides, 1, time);
      if (run.result().keys().failures() != rows / step) {
        throw new IllegalStateException(
            rows / step + " rows differ, found were " + run.result().keys().failures());
      }
      seconds.add(run.seconds());
      progress.say("range: %,d rows differ: %.2f s", rows / step, run.seconds());
    }
    return Finding.below(
        Bench.RANGE,
        "range check with " + figure + " over equal",
        bound,
        new Sample("differing_seconds", seconds),
        equal);
  }

  private Finding smallHeap(TwoSides sides, int rows)
      throws IOException, SQLException, InterruptedException {
    progress.say("range: filling both sides with %,d rows", rows);
    sides.refill(rows);
    try (TemporaryState folder = TemporaryState.create()) {
      Path output = folder.path().resolve("out.json");
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(config, sides.configuration(folder.path().resolve("state")));
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              output,
              WalproofCommand.class,
              "verify-range",
              "--config",
              config.toString(),
              "--table",
              "public.bench",
              "--json")) {
        int status = child.await(PATIENCE);
        if (status != ExitStatus.CLEAN.code()) {
          throw new IllegalStateException("walproof verify-range ended with status " + status);
        }
      }
      JsonNode table =
          JsonMapper.builder().build().readTree(Files.readString(output)).path("tables").path(0);
      long checked = table.path("coverage").path("rows").asLong();
      progress.say(
          "range: %,d rows in %.1f s with -Xmx%s",
          checked, table.path("milliseconds").asLong() / 1e3, HEAP);
      return new Finding(
          Bench.RANGE,
          "rows checked by verify-range with -Xmx" + HEAP,
          checked,
          "rows",
          new Bound(Bound.Kind.AT_LEAST, rows),
          Map.of("seconds", List.of(table.path("milliseconds").asLong() / 1e3)));
    }
  }

  private static Map<String, List<Double>> samples(Sample... samples) {
    Map<String, List<Double>> map = new java.util.LinkedHashMap<>();
    for (Sample sample : samples) {
      map.put(sample.name(), sample.values());
    }
    return map;
  }
}
