package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowsChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares where the two sides sort the key differently: the source is read in its own order and
 * each row is looked up on the target by key; then the target is read in its order and each key is
 * looked up on the source. Every row of either side is read once, whatever their orders. A claim's
 * bounds limit the source's pass only, so a small claim costs all of the target's keys.
 */
final class LookupWalk extends Walk {

  private final RangeAccess access;

  LookupWalk(Parts parts, RangeAccess access) {
    super(parts);
    this.access = access;
  }

  @Override
  WalkEnd run() throws InterruptedException {
    RangeLedger.State state = parts.ledger().state();
    KeyRange claimed = parts.claim().range();
    if (!state.sourceEnded()) {
      KeyRange rest = state.sourceTo().map(claimed::after).orElse(claimed);
      WalkEnd end = each(Side.SOURCE, Content.ROWS, rest, this::compareSource);
      if (!end.complete()) {
        return end;
      }
    }
    if (!state.targetEnded()) {
      // The claim's bounds mean the source's order; who lies outside is asked there.
      KeyRange rest = state.targetTo().map(KeyRange.ALL::after).orElse(KeyRange.ALL);
      return each(Side.TARGET, Content.KEYS, rest, this::compareTarget);
    }
    return WalkEnd.done();
  }

  @FunctionalInterface
  private interface Step {
    WalkEnd take(ChunkStream.Piece piece) throws InterruptedException;
  }

  private WalkEnd each(Side side, Content content, KeyRange range, Step step)
      throws InterruptedException {
    boolean indexed = parts.reader().plan().isIndexed(side);
    try (ChunkStream stream =
        new ChunkStream(
            parts.reader(),
            side,
            content,
            new ChunkSize(parts.limits(), indexed),
            range,
            parts.cancel())) {
      while (true) {
        ChunkStream.Next next = stream.next();
        if (next.piece().isEmpty()) {
          return next.end();
        }
        WalkEnd end = step.take(next.piece().get());
        if (!end.complete() || next.piece().get().to().isEmpty()) {
          return end;
        }
      }
    }
  }

  private WalkEnd compareSource(ChunkStream.Piece piece) throws InterruptedException {
    RowsChunk chunk = piece.chunk();
    List<RowKey> suspects = new ArrayList<>();
    for (int from = 0; from < chunk.size(); from += parts.limits().lookupRows()) {
      int to = Math.min(chunk.size(), from + parts.limits().lookupRows());
      List<RowKey> keys = keys(chunk, from, to);
      Found found = lookup(Side.TARGET, keys);
      if (found.rows().isEmpty()) {
        return found.end();
      }
      for (int i = from; i < to; i++) {
        KeyRead row = found.rows().get().get(i - from);
        RowHash hash = new RowHash(chunk.high(i), chunk.low(i));
        if (!(chunk.hashed() && row instanceof KeyRead.Found same && same.hash().equals(hash))) {
          suspects.add(keys.get(i - from));
        }
      }
    }
    return compared(Covered.of(piece), suspects.isEmpty(), suspects)
        ? WalkEnd.done()
        : WalkEnd.cancelled();
  }

  private WalkEnd compareTarget(ChunkStream.Piece piece) throws InterruptedException {
    RowsChunk chunk = piece.chunk();
    for (int from = 0; from < chunk.size(); from += parts.limits().lookupRows()) {
      int to = Math.min(chunk.size(), from + parts.limits().lookupRows());
      List<RowKey> keys = keys(chunk, from, to);
      Found found = lookup(Side.SOURCE, keys);
      if (found.rows().isEmpty()) {
        return found.end();
      }
      List<RowKey> extra = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        if (!(found.rows().get().get(i) instanceof KeyRead.Found)) {
          extra.add(keys.get(i));
        }
      }
      if (to == chunk.size() && piece.to().isPresent() && !extra.isEmpty()) {
        PageEdge.Found edge = PageEdge.behind(parts.reader(), chunk, parts.cancel());
        if (edge.end().isPresent()) {
          return edge.end().get();
        }
        // A key that the source has was found to be not unique when it was looked up there.
        edge.more().stream().filter(extra.get(extra.size() - 1)::equals).forEach(extra::add);
      }
      extra(extra);
    }
    parts.ledger().target(piece.to());
    return WalkEnd.done();
  }

  private static List<RowKey> keys(RowsChunk chunk, int from, int to) {
    List<RowKey> keys = new ArrayList<>(to - from);
    for (int row = from; row < to; row++) {
      keys.add(chunk.key(row));
    }
    return keys;
  }

  private record Found(Optional<List<KeyRead>> rows, WalkEnd end) {}

  private Found lookup(Side side, List<RowKey> keys) throws InterruptedException {
    while (true) {
      RangePlan plan = parts.reader().plan();
      BatchRead read =
          parts
              .reader()
              .resting(
                  deadline -> access.lookup(side, plan, keys, deadline, parts.cancel()),
                  parts.cancel());
      if (read instanceof BatchRead.Rows rows) {
        return new Found(Optional.of(rows.rows()), WalkEnd.done());
      }
      WalkEnd end =
          read instanceof BatchRead.Failed failed
              ? parts.reader().ended(failed.reason(), failed.detail(), parts.cancel())
              : parts.reader().renew(plan, parts.cancel());
      if (end != null) {
        return new Found(Optional.empty(), end);
      }
    }
  }
}
