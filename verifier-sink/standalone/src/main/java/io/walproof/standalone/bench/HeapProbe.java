package io.walproof.standalone.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.verifier.assembly.AssembledVerifier;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.ingest.Watermark;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Runs in a JVM of its own: puts keys on hold in a verifier and says what heap they take. All rows
 * must differ between the sides.
 */
public final class HeapProbe {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Long enough that no key is rechecked meanwhile. */
  private static final Duration RECHECK_DELAY = Duration.ofHours(24);

  private static final int BATCH = 5_000;

  private HeapProbe() {}

  /**
   * Prints one JSON object.
   *
   * @param args source URL, target URL, number of keys, state directory
   */
  public static void main(String[] args) throws Exception {
    Time time = Time.system();
    int keys = Integer.parseInt(args[2]);
    try (StateDirectory state = StateDirectory.open(Path.of(args[3]));
        FileAuditLog audit = FileAuditLog.open(state, "heap", time)) {
      AssembledVerifier assembled =
          AssembledVerifier.start(
              TwoSides.verifier(args[0], args[1], BATCH, RECHECK_DELAY), audit, time);
      long before = usedHeap();
      Watermark watermark = new Watermark();
      KeyStream.submit(
          assembled.verifier(), watermark, () -> LongStream.rangeClosed(1, keys).iterator());
      long end = time.nanoTime() + PATIENCE.toNanos();
      while (assembled.verifier().deferred() < keys) {
        if (assembled.verifier().failure().isPresent()) {
          throw new IllegalStateException(assembled.verifier().failure().get());
        }
        if (time.nanoTime() - end > 0) {
          throw new IllegalStateException(
              "only " + assembled.verifier().deferred() + " of " + keys + " keys are on hold");
        }
        time.sleep(POLL);
      }
      long after = usedHeap();
      new PrintStream(System.out, true, StandardCharsets.UTF_8)
          .println(
              JsonMapper.builder()
                  .build()
                  .createObjectNode()
                  .put("keys", assembled.verifier().pending())
                  .put("before_bytes", before)
                  .put("after_bytes", after)
                  .put("undecided_from", watermark.decidedThrough() + 1));
      // Ending 100,000 keys in order would only cost time: nobody reads this audit.
      Runtime.getRuntime().halt(0);
    }
  }

  /** What is reachable: a full collection twice, because the first may only discover references. */
  private static long usedHeap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
