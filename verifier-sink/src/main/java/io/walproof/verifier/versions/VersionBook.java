package io.walproof.verifier.versions;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.verifier.decide.Versions;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.row.StreamedRows;
import io.walproof.verifier.row.TablePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps hashes of the versions of pending keys' rows, within a bound of memory. What arrives for a
 * key while an entry of it is pending is kept for that entry; the changes that opened it are not,
 * because its reads see them.
 *
 * <p>When the bound is reached, a key's oldest versions make room for its newest, and a key that
 * has none is not kept; both are remembered, so that what is missing is never taken for what was
 * not.
 *
 * <p>Thread-safe. Numbers are given out in the order of arrival, which is the stream's.
 */
public final class VersionBook {

  /** About what a pending key costs on the heap before it has versions. */
  private static final long KEY_BYTES = 160;

  private static final class Table {
    private final Map<RowKey, KeptVersions> keys = new HashMap<>();
    private List<String> keyNames = List.of();
    private Optional<StreamedRows> rows = Optional.empty();

    /** The number of the last place where changes may be missing, 0 for none. */
    private long loss;
  }

  private final long maxBytes;
  private final Map<TableId, Table> tables = new HashMap<>();
  private long loss;
  private long number;
  private long bytes;
  private long dropped;

  /**
   * A book.
   *
   * @param maxBytes {@code verify.versions.max.bytes}; 0 keeps nothing
   */
  public VersionBook(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Whether anything is kept. */
  public boolean isOn() {
    return maxBytes > 0;
  }

  /** About how many bytes of heap are in use. */
  public synchronized long bytes() {
    return bytes;
  }

  /** How many versions, and keys, there was no room for. */
  public synchronized long dropped() {
    return dropped;
  }

  /** A key became pending: from now on its versions are kept for this entry. */
  public synchronized void opened(KeyEntry entry) {
    if (!isOn() || entry.stratum() != Stratum.CDC) {
      return;
    }
    Table table = tables.computeIfAbsent(entry.table(), t -> new Table());
    KeptVersions kept = table.keys.get(entry.key());
    if (kept == null) {
      if (bytes + KEY_BYTES > maxBytes) {
        dropped++;
        return;
      }
      bytes += KEY_BYTES;
      kept = new KeptVersions();
      table.keys.put(entry.key(), kept);
    }
    kept.open(entry, number);
  }

  /** An entry is not pending any more. */
  public synchronized void closed(KeyEntry entry) {
    Table table = tables.get(entry.table());
    KeptVersions kept = table == null ? null : table.keys.get(entry.key());
    if (kept == null) {
      return;
    }
    bytes -= KeptVersions.BYTES * kept.close(entry);
    if (kept.isUnused()) {
      table.keys.remove(entry.key());
      bytes -= KEY_BYTES;
    }
  }

  /** Rows of the table are read by this plan from now on. */
  @SuppressWarnings("ReferenceEquality")
  public synchronized void use(TablePlan plan) {
    if (isOn()) {
      Table table = tables.computeIfAbsent(plan.table(), t -> new Table());
      if (table.rows.isEmpty() || table.rows.get().plan() != plan) {
        table.rows = Optional.of(plan.streamedRows());
      }
    }
  }

  /** The stream shows a change. To be called before the key is taken in for it. */
  public synchronized void arrived(ChangedKey change, StreamedRow row) {
    if (!isOn()) {
      return;
    }
    if (row.repeated()) {
      // What is kept has these versions, if anybody waited for them when they came first.
      lost();
      return;
    }
    Table table = tables.computeIfAbsent(change.table(), t -> new Table());
    if (!change.key().isNamed(table.keyNames)) {
      // Rows go by another key now: versions of the same row come under other names.
      lost(change.table());
      table.keyNames = change.key().names();
    }
    KeptVersions kept = table.keys.get(change.key());
    if (kept == null) {
      return;
    }
    long mine = ++number;
    if (bytes + KeptVersions.BYTES > maxBytes) {
      dropped++;
      if (!kept.dropOldest()) {
        kept.missed(mine);
        return;
      }
      bytes -= KeptVersions.BYTES;
    }
    bytes += KeptVersions.BYTES;
    kept.add(
        mine,
        Math.max(loss, table.loss),
        new RowVersion.Change(row.commit(), change.transactionId(), state(table, change, row)),
        change.shape(),
        table.rows.map(rows -> rows.plan().fingerprint()).orElse(""));
  }

  private static RowVersion.State state(Table table, ChangedKey change, StreamedRow row) {
    if (table.rows.isEmpty()) {
      return new RowVersion.Untold(VersionGap.NOT_KEPT);
    }
    StreamedRows rows = table.rows.get();
    if (change.operation() == Operation.DELETE) {
      return rows.absence();
    }
    return row.contents()
        .map(rows::state)
        .orElseGet(() -> new RowVersion.Untold(VersionGap.TOO_LONG));
  }

  /** Changes of the table may be missing here. */
  public synchronized void lost(TableId table) {
    Table known = tables.get(table);
    if (known != null) {
      known.loss = ++number;
    }
  }

  /** Changes of any table may be missing here. */
  public synchronized void lost() {
    loss = ++number;
  }

  /**
   * What was kept for an entry.
   *
   * @param entry pending
   * @param plan the fingerprint of the plan by which its rows were read
   * @param seenByS1 what its first source read of the recheck certainly saw
   * @param open why there may be more behind, as in {@link Versions.Streamed}
   */
  public synchronized Versions of(
      KeyEntry entry, String plan, VisibleTransactions seenByS1, Optional<VersionGap> open) {
    if (!isOn()) {
      return new Versions.Off();
    }
    if (entry.stratum() != Stratum.CDC || entry.renewals() > 0 || entry.shape().isEmpty()) {
      return new Versions.Missing(VersionGap.NOT_KEPT);
    }
    Table table = tables.get(entry.table());
    KeptVersions kept = table == null ? null : table.keys.get(entry.key());
    Optional<Long> since = kept == null ? Optional.empty() : kept.since(entry);
    if (since.isEmpty()) {
      return new Versions.Missing(VersionGap.MEMORY);
    }
    if (!entry.isSeenBy(seenByS1)) {
      return new Versions.Missing(VersionGap.UNEXPLAINED);
    }
    return new Versions.Streamed(
        kept.after(since.get(), Math.max(loss, table.loss), entry.shape().get(), plan),
        seenByS1,
        open);
  }
}
