package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import java.util.Optional;

/** How far one table's check has come. Written by its own thread, read by any. */
final class PassProgress {

  private long rows;
  private long bytes;
  private long chunksEqual;
  private long chunksDiffering;
  private long suspects;
  private boolean complete;
  private Optional<RowKey> coveredTo = Optional.empty();
  private RangeStage stage = RangeStage.OPENING;
  private int resting;

  /** Takes over what an earlier run proved. */
  synchronized void resume(RangeLedger.State state, Optional<RowKey> key) {
    rows = state.rows();
    bytes = state.bytes();
    chunksEqual = state.chunksEqual();
    chunksDiffering = state.chunksDiffering();
    coveredTo = key;
  }

  synchronized void chunk(long moreRows, long moreBytes, boolean equal, Optional<RowKey> to) {
    rows += moreRows;
    bytes += moreBytes;
    if (equal) {
      chunksEqual++;
    } else {
      chunksDiffering++;
    }
    if (to.isPresent()) {
      coveredTo = to;
    }
  }

  synchronized void suspect() {
    suspects++;
  }

  synchronized long suspects() {
    return suspects;
  }

  /**
   * Says what is done from now on.
   *
   * @return what was done before, to be gone back to
   */
  synchronized RangeStage enter(RangeStage next) {
    RangeStage former = stage;
    stage = next;
    return former;
  }

  /** A side is left alone; the other may be read meanwhile, on another thread. */
  synchronized void rests(boolean begins) {
    resting += begins ? 1 : -1;
  }

  synchronized RangeStage stage() {
    return stage == RangeStage.READING && resting > 0 ? RangeStage.RESTING : stage;
  }

  synchronized void complete() {
    complete = true;
  }

  synchronized RangeResult.Progress snapshot() {
    return new RangeResult.Progress(rows, bytes, chunksEqual, chunksDiffering, complete, coveredTo);
  }
}
