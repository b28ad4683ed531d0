package io.walproof.standalone.bench;

import io.walproof.contract.RowKey;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TablePlan;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/**
 * Checks of keys whose rows are equal, through the row access and through the whole verifier,
 * beside the bare lookups of the same keys on both databases, in turns.
 */
final class KeysBench {

  private static final double AT_LEAST = 0.5;

  /** Servers and verifiers share the processors here: a second one must at least do no harm. */
  private static final double TWO_AT_LEAST = 0.8;

  private static final double CPU_BELOW = 2;

  /** Changed keys are few among a table's rows. */
  static final int ROWS_PER_KEY = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long SEED = 20_240_607L;

  private final Time time;
  private final Progress progress;

  KeysBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param keys how many keys a run checks
   * @param batch keys per read
   * @param rounds runs that count; one more of each comes first, to warm up
   */
  List<Finding> run(int keys, int batch, int rounds)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    progress.say("keys: filling both sides with %,d rows", keys * ROWS_PER_KEY);
    List<Double> bare = new ArrayList<>();
    List<Double> access = new ArrayList<>();
    List<Double> verifier = new ArrayList<>();
    List<Double> twice = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    List<Double> bareCpu = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    List<List<Long>> batches = batches(keys, batch);
    try (TwoSides sides = TwoSides.start(keys * ROWS_PER_KEY)) {
      for (int round = 0; round <= rounds; round++) {
        double loop = keys / bare(sides, batches, round == 0 ? new ArrayList<>() : bareCpu, keys);
        double reads = keys / rowAccess(sides, batches);
        VerifierRun run = equal(sides, batches, batch, 1);
        VerifierRun two = equal(sides, batches, batch, 2);
        double whole = run.perSecond();
        if (round > 0) {
          bare.add(loop);
          access.add(reads);
          verifier.add(whole);
          twice.add(two.perSecond());
          cpu.add(run.sourceCpuSeconds() * 1e6 / keys);
        }
        progress.say(
            "keys: %s: bare lookups %,.0f, row access %,.0f, verifier %,.0f, two of them %,.0f keys/s;"
                + " source CPU %.2f s",
            round == 0 ? "warm-up" : "round " + round,
            loop,
            reads,
            whole,
            two.perSecond(),
            run.sourceCpuSeconds());
      }
      Sample whole = new Sample("verifier_keys_per_second", verifier);
      findings.addAll(new MismatchBench(time, progress).run(sides, batches, batch, rounds, whole));
    }
    Sample reference = new Sample("bare_keys_per_second", bare);
    Sample whole = new Sample("verifier_keys_per_second", verifier);
    Sample load = new Sample("source_cpu_seconds_per_million_keys", cpu);
    Sample bareLoad = new Sample("bare_cpu_seconds_per_million_keys", bareCpu);
    progress.say(
        "keys: source CPU %.1f s a million keys, bare lookups %.1f s",
        load.median(), bareLoad.median());
    List<Finding> all =
        new ArrayList<>(
            List.of(
                Finding.ratio(
                    Bench.KEYS,
                    "checks by row access over bare lookups",
                    AT_LEAST,
                    new Sample("row_access_keys_per_second", access),
                    reference),
                Finding.ratio(
                    Bench.KEYS,
                    "checks by the whole verifier over bare lookups",
                    AT_LEAST,
                    whole,
                    reference),
                Finding.ratio(
                    Bench.KEYS,
                    "checks by two verifiers over one, each with half the keys",
                    TWO_AT_LEAST,
                    new Sample("two_verifiers_keys_per_second", twice),
                    whole),
                Finding.below(
                    Bench.KEYS,
                    "source CPU of key checks over bare lookups",
                    CPU_BELOW,
                    load,
                    bareLoad)));
    all.addAll(findings);
    return all;
  }

  private VerifierRun equal(TwoSides sides, List<List<Long>> batches, int batch, int tasks)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    long keys = batches.stream().mapToLong(List::size).sum();
    return VerifierRun.of(sides, batches, batch, tasks, PATIENCE, time)
        .require(Map.of("matched", keys));
  }

  /** Every tenth row once, in an order that no index helps with. */
  private static List<List<Long>> batches(int keys, int batch) {
    List<Long> ids =
        new ArrayList<>(
            LongStream.rangeClosed(1, keys).map(key -> key * ROWS_PER_KEY).boxed().toList());
    Collections.shuffle(ids, new Random(SEED));
    List<List<Long>> batches = new ArrayList<>();
    for (int from = 0; from < keys; from += batch) {
      batches.add(List.copyOf(ids.subList(from, Math.min(keys, from + batch))));
    }
    return batches;
  }

  private double bare(TwoSides sides, List<List<Long>> batches, List<Double> cpu, int keys)
      throws SQLException {
    try (Connection source = sides.source().connect(ReplicatedPair.DATABASE);
        Connection target = sides.target().connect(ReplicatedPair.DATABASE)) {
      long began = time.nanoTime();
      BareLookups.read(source, target, batches);
      double seconds = secondsSince(began);
      cpu.add(ServerCpu.ofItself(source) * 1e6 / keys);
      return seconds;
    }
  }

  private double rowAccess(TwoSides sides, List<List<Long>> batches) {
    try (Database source = Databases.open(TwoSides.database(Side.SOURCE, sides.sourceUrl()), time);
        Database target = Databases.open(TwoSides.database(Side.TARGET, sides.targetUrl()), time);
        RowAccess access = RowAccesses.create(source, target, RowSettings.defaults(), time)) {
      Cancellation never = new Cancellation();
      Opening opening = access.open(BenchTable.ID, List.of(BenchTable.KEY), patience(), never);
      if (!(opening instanceof Opening.Ready ready)) {
        throw new IllegalStateException("the table could not be planned: " + opening);
      }
      long began = time.nanoTime();
      for (List<Long> batch : batches) {
        check(access, ready.plan(), batch.stream().map(KeyStream::key).toList(), never);
      }
      return secondsSince(began);
    }
  }

  private void check(RowAccess access, TablePlan plan, List<RowKey> keys, Cancellation cancel) {
    List<KeyRead> source = rows(access.read(Side.SOURCE, plan, keys, patience(), cancel));
    List<KeyRead> target = rows(access.read(Side.TARGET, plan, keys, patience(), cancel));
    for (int i = 0; i < keys.size(); i++) {
      if (!(source.get(i) instanceof KeyRead.Found here)
          || !(target.get(i) instanceof KeyRead.Found there)
          || !here.hash().equals(there.hash())) {
        throw new IllegalStateException("rows that were loaded equal were not read as equal");
      }
    }
  }

  private static List<KeyRead> rows(BatchRead read) {
    if (read instanceof BatchRead.Rows rows) {
      return rows.rows();
    }
    throw new IllegalStateException("a read failed: " + read);
  }

  private Deadline patience() {
    return Deadline.in(time, PATIENCE);
  }

  private double secondsSince(long began) {
    return (time.nanoTime() - began) / 1e9;
  }
}
