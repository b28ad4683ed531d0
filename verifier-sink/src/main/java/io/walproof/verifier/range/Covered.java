package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.verifier.row.RowsChunk;
import java.util.List;
import java.util.Optional;

/**
 * A piece of the source that was compared.
 *
 * @param to its last key, for the ledger; empty if the range's end is reached
 * @param last the last key that was read of it, for people; empty if there was none
 * @param rows how many rows
 * @param bytes how many bytes came over the wire for them
 */
record Covered(Optional<List<String>> to, Optional<RowKey> last, long rows, long bytes) {

  static Covered of(ChunkStream.Piece piece) {
    RowsChunk chunk = piece.chunk();
    return new Covered(
        piece.to(),
        chunk.size() == 0 ? Optional.empty() : Optional.of(chunk.key(chunk.size() - 1)),
        chunk.size(),
        chunk.bytes());
  }
}
