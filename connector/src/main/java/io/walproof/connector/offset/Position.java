package io.walproof.connector.offset;

import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.HistoryFormatException;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A source position that a restart resumes from: Debezium's own entries, the LSN from which
 * PostgreSQL resends whole transactions, the last change that had a drift decision, and the schema
 * history up to it (invariant D). One is made per record, so nothing is computed before somebody
 * asks. Immutable.
 */
public final class Position {

  private static final String LSN = "lsn";
  private static final String LSN_COMMIT = "lsn_commit";
  private static final String SNAPSHOT = "snapshot";
  private static final String SNAPSHOT_COMPLETED = "snapshot_completed";

  private final Map<String, ?> debezium;
  private final Lsn resume;
  private final ChangeOrdinal decided;
  private final SchemaHistory history;
  private final String systemIdentifier;

  /**
   * A position.
   *
   * @param debezium Debezium's own entries (strings, booleans and longs); not changed afterwards
   * @param resume the LSN to resume from; everything before it was delivered
   * @param decided the last change for which a drift decision was made
   * @param history the schema history up to that change
   * @param systemIdentifier of the cluster that the LSNs belong to
   */
  public Position(
      Map<String, ?> debezium,
      Lsn resume,
      ChangeOrdinal decided,
      SchemaHistory history,
      String systemIdentifier) {
    this.debezium = Objects.requireNonNull(debezium, "debezium");
    this.resume = Objects.requireNonNull(resume, "resume");
    this.decided = Objects.requireNonNull(decided, "decided");
    this.history = Objects.requireNonNull(history, "history");
    this.systemIdentifier = Objects.requireNonNull(systemIdentifier, "systemIdentifier");
  }

  /** The position of a slot that nothing was read from yet. */
  public static Position start(
      Lsn consistentPoint, SchemaHistory history, String systemIdentifier) {
    return new Position(
        Map.of(LSN, consistentPoint.value()),
        consistentPoint,
        ChangeOrdinal.NONE,
        history,
        systemIdentifier);
  }

  /** Reads what {@link #entries()} gave, also of an older build or of Debezium alone. */
  public static Position of(Map<String, ?> entries) {
    Map<String, Object> debezium = new HashMap<>(entries);
    Object history = debezium.remove(OffsetKeys.SCHEMA_HISTORY);
    Object decided = debezium.remove(OffsetKeys.POSITION);
    Object system = debezium.remove(OffsetKeys.SYSTEM_IDENTIFIER);
    Object resume = debezium.getOrDefault(LSN_COMMIT, debezium.get(LSN));
    if (!(resume instanceof Number lsn)) {
      throw new HistoryFormatException("the position has neither lsn_commit nor lsn");
    }
    return new Position(
        debezium,
        new Lsn(lsn.longValue()),
        decided == null ? ChangeOrdinal.NONE : ChangeOrdinal.parse(decided.toString()),
        history == null ? SchemaHistory.empty() : SchemaHistory.read(history.toString()),
        system == null ? "" : system.toString());
  }

  /** The same with another history. */
  public Position with(SchemaHistory other) {
    return new Position(debezium, resume, decided, other, systemIdentifier);
  }

  /** The LSN from which a restart resumes; the slot must not be confirmed past it. */
  public Lsn resume() {
    return resume;
  }

  /** How far the stream has come: the LSN of the record that the position belongs to. */
  public Lsn streamed() {
    return debezium.get(LSN) instanceof Number lsn ? new Lsn(lsn.longValue()) : Lsn.NONE;
  }

  /** The last change for which a drift decision was made. */
  public ChangeOrdinal decided() {
    return decided;
  }

  /** The schema history. */
  public SchemaHistory history() {
    return history;
  }

  /** The cluster that the LSNs belong to; empty if an older build did not store it. */
  public String systemIdentifier() {
    return systemIdentifier;
  }

  /** Whether Debezium was in the middle of its initial snapshot, which it then begins again. */
  public boolean inSnapshot() {
    return debezium.containsKey(SNAPSHOT) && !Boolean.TRUE.equals(debezium.get(SNAPSHOT_COMPLETED));
  }

  /** All entries, as a source offset stores them; sorted. */
  public Map<String, Object> entries() {
    Map<String, Object> entries = new TreeMap<>(debezium);
    if (!inSnapshot()) {
      entries.put(LSN_COMMIT, resume.value());
    }
    entries.put(OffsetKeys.SCHEMA_HISTORY, history.json());
    entries.put(OffsetKeys.POSITION, decided.toString());
    entries.put(OffsetKeys.SYSTEM_IDENTIFIER, systemIdentifier);
    return entries;
  }

  /**
   * The entries that Debezium resumes from. Its own position filter loses rows (COPY, key-changing
   * updates, interleaved transactions); without {@code lsn_proc}, and with {@code lsn} at the last
   * commit, it filters nothing and PostgreSQL resends whole transactions.
   */
  public Map<String, Object> forDebezium() {
    Map<String, Object> entries = new HashMap<>(debezium);
    if (inSnapshot()) {
      return entries;
    }
    entries.keySet().removeIf(Position::filtersRows);
    entries.put(LSN, resume.value());
    entries.put(LSN_COMMIT, resume.value());
    return entries;
  }

  private static boolean filtersRows(String key) {
    return key.equals("lsn_proc")
        || key.equals("messageType")
        || key.equals("txId")
        || key.startsWith("transaction_");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Position that && entries().equals(that.entries());
  }

  @Override
  public int hashCode() {
    return resume.hashCode();
  }

  @Override
  public String toString() {
    return "position[resume=" + resume + ", decided=" + decided + "]";
  }
}
