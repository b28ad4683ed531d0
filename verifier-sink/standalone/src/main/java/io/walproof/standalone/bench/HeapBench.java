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
import java.util.List;
import java.util.Map;

/**
 * The heap that keys on hold take, measured in a JVM that may have no more than the bound; then the
 * whole of {@code walproof run} with as many keys on hold, in a JVM with the same limit.
 */
final class HeapBench {

  private static final int LIMIT_MEGABYTES = 256;
  private static final String HEAP = LIMIT_MEGABYTES + "m";
  private static final double MEGABYTE = 1 << 20;
  private static final int ROWS_PER_TRANSACTION = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofSeconds(1);

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
      return List.of(verifierAlone(sides, keys), wholeRun(sides, keys));
    }
  }

  private Finding verifierAlone(TwoSides sides, int keys) throws IOException, InterruptedException {
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
      return new Finding(
          Bench.HEAP,
          "heap of " + keys + " keys on hold",
          after - before,
          "MB",
          new Bound(Bound.Kind.BELOW, LIMIT_MEGABYTES),
          Map.of("before_and_after_megabytes", List.of(before, after)));
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
        awaitRunning(child, state);
        progress.say("heap: walproof run with -Xmx%s: changing %,d rows", HEAP, keys);
        sides.updateSource(keys, ROWS_PER_TRANSACTION);
        awaitDeferred(child, state, keys);
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

  private void awaitRunning(ChildJvm child, Path state) throws InterruptedException {
    // The position is durable just before the engine starts; from then on no change is missed.
    Path offsets = state.resolve("offsets.json");
    await(child, () -> Files.exists(offsets), "walproof run did not start");
  }

  private void awaitDeferred(ChildJvm child, Path state, int keys) throws InterruptedException {
    Path audit = StateDirectory.auditFile(state);
    await(
        child,
        () -> AuditSummary.ofLastRun(audit).total().deferred() >= keys,
        "walproof run did not put all keys on hold");
  }

  private interface Condition {
    boolean holds();
  }

  private void await(ChildJvm child, Condition condition, String otherwise)
      throws InterruptedException {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (!child.isAlive()) {
        throw new IllegalStateException(
            "walproof run ended by itself with status " + child.await(Duration.ZERO));
      }
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException(otherwise + " within " + PATIENCE);
      }
      time.sleep(POLL);
    }
  }
}
