package io.walproof.verifier.range;

import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Content;

/**
 * Compares chunk by chunk where both sides sort alike: the target's rows of a source chunk's range
 * are read while the source reads its next chunk. The last range has no end of its own but the
 * claim's, so that rows behind the source's last key are seen too.
 */
final class OrderedWalk extends Walk {

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
    RowComparison comparison = new RowComparison(parts.reader(), this::extra, parts.cancel());
    try (ChunkStream source =
        new ChunkStream(
            parts.reader(),
            Side.SOURCE,
            Content.LINES,
            new ChunkSize(parts.limits(), indexed),
            rest,
            parts.cancel())) {
      while (true) {
        ChunkStream.Next next = source.next();
        if (next.piece().isEmpty()) {
          return next.end();
        }
        ChunkStream.Piece piece = next.piece().get();
        RowComparison.Result result = comparison.compare(piece.range(), piece.chunk());
        if (result instanceof RowComparison.Result.Ended ended) {
          return ended.end();
        }
        RowComparison.Result.Compared done = (RowComparison.Result.Compared) result;
        if (!compared(Covered.of(piece), done.equal(), done.suspects())) {
          return WalkEnd.cancelled();
        }
        if (piece.to().isEmpty()) {
          return WalkEnd.done();
        }
      }
    }
  }
}
