package io.walproof.verifier.range;

import io.walproof.verifier.row.RowsChunk;

/**
 * How many rows the next chunk reads: few at first, because nobody knows how wide they are, then as
 * many as fit both bounds. For one thread.
 */
final class ChunkSize {

  private static final int FIRST_ROWS = 1_000;

  /** Without an index every chunk costs a scan of the table, so they are few and large. */
  private static final int UNINDEXED_FACTOR = 25;

  private final int mostRows;
  private final long mostBytes;
  private int rows;

  ChunkSize(RangeLimits limits, boolean indexed) {
    this.mostRows =
        indexed
            ? limits.chunkRows()
            : Math.toIntExact(
                Math.min(Integer.MAX_VALUE / 2, (long) limits.chunkRows() * UNINDEXED_FACTOR));
    this.mostBytes = limits.chunkBytes() * (indexed ? 1L : UNINDEXED_FACTOR);
    this.rows = Math.min(mostRows, indexed ? FIRST_ROWS : mostRows);
  }

  int rows() {
    return rows;
  }

  void saw(RowsChunk chunk) {
    if (chunk.size() == 0) {
      return;
    }
    long width = Math.max(1, chunk.bytes() / chunk.size());
    rows = (int) Math.max(1, Math.min(mostRows, mostBytes / width));
  }
}
