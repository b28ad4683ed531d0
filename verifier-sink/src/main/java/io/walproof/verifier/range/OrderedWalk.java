package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RowsChunk;
import java.util.List;

/**
 * Compares chunk by chunk where both sides sort alike: the target's rows of a source chunk's range
 * are read while the source reads its next chunk. The last range has no end of its own but the
 * claim's, so that rows behind the source's last key are seen too.
 */
final class OrderedWalk extends Walk {

  /** Rows that the target may have more before its part of a chunk is read in pieces. */
  private static final int SLACK = 1_000;

  OrderedWalk(Parts parts) {
    super(parts);
  }

  @Override
  WalkEnd run() throws InterruptedException {
    if (parts.ledger().state().sourceEnded()) {
      return WalkEnd.done();
    }
    KeyRange claimed = parts.claim().range();
    KeyRange rest = parts.ledger().state().sourceTo().map(claimed::after).orElse(claimed);
    boolean indexed = parts.reader().plan().isIndexed(Side.TARGET);
    try (ChunkStream source =
        new ChunkStream(
            parts.reader(),
            Side.SOURCE,
            Content.ROWS,
            new ChunkSize(parts.limits(), indexed),
            rest,
            parts.cancel())) {
      while (true) {
        ChunkStream.Next next = source.next();
        if (next.piece().isEmpty()) {
          return next.end();
        }
        WalkEnd end = compare(next.piece().get());
        if (!end.complete() || next.piece().get().to().isEmpty()) {
          return end;
        }
      }
    }
  }

  private WalkEnd compare(ChunkStream.Piece piece) throws InterruptedException {
    RowsChunk source = piece.chunk();
    KeyRange rest = piece.range();
    ChunkComparison comparison = null;
    while (true) {
      int limit = source.size() + SLACK;
      SideReader.Result read =
          parts.reader().read(Side.TARGET, rest, limit, Content.ROWS, parts.cancel());
      if (read instanceof SideReader.Result.Ended ended) {
        return ended.end();
      }
      RowsChunk target = ((SideReader.Result.Rows) read).chunk();
      boolean last = target.size() < limit;
      if (comparison == null && last && equal(source, target)) {
        return end(compared(source, piece.to(), true, List.of()));
      }
      comparison = comparison == null ? new ChunkComparison(source) : comparison;
      extra(comparison.take(target));
      if (last) {
        List<RowKey> suspects = comparison.unpaired();
        return end(compared(source, piece.to(), false, suspects));
      }
      rest = rest.after(target.keyTexts(target.size() - 1));
    }
  }

  private static boolean equal(RowsChunk source, RowsChunk target) {
    return source.hashed() && target.hashed() && source.digest().equals(target.digest());
  }

  private static WalkEnd end(boolean taken) {
    return taken ? WalkEnd.done() : WalkEnd.cancelled();
  }
}
