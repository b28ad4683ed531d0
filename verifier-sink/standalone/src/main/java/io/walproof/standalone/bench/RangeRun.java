package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.DigestPlace;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.range.RangeResult;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * One range check of the benches' table.
 *
 * @param seconds from its first read to its last decision
 * @param sourceCpuSeconds what the source's processes that served it took; not a number where the
 *     platform does not tell
 * @param result what it found
 */
record RangeRun(double seconds, double sourceCpuSeconds, RangeResult result) {

  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int CHUNK_ROWS = 100_000;
  private static final int CHUNK_BYTES = 64 << 20;
  private static final int LOOKUP_ROWS = 5_000;

  static RangeRun of(TwoSides sides, double dutyCycle, Time time)
      throws IOException, SQLException, InterruptedException {
    return of(sides, sides.sourceUrl(), sides.targetUrl(), dutyCycle, DigestPlace.CLIENT, time);
  }

  /** At the full duty cycle, digested here. */
  static RangeRun of(TwoSides sides, Claim claim, int chunkRows, Time time)
      throws IOException, SQLException, InterruptedException {
    return of(
        sides,
        sides.sourceUrl(),
        sides.targetUrl(),
        claim,
        limits(chunkRows, 1, DigestPlace.CLIENT),
        time);
  }

  static RangeRun of(
      TwoSides sides,
      String sourceUrl,
      String targetUrl,
      double dutyCycle,
      DigestPlace digest,
      Time time)
      throws IOException, SQLException, InterruptedException {
    return of(
        sides,
        sourceUrl,
        targetUrl,
        Claim.whole(BenchTable.ID),
        limits(CHUNK_ROWS, dutyCycle, digest),
        time);
  }

  private static RangeLimits limits(int chunkRows, double dutyCycle, DigestPlace digest) {
    return new RangeLimits(
        chunkRows,
        CHUNK_BYTES,
        dutyCycle,
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        LOOKUP_ROWS,
        digest,
        Duration.ofHours(1),
        10);
  }

  private static RangeRun of(
      TwoSides sides,
      String sourceUrl,
      String targetUrl,
      Claim claim,
      RangeLimits limits,
      Time time)
      throws IOException, SQLException, InterruptedException {
    try (TemporaryState folder = TemporaryState.create();
        StateDirectory state = StateDirectory.open(folder.path());
        FileAuditLog audit = FileAuditLog.open(state, "bench", time);
        Connection watcher = sides.source().connect(ReplicatedPair.DATABASE)) {
      AssembledRangeCheck assembled =
          AssembledRangeCheck.start(
              TwoSides.verifier(sourceUrl, targetUrl, LOOKUP_ROWS, Duration.ZERO),
              limits,
              folder.path().resolve("range"),
              true,
              audit,
              time);
      try {
        long began = time.nanoTime();
        RangeResult result =
            assembled
                .check()
                .run(List.of(claim), Deadline.in(time, PATIENCE), new Cancellation())
                .get(0);
        double seconds = (time.nanoTime() - began) / 1e9;
        return new RangeRun(seconds, ServerCpu.ofWalproof(watcher), result);
      } finally {
        assembled.stop(Duration.ofSeconds(30));
      }
    }
  }
}
