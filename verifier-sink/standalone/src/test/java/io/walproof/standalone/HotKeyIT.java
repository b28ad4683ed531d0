package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A key that never rests, with a healthy applier, is never accused. {@code walproof.hot.seconds}
 * makes it longer.
 */
class HotKeyIT {

  private static final int PER_SECOND = 200;
  private static final int SECONDS = Integer.getInteger("walproof.hot.seconds", 15);

  @TempDir Path dir;

  @Test
  void twoHundredUpdatesASecondOnOneKeyAreNoFailure() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.table(
        "hot",
        "id text PRIMARY KEY, n bigint, amount numeric, at timestamptz, raw bytea, doc jsonb,"
            + " ratio float8, code char(5), tags text[], span interval, gone text,"
            + " amounts numeric[], during tstzrange");
    pair.onSource(
        "INSERT INTO public.hot VALUES ('ä', 0, 1.50, now(), '\\x00ff61', '{\"a\": [1, null]}',"
            + " -0.1, 'x', '{a,NULL,\"b c\"}', '1 mon 2 days', NULL, '{1.10,2}',"
            + " '[2026-01-01,2026-02-01)')");
    pair.awaitApplied();
    Map<String, String> settings = ObservedRun.settings(pair, dir, "hot");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.hot");
    // Reads almost at once, so that the two sides are often caught apart.
    settings.put("verify.settle.ms", "5");
    settings.put("verify.recheck.delay.ms", "200");
    settings.put("verify.replay.timeout.ms", "30000");
    settings.put("verify.versions.max.bytes", "16777216");
    try (ObservedRun run = ObservedRun.start(settings)) {
      int updates = update(pair);
      run.awaitSettled("hot", updates);
      Coverage coverage = run.coverage("hot");
      assertThat(coverage.observed()).isEqualTo(updates);
      assertThat(run.observations("hot")).as("or nothing was shown").isNotEmpty();
      assertThat(run.unresolved()).isEmpty();
      long byVersion =
          run.decisions("hot").stream()
              .filter(
                  d ->
                      d.verdict() instanceof Verdict.Converged converged
                          && converged.matchedVersion().isPresent())
              .count();
      assertThat(byVersion).as("decided by a version that the stream showed").isPositive();
      System.out.println(
          "hot key: "
              + byVersion
              + " decided by versions, left: "
              + run.decisions("hot").stream()
                  .filter(d -> d.verdict() instanceof Verdict.Advanced)
                  .collect(
                      Collectors.groupingBy(
                          d -> d.detail().orElse("no reason"), Collectors.counting())));
      Coverage total = run.end();
      assertThat(total.incomplete()).isZero();
      System.out.printf("hot key: %d updates in %d s, %s%n", updates, SECONDS, total.outcomes());
    }
  }

  /** At an even pace; the same values come back, as a flag that is set and cleared. */
  private static int update(ReplicatedPair pair) throws Exception {
    Time time = Time.system();
    int updates = PER_SECOND * SECONDS;
    long start = time.nanoTime();
    try (Connection connection = pair.source().connect(ReplicatedPair.DATABASE);
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE public.hot AS h SET n = c.n, amount = c.n * 1.10, ratio = c.n / 3.0::float8,"
                    + " at = to_timestamp(c.n) FROM (SELECT ?::bigint AS n) AS c"
                    + " WHERE h.id = 'ä'")) {
      for (int i = 0; i < updates; i++) {
        statement.setLong(1, i % 3);
        statement.executeUpdate();
        long ahead = start + (i + 1) * 1_000_000_000L / PER_SECOND - time.nanoTime();
        if (ahead > 0) {
          time.sleep(Duration.ofNanos(ahead));
        }
      }
    }
    return updates;
  }
}
