package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.WalproofCommand;
import io.walproof.standalone.bench.Finding.Bound;
import io.walproof.standalone.bench.FlatLine.Of;
import io.walproof.standalone.demo.DemoWorkload;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * {@code walproof run} in a JVM of its own, under a mixed load, for as long as one likes: every few
 * seconds something goes wrong, or only looks so, and each fault must be found, nothing else may be
 * reported, and what the run takes may not grow.
 */
final class SoakBench {

  /** Shorter ones have too few samples to tell whether anything grows. */
  static final Duration SHORTEST = Duration.ofSeconds(30);

  private static final String HEAP = "256m";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(2);

  /** Samples are kept in memory; long soaks take no more of them. */
  private static final int SAMPLES = 240;

  private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(1);
  private static final Duration RANGE_INTERVAL = Duration.ofSeconds(10);

  /** Of the delays that are set; range checks and a busy machine come on top. */
  private static final double LONGEST_VERDICT_SECONDS = 60;

  private static final FlatLine HEAP_LINE =
      new FlatLine("heap after a collection", "MB", Of.MEDIAN, 0.1, 4);

  /** Pools and timers have threads that come and go. */
  private static final FlatLine THREADS = new FlatLine("threads", "", Of.HIGHEST, 0, 5);

  private static final FlatLine CONNECTIONS = new FlatLine("connections", "", Of.HIGHEST, 0, 3);
  private static final FlatLine HANDLES = new FlatLine("file handles", "", Of.HIGHEST, 0, 6);
  private static final FlatLine LAG = new FlatLine("slot lag", "MB", Of.MEDIAN, 1, 4);

  private final Time time;
  private final Progress progress;
  private final SoakJudge judge = new SoakJudge();
  private final Map<FlatLine, List<Double>> samples = new LinkedHashMap<>();
  private int moment;

  SoakBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Soaks for so long, and then until each fault has its verdict. */
  List<Finding> run(Duration duration)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    try (TemporaryState folder = TemporaryState.create();
        SoakServers servers = SoakServers.start(time)) {
      Path state = folder.path().resolve("state");
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(config, servers.configuration(state.toString(), RANGE_INTERVAL));
      DemoWorkload load = servers.load();
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              folder.path().resolve("run.txt"),
              WalproofCommand.class,
              "run",
              "--config",
              config.toString())) {
        awaitStarted(child, state);
        load.start();
        try (AuditReader audit = AuditReader.open(StateDirectory.auditFile(state))) {
          soak(child, servers, load, audit, duration);
          end(child, servers, audit);
        }
      } finally {
        load.stop();
      }
      progress.say("soak: %,d transactions", load.transactions());
    }
    return findings();
  }

  private void awaitStarted(ChildJvm child, Path state) throws InterruptedException {
    Path offsets = state.resolve("offsets.json");
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(offsets)) {
      requireAlive(child);
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException("walproof run did not start within " + PATIENCE);
      }
      time.sleep(TICK);
    }
  }

  private void soak(
      ChildJvm child, SoakServers servers, DemoWorkload load, AuditReader audit, Duration duration)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    Duration between =
        BETWEEN_SAMPLES.compareTo(duration.dividedBy(SAMPLES)) > 0
            ? BETWEEN_SAMPLES
            : duration.dividedBy(SAMPLES);
    progress.say("soak: for %s, a fault every %s", duration, BETWEEN_FAULTS);
    long began = time.nanoTime();
    long nextFault = began;
    long nextSample = began;
    try (SoakProbe probe = SoakProbe.attach(child.pid())) {
      while (time.nanoTime() - began < duration.toNanos()) {
        requireAlive(child);
        if (load.failure() != null) {
          throw new IllegalStateException("the load failed", load.failure());
        }
        if (time.nanoTime() - nextSample >= 0) {
          sample(probe, servers);
          nextSample = time.nanoTime() + between.toNanos();
        }
        if (time.nanoTime() - nextFault >= 0) {
          disturb(servers);
          nextFault = time.nanoTime() + BETWEEN_FAULTS.toNanos();
        }
        look(servers, audit);
        time.sleep(TICK);
      }
    }
    load.stop();
  }

  /** In turns each fault, and one thing that is none. */
  private void disturb(SoakServers servers)
      throws SQLException, TimeoutException, InterruptedException {
    SoakFault[] faults = SoakFault.values();
    int turn = moment++ % (faults.length + 1);
    if (turn == faults.length) {
      servers.pauseApplier();
    } else {
      // Before it is done: nobody can have found it earlier.
      Instant at = time.now();
      judge.injected(servers.inject(faults[turn]), faults[turn], at);
    }
  }

  private void sample(SoakProbe probe, SoakServers servers) throws SQLException {
    keep(HEAP_LINE, probe.heap());
    keep(THREADS, probe.threads());
    keep(HANDLES, probe.handles());
    keep(CONNECTIONS, servers.connections());
    keep(LAG, servers.slotLag());
  }

  private void keep(FlatLine line, double value) {
    samples.computeIfAbsent(line, any -> new ArrayList<>()).add(value);
  }

  /** Reads what the audit has got meanwhile, and mends what is found. */
  private void look(SoakServers servers, AuditReader audit) throws SQLException {
    Optional<AuditRecord> record = audit.next();
    while (record.isPresent()) {
      for (SoakJudge.Found found : judge.accept(record.get())) {
        servers.mend(found.order(), found.fault());
        judge.mended(found.order(), time.now());
      }
      record = audit.next();
    }
    for (long order : judge.takeMoved()) {
      servers.touch(order);
    }
  }

  private void end(ChildJvm child, SoakServers servers, AuditReader audit)
      throws SQLException, InterruptedException {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!judge.missing().isEmpty() && time.nanoTime() - end < 0) {
      requireAlive(child);
      look(servers, audit);
      time.sleep(TICK);
    }
    child.terminate();
    int status = child.await(PATIENCE);
    if (status != ExitStatus.FAILURES.code()) {
      throw new IllegalStateException("walproof run ended with status " + status);
    }
    look(servers, audit);
  }

  private static void requireAlive(ChildJvm child) throws InterruptedException {
    if (!child.isAlive()) {
      throw new IllegalStateException(
          "walproof run ended by itself with status " + child.await(Duration.ZERO));
    }
  }

  private List<Finding> findings() {
    judge.missing().forEach((order, fault) -> progress.say("soak: MISSED %s, %d", fault, order));
    judge.wrong().forEach(text -> progress.say("soak: FALSE %s", text));
    judge.unjudged().forEach(text -> progress.say("soak: UNJUDGED %s", text));
    List<Finding> findings = new ArrayList<>();
    findings.add(
        new Finding(
            Bench.SOAK,
            "faults found, of " + judge.injected(),
            judge.found().size(),
            "",
            new Bound(Bound.Kind.AT_LEAST, Math.max(1, judge.injected())),
            Map.of()));
    findings.add(none("faults missed", judge.missing().size()));
    findings.add(none("false reports", judge.wrong().size()));
    findings.add(none("keys left unjudged", judge.unjudged().size()));
    latency("changed rows", fault -> fault != SoakFault.TAMPERED_ROW).ifPresent(findings::add);
    latency("rows left alone", fault -> fault == SoakFault.TAMPERED_ROW).ifPresent(findings::add);
    samples.forEach((line, values) -> findings.add(line.judge(values)));
    return findings;
  }

  /** From a fault to its verdict's record: the longest, and all of them as samples. */
  private Optional<Finding> latency(String of, Predicate<SoakFault> which) {
    List<Double> seconds =
        judge.found().stream()
            .filter(found -> which.test(found.fault()))
            .map(found -> found.after().toMillis() / 1e3)
            .toList();
    if (seconds.isEmpty()) {
      return Optional.empty();
    }
    Sample sample = new Sample("seconds", seconds);
    progress.say(
        "soak: %s: from fault to verdict %.1f s in the median, %.1f s at most",
        of, sample.median(), sample.highest());
    return Optional.of(
        new Finding(
            Bench.SOAK,
            "longest time to a verdict, " + of,
            sample.highest(),
            "s",
            new Bound(Bound.Kind.BELOW, LONGEST_VERDICT_SECONDS),
            Map.of(sample.name(), sample.values())));
  }

  private static Finding none(String figure, int count) {
    return new Finding(Bench.SOAK, figure, count, "", new Bound(Bound.Kind.BELOW, 1), Map.of());
  }
}
