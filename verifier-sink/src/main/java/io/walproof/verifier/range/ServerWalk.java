package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RangeAccess.KeyAt;
import io.walproof.verifier.row.RowsChunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Compares chunk by chunk where both sides sort alike, by digests that the servers make. A chunk
 * whose digests differ is halved until few rows are left, and those are read and compared here.
 */
final class ServerWalk extends Walk {

  /** So few rows cost less to read than to halve once more. */
  private static final int LEAF_ROWS = 500;

  private final RangeAccess access;
  private final RowComparison comparison;

  ServerWalk(Parts parts, RangeAccess access) {
    super(parts);
    this.access = access;
    this.comparison = new RowComparison(parts.reader(), this::extra, parts.cancel());
  }

  @Override
  WalkEnd run() throws InterruptedException {
    if (parts.ledger().state().sourceEnded()) {
      return WalkEnd.done();
    }
    KeyRange claimed = parts.claim().range();
    KeyRange rest = parts.ledger().state().sourceTo().map(claimed::after).orElse(claimed);
    try (BothDigests digests = new BothDigests(parts.reader(), access, parts.cancel())) {
      while (true) {
        Split split = split(rest, parts.limits().chunkRows());
        if (split.end().isPresent()) {
          return split.end().get();
        }
        KeyRange range = split.key().map(rest::through).orElse(rest);
        WalkEnd end = chunk(digests, range, split.key());
        if (!end.complete() || split.key().isEmpty()) {
          return end;
        }
        rest = rest.after(split.key().get());
      }
    }
  }

  /** Where to cut: at a key, or nowhere; or why nobody knows. */
  private record Split(Optional<List<String>> key, Optional<WalkEnd> end) {}

  private Split split(KeyRange range, long rows) throws InterruptedException {
    int offset = (int) Math.max(0, Math.min(Integer.MAX_VALUE, rows) - 1);
    KeyAt at =
        parts
            .reader()
            .resting(
                until -> access.keyAt(parts.reader().plan(), range, offset, until, parts.cancel()),
                parts.cancel());
    if (at instanceof KeyAt.Failed failed) {
      return new Split(
          Optional.empty(),
          Optional.of(parts.reader().ended(failed.reason(), failed.detail(), parts.cancel())));
    }
    return new Split(
        at instanceof KeyAt.Key key ? Optional.of(key.key()) : Optional.empty(), Optional.empty());
  }

  private WalkEnd chunk(BothDigests digests, KeyRange chunk, Optional<List<String>> to)
      throws InterruptedException {
    List<RowKey> suspects = new ArrayList<>();
    Deque<KeyRange> open = new ArrayDeque<>(List.of(chunk));
    boolean equal = true;
    boolean first = true;
    long rows = 0;
    long bytes = 0;
    while (!open.isEmpty()) {
      KeyRange range = open.pop();
      BothDigests.Result digest = digests.of(range);
      if (digest.end().isPresent()) {
        return digest.end().get();
      }
      if (first) {
        rows = digest.sourceRows();
        first = false;
      }
      if (digest.equal()) {
        continue;
      }
      equal = false;
      Split middle =
          digest.sourceRows() > LEAF_ROWS
              ? split(range, digest.sourceRows() / 2)
              : new Split(Optional.empty(), Optional.empty());
      if (middle.end().isPresent()) {
        return middle.end().get();
      }
      if (middle.key().isPresent()) {
        open.push(range.after(middle.key().get()));
        open.push(range.through(middle.key().get()));
        continue;
      }
      Leaf leaf = leaf(range, suspects);
      if (!leaf.end().complete()) {
        return leaf.end();
      }
      bytes += leaf.bytes();
      rows = chunk.equals(range) ? leaf.rows() : rows;
    }
    Covered covered = new Covered(to, to.map(this::key), rows, bytes);
    return compared(covered, equal, suspects) ? WalkEnd.done() : WalkEnd.cancelled();
  }

  private record Leaf(long rows, long bytes, WalkEnd end) {}

  /** Few rows by their digests; however many they are now, they are read in pieces. */
  private Leaf leaf(KeyRange range, List<RowKey> suspects) throws InterruptedException {
    Cancellation cancel = parts.cancel();
    int limit = Math.min(2 * LEAF_ROWS, parts.limits().chunkRows());
    KeyRange rest = range;
    long rows = 0;
    long bytes = 0;
    while (true) {
      SideReader.Result read = parts.reader().read(Side.SOURCE, rest, limit, Content.LINES, cancel);
      if (read instanceof SideReader.Result.Ended ended) {
        return new Leaf(rows, bytes, ended.end());
      }
      RowsChunk source = ((SideReader.Result.Rows) read).chunk();
      rows += source.size();
      bytes += source.bytes();
      boolean last = source.size() < limit;
      KeyRange piece = last ? rest : rest.through(source.keyTexts(source.size() - 1));
      RowComparison.Result result = comparison.compare(piece, source);
      if (result instanceof RowComparison.Result.Ended ended) {
        return new Leaf(rows, bytes, ended.end());
      }
      suspects.addAll(((RowComparison.Result.Compared) result).suspects());
      if (last) {
        return new Leaf(rows, bytes, WalkEnd.done());
      }
      rest = rest.after(source.keyTexts(source.size() - 1));
    }
  }
}
