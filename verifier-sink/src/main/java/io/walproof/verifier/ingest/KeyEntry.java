package io.walproof.verifier.ingest;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.VisibleTransactions;
import java.util.Optional;

/**
 * One key that waits for its first read, for all the changes it stands for. Owned by the {@link
 * KeyQueue} until taken, then by the worker that took it; never by two at once.
 */
public final class KeyEntry {

  private final Watermark watermark;
  private final long sequence;
  private final Stratum stratum;
  private final TableId table;
  private final RowKey key;
  private final long firstArrival;
  private final TransactionIds transactions;
  private long lastArrival;
  private ShapeHash shape;
  private boolean deleted;
  private int postponed;
  private final int renewals;

  KeyEntry(ChangedKey change, Stratum stratum, Watermark watermark, long sequence, long now) {
    this.watermark = watermark;
    this.sequence = sequence;
    this.stratum = stratum;
    this.table = change.table();
    this.key = change.key();
    this.firstArrival = now;
    this.transactions = new TransactionIds();
    this.renewals = 0;
    absorb(change, now);
  }

  /** The next observation of an entry's key, for the same changes. */
  private KeyEntry(KeyEntry ended, long now) {
    this.watermark = ended.watermark;
    this.sequence = ended.sequence;
    this.stratum = ended.stratum;
    this.table = ended.table;
    this.key = ended.key;
    this.firstArrival = now;
    this.lastArrival = now;
    // It has not been seen by any read that was judged.
    this.transactions = ended.transactions;
    this.renewals = ended.renewals + 1;
  }

  /**
   * A new observation of the key, after one that could not be judged because the table's shape
   * changed between its reads. It stands for the same changes towards the stream, in place of this
   * entry, which must not be closed then. Under which shape it is made is not known.
   */
  KeyEntry renewed(long now) {
    return new KeyEntry(this, now);
  }

  /** How often the key was observed anew because its table changed. */
  public int renewals() {
    return renewals;
  }

  /** Lets this entry stand for one more change of its key. */
  final void absorb(ChangedKey change, long now) {
    lastArrival = now;
    transactions.add(change.transactionId());
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

  boolean mayAbsorb() {
    return !transactions.isFull();
  }

  /** Puts the first read off by one settle time. */
  void postpone(long now) {
    lastArrival = now;
    postponed++;
  }

  /** How often the first read was put off. */
  public int postponed() {
    return postponed;
  }

  /** Whether a read that sees these transactions sees every change that this entry stands for. */
  public boolean isSeenBy(VisibleTransactions visible) {
    return transactions.allShownBy(visible);
  }

  /** Which kind of check named the key. */
  public Stratum stratum() {
    return stratum;
  }

  /** The table. */
  public TableId table() {
    return table;
  }

  /** The key. */
  public RowKey key() {
    return key;
  }

  /**
   * The shape of the latest change, empty if only snapshots named the key, or if it is observed
   * anew because the shape changed.
   */
  public Optional<ShapeHash> shape() {
    return Optional.ofNullable(shape);
  }

  /** Whether the latest change deleted the row: then there is nothing to judge. */
  public boolean deleted() {
    return deleted;
  }

  /** Whether nobody waits for this entry any more. */
  public boolean isAbandoned() {
    return watermark.isAbandoned();
  }

  /** Tells the stream that everything this entry stands for is decided. Exactly once. */
  public void close() {
    watermark.close(sequence);
  }
}
