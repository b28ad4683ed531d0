package io.walproof.verifier.ingest;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.Optional;

/**
 * One key that waits for its first read, for all the changes it stands for. Owned by the {@link
 * KeyQueue} until taken, then by the worker that took it; never by two at once.
 */
public final class KeyEntry {

  private final Watermark watermark;
  private final long sequence;
  private final TableId table;
  private final RowKey key;
  private final long firstArrival;
  private long lastArrival;
  private ShapeHash shape;
  private boolean deleted;

  KeyEntry(ChangedKey change, Watermark watermark, long sequence, long now) {
    this.watermark = watermark;
    this.sequence = sequence;
    this.table = change.table();
    this.key = change.key();
    this.firstArrival = now;
    absorb(change, now);
  }

  /** Lets this entry stand for one more change of its key. */
  final void absorb(ChangedKey change, long now) {
    lastArrival = now;
    deleted = change.operation() == Operation.DELETE;
    if (change.shape() != null) {
      shape = change.shape();
    }
  }

  Watermark watermark() {
    return watermark;
  }

  long firstArrival() {
    return firstArrival;
  }

  long lastArrival() {
    return lastArrival;
  }

  /** The table. */
  public TableId table() {
    return table;
  }

  /** The key. */
  public RowKey key() {
    return key;
  }

  /** The shape of the latest change, empty if only snapshots named the key. */
  public Optional<ShapeHash> shape() {
    return Optional.ofNullable(shape);
  }

  /** Whether the latest change deleted the row: then there is nothing to judge. */
  public boolean deleted() {
    return deleted;
  }

  /** Tells the stream that everything this entry stands for is decided. Exactly once. */
  public void close() {
    watermark.close(sequence);
  }
}
