package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * Checks of keys of which some, many or all rows differ, through the whole verifier: each mismatch
 * is recorded, rechecked without delay, and accused. Beside the same keys while all were equal.
 */
final class MismatchBench {

  /** One key in so many, and how much of the throughput must remain. */
  private record Rate(int every, double atLeast) {}

  /** A mismatch is read four times more than an equal key, and recorded twice. */
  private static final List<Rate> RATES =
      List.of(new Rate(100, 0.6), new Rate(10, 0.3), new Rate(1, 0.08));

  private final Time time;
  private final Progress progress;

  MismatchBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures; leaves the rows of all these keys different.
   *
   * @param batches of keys, all multiples of {@link KeysBench#ROWS_PER_KEY}
   * @param equal keys a second while all rows were equal
   */
  List<Finding> run(TwoSides sides, List<List<Long>> batches, int batch, int rounds, Sample equal)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    long keys = batches.stream().mapToLong(List::size).sum();
    List<Finding> findings = new ArrayList<>();
    for (Rate rate : RATES) {
      sides.onTarget(
          "UPDATE public.bench SET note = 'other' WHERE id % "
              + rate.every() * KeysBench.ROWS_PER_KEY
              + " = 0");
      Map<String, Long> expected = expected(keys, keys / rate.every());
      List<Double> perSecond = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        VerifierRun run =
            VerifierRun.of(sides, batches, batch, 1, Duration.ZERO, time).require(expected);
        perSecond.add(run.perSecond());
        progress.say(
            "keys: %,d of %,d differ: %,.0f keys/s", keys / rate.every(), keys, run.perSecond());
      }
      findings.add(
          Finding.ratio(
              Bench.KEYS,
              String.format(
                  Locale.ROOT, "checks with %d%% mismatches over none", 100 / rate.every()),
              rate.atLeast(),
              new Sample("keys_per_second", perSecond),
              equal));
    }
    return findings;
  }

  private static Map<String, Long> expected(long keys, long differing) {
    Map<String, Long> expected = new TreeMap<>();
    if (differing > 0) {
      expected.put("unresolved_different", differing);
    }
    if (keys > differing) {
      expected.put("matched", keys - differing);
    }
    return expected;
  }
}
