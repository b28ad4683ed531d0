package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RowsChunk;
import java.util.List;
import java.util.function.Consumer;

/** Compares a source chunk with what the target has in the same range. For one thread. */
final class RowComparison {

  /** Rows that the target may have more before its part of a chunk is read in pieces. */
  private static final int SLACK = 1_000;

  private final SideReader reader;
  private final Consumer<List<RowKey>> extras;
  private final Cancellation cancel;

  /**
   * @param extras takes keys that only the target seems to have, as they come
   */
  RowComparison(SideReader reader, Consumer<List<RowKey>> extras, Cancellation cancel) {
    this.reader = reader;
    this.extras = extras;
    this.cancel = cancel;
  }

  /** How it went. */
  sealed interface Result {
    /**
     * The chunk is compared.
     *
     * @param equal whether both digests are equal
     * @param suspects keys of source rows that no target row is equal to
     */
    record Compared(boolean equal, List<RowKey> suspects) implements Result {}

    /**
     * It is not.
     *
     * @param end why
     */
    record Ended(WalkEnd end) implements Result {}
  }

  Result compare(KeyRange range, RowsChunk source) throws InterruptedException {
    KeyRange rest = range;
    ChunkComparison comparison = null;
    while (true) {
      int limit = source.size() + SLACK;
      SideReader.Result read = reader.read(Side.TARGET, rest, limit, Content.LINES, cancel);
      if (read instanceof SideReader.Result.Ended ended) {
        return new Result.Ended(ended.end());
      }
      RowsChunk target = ((SideReader.Result.Rows) read).chunk();
      boolean last = target.size() < limit;
      if (comparison == null && last && equal(source, target)) {
        return new Result.Compared(true, List.of());
      }
      comparison = comparison == null ? new ChunkComparison(reader.plan(), source) : comparison;
      extras.accept(comparison.take(target));
      if (last) {
        return new Result.Compared(false, comparison.unpaired());
      }
      PageEdge.Found edge = PageEdge.behind(reader, target, cancel);
      if (edge.end().isPresent()) {
        return new Result.Ended(edge.end().get());
      }
      if (!edge.more().isEmpty() && !comparison.isOpen(edge.more().get(0))) {
        extras.accept(edge.more());
      }
      rest = rest.after(target.keyTexts(target.size() - 1));
    }
  }

  private static boolean equal(RowsChunk source, RowsChunk target) {
    return source.hashed() && target.hashed() && source.digest().equals(target.digest());
  }
}
