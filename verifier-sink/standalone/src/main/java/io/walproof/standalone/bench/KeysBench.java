package io.walproof.standalone.bench;

import io.walproof.contract.RowKey;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.assembly.AssembledVerifier;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
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

  /** Changed keys are few among a table's rows. */
  private static final int ROWS_PER_KEY = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(1);
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
    List<List<Long>> batches = batches(keys, batch);
    try (TwoSides sides = TwoSides.start(keys * ROWS_PER_KEY)) {
      for (int round = 0; round <= rounds; round++) {
        double loop = keys / bare(sides, batches);
        double reads = keys / rowAccess(sides, batches);
        double whole = keys / verifier(sides, batches, batch);
        if (round > 0) {
          bare.add(loop);
          access.add(reads);
          verifier.add(whole);
        }
        progress.say(
            "keys: %s: bare lookups %,.0f, row access %,.0f, verifier %,.0f keys/s",
            round == 0 ? "warm-up" : "round " + round, loop, reads, whole);
      }
    }
    Sample reference = new Sample("bare_keys_per_second", bare);
    return List.of(
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
            new Sample("verifier_keys_per_second", verifier),
            reference));
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

  private double bare(TwoSides sides, List<List<Long>> batches) throws SQLException {
    try (Connection source = sides.source().connect(ReplicatedPair.DATABASE);
        Connection target = sides.target().connect(ReplicatedPair.DATABASE)) {
      long began = time.nanoTime();
      BareLookups.read(source, target, batches);
      return secondsSince(began);
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

  private double verifier(TwoSides sides, List<List<Long>> batches, int batch)
      throws IOException, TimeoutException, InterruptedException {
    try (TemporaryState folder = TemporaryState.create();
        StateDirectory state = StateDirectory.open(folder.path());
        FileAuditLog audit = FileAuditLog.open(state, "bench", time)) {
      AssembledVerifier assembled =
          AssembledVerifier.start(
              TwoSides.verifier(sides.sourceUrl(), sides.targetUrl(), batch, PATIENCE),
              audit,
              time);
      try {
        long began = time.nanoTime();
        Watermark watermark = new Watermark();
        for (List<Long> ids : batches) {
          KeyStream.submit(assembled.verifier(), watermark, ids);
        }
        long end = began + PATIENCE.toNanos();
        while (assembled.verifier().pending() > 0) {
          if (time.nanoTime() - end > 0) {
            throw new TimeoutException("the verifier did not end within " + PATIENCE);
          }
          time.sleep(POLL);
        }
        double seconds = secondsSince(began);
        requireMatched(assembled.verifier().total(), batches.stream().mapToInt(List::size).sum());
        return seconds;
      } finally {
        assembled.stop(PATIENCE);
      }
    }
  }

  private static void requireMatched(Coverage total, int keys) {
    if (!total.outcomes().equals(Map.of("matched", (long) keys))) {
      throw new IllegalStateException(keys + " equal keys ended as " + total.outcomes());
    }
  }

  private Deadline patience() {
    return Deadline.in(time, PATIENCE);
  }

  private double secondsSince(long began) {
    return (time.nanoTime() - began) / 1e9;
  }
}
