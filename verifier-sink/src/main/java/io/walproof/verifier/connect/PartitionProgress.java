package io.walproof.verifier.connect;

import io.walproof.verifier.connect.decode.Decoded;
import io.walproof.verifier.ingest.PositionLog;
import io.walproof.verifier.ingest.Watermark;
import java.util.OptionalLong;

/**
 * How far one partition is taken and decided. Confined to the task's thread, but for the watermark.
 */
final class PartitionProgress {

  /** Offsets in between cost little and let the committed one follow within a large batch. */
  private static final int RECORDS_PER_POSITION = 64;

  private static final int POSITIONS_HELD = 10_000;

  private final Watermark watermark = new Watermark();
  private final DivertedKeys diverted = new DivertedKeys();
  private final PositionLog<Long> positions = new PositionLog<>(POSITIONS_HELD);
  private long lastTaken = -1;
  private int sinceNoted;
  private OptionalLong committable = OptionalLong.empty();

  Watermark watermark() {
    return watermark;
  }

  /** What the partition holds of diverted tables. */
  DivertedKeys diverted() {
    return diverted;
  }

  /**
   * What to do with a record. If it is the first that waits for an acceptance, the offset stays
   * before it.
   */
  DivertedKeys.Step arrives(long offset, Decoded decoded, long batch) {
    boolean held = diverted.isHeld();
    DivertedKeys.Step step = diverted.arrives(offset, decoded, batch);
    if (!held && diverted.isHeld()) {
      note();
    }
    return step;
  }

  /** A record was taken, whatever it amounts to; its keys have their sequence numbers already. */
  void taken(long offset) {
    lastTaken = offset;
    if (diverted.isHeld()) {
      return;
    }
    sinceNoted++;
    if (sinceNoted >= RECORDS_PER_POSITION) {
      note();
    }
  }

  private void note() {
    if (sinceNoted > 0) {
      sinceNoted = 0;
      positions.reached(watermark.issued(), lastTaken + 1);
    }
  }

  /** The next offset to read after a crash: everything below it is decided. */
  OptionalLong committable() {
    note();
    positions
        .takeThrough(watermark.decidedThrough())
        .ifPresent(offset -> committable = OptionalLong.of(offset));
    return committable;
  }
}
