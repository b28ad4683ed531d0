package io.walproof.connector.connect;

import io.walproof.connector.emit.Skip;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a source has done since its start, for its metrics. Thread-safe. */
public final class SourceCounters {

  private static final long UNKNOWN = -1;

  private final LongAdder changes = new LongAdder();
  private final LongAdder diverted = new LongAdder();
  private final LongAdder heartbeats = new LongAdder();
  private final Map<DriftEvent.Kind, LongAdder> drift = adders(DriftEvent.Kind.class);
  private final Map<Skip.Reason, LongAdder> skipped = adders(Skip.Reason.class);
  private final AtomicLong tables = new AtomicLong();
  private final AtomicLong divertedTables = new AtomicLong();
  private final AtomicLong shapes = new AtomicLong();
  private volatile SchemaHistory counted;
  private final AtomicLong slotLag = new AtomicLong(UNKNOWN);

  /** A changed key was handed on. */
  public void changed() {
    changes.increment();
  }

  /** A change of a diverted table was handed on. */
  public void diverted() {
    diverted.increment();
  }

  /** A record that only carries a position was handed on. */
  public void heartbeat() {
    heartbeats.increment();
  }

  /** A drift event was handed on. */
  public void drifted(DriftEvent.Kind kind) {
    drift.get(kind).increment();
  }

  /** A delivery named no key. */
  public void skipped(Skip.Reason reason) {
    skipped.get(reason).increment();
  }

  /** The schema history is now this. Histories are immutable: another one is another object. */
  @SuppressWarnings("ReferenceEquality")
  public void history(SchemaHistory history) {
    if (history == counted) {
      return;
    }
    counted = history;
    tables.set(history.tables().size());
    divertedTables.set(history.diversions().size());
    shapes.set(
        history.tables().values().stream().mapToLong(table -> table.versions().size()).sum());
  }

  /** The slot holds back so many bytes of WAL; empty if that is not known. */
  public void slotLag(OptionalLong bytes) {
    slotLag.set(bytes.orElse(UNKNOWN));
  }

  /** Changed keys, or in a feed of rows records with rows, handed over. */
  long changes() {
    return changes.sum();
  }

  /** Those of the changes that were diverted. */
  long divertedChanges() {
    return diverted.sum();
  }

  /** Records handed over that only carry a position. */
  long heartbeats() {
    return heartbeats.sum();
  }

  /** Drift events of a kind, handed over. */
  long drift(DriftEvent.Kind kind) {
    return drift.get(kind).sum();
  }

  /** Deliveries without a key. */
  long skips(Skip.Reason reason) {
    return skipped.get(reason).sum();
  }

  /** Tables with a shape in the history. */
  long tables() {
    return tables.get();
  }

  /** Tables whose records are diverted. */
  long divertedTables() {
    return divertedTables.get();
  }

  /** Shapes in the history, all tables together. */
  long shapes() {
    return shapes.get();
  }

  /** WAL that the slot holds back, in bytes; -1 while it is not known. */
  long slotLag() {
    return slotLag.get();
  }

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
    Map<E, LongAdder> adders = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      adders.put(constant, new LongAdder());
    }
    return Collections.unmodifiableMap(adders);
  }
}
