package io.walproof.standalone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.WalproofCommand;
import io.walproof.standalone.bench.Finding.Bound;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The heap that keys on hold take, measured in a JVM that may have no more than the bound; then the
 * whole of {@code walproof run} with as many keys on hold, in a JVM with the same limit.
 */
final class HeapBench {

  private static final int LIMIT_MEGABYTES = 256;
  private static final String HEAP = LIMIT_MEGABYTES + "m";
  private static final double MEGABYTE = 1 << 20;

  /** Of fewer keys the heap tells nothing. */
  private static final int FEWEST_TELLING = 1_000;

  private static final double MOST_GROWTH = 1.5;
  private static final int ROWS_PER_TRANSACTION = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Time time;
  private final Progress progress;

  HeapBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Measures with so many keys on hold. */
  List<Finding> run(int keys) throws IOException, SQLException, InterruptedException {
    progress.say("heap: filling both sides with %,d rows that differ", keys);
    try (TwoSides sides = TwoSides.start(keys)) {
      sides.onTarget("UPDATE public.bench SET note = 'other'");
      List<Finding> findings = new ArrayList<>();
      Held all = held(sides, keys);
      findings.add(
          new Finding(
              Bench.HEAP,
              "heap of " + keys + " keys on hold",
              all.megabytes(),
              "MB",
              new Bound(Bound.Kind.BELOW, LIMIT_MEGABYTES),
              Map.of("before_and_after_megabytes", List.of(all.before(), all.after()))));
      findings.add(wholeRun(sides, keys));
      int few = keys / 10;
      if (few >= FEWEST_TELLING) {
        findings.add(
            new GrowthCurve(Bench.HEAP, "heap of a key on hold", "bytes", MOST_GROWTH)
                .judge(
                    new TreeMap<>(Map.of(few, held(sides, few).each(few), keys, all.each(keys)))));
      }
      return findings;
    }
  }

  /** Heap in megabytes without and with keys on hold. */
  private record Held(double before, double after) {
    double megabytes() {
      return after - before;
    }

    double each(int keys) {
      return megabytes() * MEGABYTE / keys;
    }
  }

  private Held held(TwoSides sides, int keys) throws IOException, InterruptedException {
    try (TemporaryState folder = TemporaryState.create()) {
      Path output = folder.path().resolve("probe.json");
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              output,
              HeapProbe.class,
              sides.sourceUrl(),
              sides.targetUrl(),
              Integer.toString(keys),
              folder.path().resolve("state").toString())) {
        int status = child.await(PATIENCE);
        if (status != 0) {
          throw new IllegalStateException("the probe ended with status " + status);
        }
      }
      JsonNode probe = JsonMapper.builder().build().readTree(Files.readString(output));
      double before = probe.get("before_bytes").asLong() / MEGABYTE;
      double after = probe.get("after_bytes").asLong() / MEGABYTE;
      progress.say("heap: %,d keys on hold take %.1f MB", keys, after - before);
      return new Held(before, after);
    }
  }

  private Finding wholeRun(TwoSides sides, int keys)
      throws IOException, SQLException, InterruptedException {
    try (TemporaryState folder = TemporaryState.create()) {
      Path state = folder.path().resolve("state");
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(config, sides.configuration(state));
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
        progress.say("heap: walproof run with -Xmx%s: changing %,d rows", HEAP, keys);
        sides.updateSource(keys, ROWS_PER_TRANSACTION);
        run.awaitDeferred(keys);
        child.terminate();
        int status = child.await(PATIENCE);
        if (status != ExitStatus.INCOMPLETE.code()) {
          throw new IllegalStateException("walproof run ended with status " + status);
        }
      }
      AuditSummary summary = AuditSummary.ofLastRun(StateDirectory.auditFile(state));
      long held = summary.total().outcomes().getOrDefault("incomplete", 0L);
      progress.say("heap: walproof run with -Xmx%s held %,d keys", HEAP, held);
      return new Finding(
          Bench.HEAP,
          "keys on hold in walproof run with -Xmx" + HEAP,
          held,
          "keys",
          new Bound(Bound.Kind.AT_LEAST, keys),
          Map.of());
    }
  }
}
