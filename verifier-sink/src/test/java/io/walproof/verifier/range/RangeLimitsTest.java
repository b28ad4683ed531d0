package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowsChunk;
import io.walproof.verifier.row.SimulatedSides;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RangeLimitsTest {

  private static RangeLimits limits(
      int chunkRows,
      int chunkBytes,
      double duty,
      long readMillis,
      long replayMillis,
      int lookup,
      int named) {
    return new RangeLimits(
        chunkRows,
        chunkBytes,
        duty,
        Duration.ofMillis(readMillis),
        Duration.ofMillis(replayMillis),
        lookup,
        DigestPlace.CLIENT,
        Duration.ofHours(1),
        named);
  }

  private static void assertRefused(
      int chunkRows,
      int chunkBytes,
      double duty,
      long readMillis,
      long replayMillis,
      int lookup,
      int named) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> limits(chunkRows, chunkBytes, duty, readMillis, replayMillis, lookup, named));
  }

  @Test
  void theLeastIsAllowedAndLessIsNot() {
    assertThat(limits(1, 1, 0.01, 1, 0, 1, 0).exact()).isFalse();
    assertThat(limits(1, 1, 1, 1, 0, 1, 0).withExact(true).exact()).isTrue();
    assertRefused(0, 1, 1, 1, 0, 1, 0);
    assertRefused(1, 0, 1, 1, 0, 1, 0);
    assertRefused(1, 1, 0, 1, 0, 1, 0);
    assertRefused(1, 1, 1.01, 1, 0, 1, 0);
    assertRefused(1, 1, Double.NaN, 1, 0, 1, 0);
    assertRefused(1, 1, 1, 0, 0, 1, 0);
    assertRefused(1, 1, 1, -1, 0, 1, 0);
    assertRefused(1, 1, 1, 1, -1, 1, 0);
    assertRefused(1, 1, 1, 1, 0, 0, 0);
    assertRefused(1, 1, 1, 1, 0, 1, -1);
  }

  /** At most ten rows, so that a key takes a byte of the width. */
  private static RowsChunk chunk(int rows, int width) {
    ManualTime time = new ManualTime();
    Deadline deadline = Deadline.in(time, Duration.ofDays(1));
    Cancellation cancel = new Cancellation();
    SimulatedSides sides = new SimulatedSides(SimulatedSides.Keys.ALIKE, true, true);
    for (int key = 0; key < rows; key++) {
      sides.putSource(key, "v".repeat(width - 1));
    }
    RangePlan plan =
        ((RangeAccess.Opening.Ready) sides.open(SimulatedSides.table(), deadline, cancel)).plan();
    return ((RangeAccess.Read.Rows)
            sides.read(
                Side.SOURCE, plan, KeyRange.ALL, 10, RangeAccess.Content.LINES, deadline, cancel))
        .chunk();
  }

  /** {@code verify.range.chunk.rows} and {@code verify.range.chunk.bytes} (invariant J). */
  @Test
  void chunksKeepBothBounds() {
    ChunkSize size = new ChunkSize(limits(5_000, 100_000, 1, 1, 0, 1, 0), true);
    // Nobody knows how wide the first rows are.
    assertThat(size.rows()).isEqualTo(1_000);
    size.saw(chunk(0, 1));
    assertThat(size.rows()).isEqualTo(1_000);
    size.saw(chunk(10, 40));
    assertThat(size.rows()).isEqualTo(2_500);
    size.saw(chunk(10, 1));
    assertThat(size.rows()).isEqualTo(5_000);
    size.saw(chunk(2, 1_000_000));
    assertThat(size.rows()).isEqualTo(1);
    assertThat(new ChunkSize(limits(10, 1, 1, 1, 0, 1, 0), true).rows()).isEqualTo(10);
  }

  /** Every chunk costs a scan of the table there. */
  @Test
  void withoutAnIndexChunksAreLarger() {
    ChunkSize size = new ChunkSize(limits(100, 1_000, 1, 1, 0, 1, 0), false);
    assertThat(size.rows()).isEqualTo(2_500);
    size.saw(chunk(10, 50));
    assertThat(size.rows()).isEqualTo(500);
    assertThat(new ChunkSize(limits(Integer.MAX_VALUE, 1, 1, 1, 0, 1, 0), false).rows())
        .isEqualTo(Integer.MAX_VALUE / 2);
  }
}
