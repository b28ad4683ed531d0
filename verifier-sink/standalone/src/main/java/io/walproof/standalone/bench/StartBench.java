package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.WalproofCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long {@code walproof run} takes from the start of its JVM to its first verdict on a change
 * that waits for it, beside what a plain Debezium engine takes to hand over that change; in turns.
 * Nothing is waited for on purpose: no settle time, no recheck delay.
 */
final class StartBench {

  /** Reads on both sides, a recheck, and the audit come on top of the engine's start. */
  private static final double BELOW = 2.5;

  private static final int ROWS = 100;
  private static final String HEAP = "256m";
  private static final String PUBLICATION = "bench";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(10);

  private final Time time;
  private final Progress progress;

  StartBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Measures. */
  List<Finding> run(int rounds) throws IOException, SQLException, InterruptedException {
    List<Double> plain = new ArrayList<>();
    List<Double> walproof = new ArrayList<>();
    try (TwoSides sides = TwoSides.start(ROWS)) {
      sides
          .source()
          .execute(
              ReplicatedPair.DATABASE,
              "CREATE PUBLICATION " + PUBLICATION + " FOR TABLE " + BenchTable.ID.sql());
      SlotCopies slots = SlotCopies.of(sides.source(), ReplicatedPair.DATABASE, "bench_start");
      sides.updateSource(1, 1);
      // The first of each fills the file system's caches.
      for (int round = 0; round <= rounds; round++) {
        double bare = plain(sides, slots);
        double ours = walproof(sides, slots);
        if (round > 0) {
          plain.add(bare);
          walproof.add(ours);
        }
        progress.say(
            "start: first record of plain Debezium %.1f s, first verdict %.1f s", bare, ours);
      }
    }
    return List.of(
        Finding.below(
            Bench.START,
            "time to the first verdict over plain Debezium's to its first record",
            BELOW,
            new Sample("first_verdict_seconds", walproof),
            new Sample("plain_first_record_seconds", plain)));
  }

  private double plain(TwoSides sides, SlotCopies slots)
      throws IOException, SQLException, InterruptedException {
    String slot = slots.copy();
    double seconds;
    try (TemporaryState folder = TemporaryState.create()) {
      Path done = folder.path().resolve("done");
      long began = time.nanoTime();
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              folder.path().resolve("out.txt"),
              PlainStart.class,
              Integer.toString(sides.source().port()),
              ReplicatedPair.DATABASE,
              slot,
              PUBLICATION,
              slots.start(),
              done.toString())) {
        while (!Files.exists(done)) {
          if (!child.isAlive() || time.nanoTime() - began > PATIENCE.toNanos()) {
            throw new IllegalStateException("the plain engine handed over no record");
          }
          time.sleep(POLL);
        }
        seconds = (time.nanoTime() - began) / 1e9;
      }
    }
    slots.drop(slot);
    return seconds;
  }

  private double walproof(TwoSides sides, SlotCopies slots)
      throws IOException, SQLException, InterruptedException {
    String slot = slots.copy();
    double seconds;
    try (TemporaryState folder = TemporaryState.create()) {
      Path state = folder.path().resolve("state");
      Path config = folder.path().resolve("walproof.properties");
      Files.writeString(
          config,
          sides.configuration(
              state,
              "slot.name=" + slot,
              "publication.name=" + PUBLICATION,
              "verify.settle.ms=0",
              "verify.recheck.delay.ms=0"));
      long began = time.nanoTime();
      try (ChildJvm child =
          ChildJvm.start(
              HEAP,
              folder.path().resolve("run.txt"),
              WalproofCommand.class,
              "run",
              "--config",
              config.toString())) {
        new RunChild(child, state, time).awaitDecision();
        seconds = (time.nanoTime() - began) / 1e9;
      }
    }
    slots.drop(slot);
    return seconds;
  }
}
