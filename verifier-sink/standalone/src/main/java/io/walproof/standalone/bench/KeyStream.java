package io.walproof.standalone.bench;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.ingest.Watermark;
import java.time.Instant;
import java.util.List;

/** Changed keys as the capture would hand them over, of rows that were loaded long ago. */
final class KeyStream {

  private static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");

  /** The transaction that every snapshot sees: the one that PostgreSQL freezes rows with. */
  private static final long FROZEN = 2;

  private KeyStream() {}

  static RowKey key(long id) {
    return new RowKey(List.of(new RowKey.Column(BenchTable.KEY, Long.toString(id))));
  }

  /** Submits an update of every key; waits while the verifier has no room. */
  static void submit(Verifier verifier, Watermark watermark, Iterable<Long> ids)
      throws InterruptedException {
    for (long id : ids) {
      ChangedKey change =
          new ChangedKey(
              BenchTable.ID, key(id), Operation.UPDATE, new Lsn(id), FROZEN, Instant.EPOCH, SHAPE);
      if (!verifier.submit(change, watermark)) {
        throw new IllegalStateException(
            "the verifier has stopped", verifier.failure().orElse(null));
      }
    }
  }
}
