package io.walproof.connector.offset;

import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.HistoryFormatException;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import io.walproof.contract.TableId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
  private final WalOrigin origin;
  private final List<TableId> unpublished;

  /**
   * A position.
   *
   * @param debezium Debezium's own entries (strings, booleans and longs); not changed afterwards
   * @param resume the LSN to resume from; everything before it was delivered
   * @param decided the last change for which a drift decision was made
   * @param history the schema history up to that change
   * @param origin whose WAL the LSNs belong to
   */
  public Position(
      Map<String, ?> debezium,
      Lsn resume,
      ChangeOrdinal decided,
      SchemaHistory history,
      WalOrigin origin) {
    this(debezium, resume, decided, history, origin, List.of());
  }

  private Position(
      Map<String, ?> debezium,
      Lsn resume,
      ChangeOrdinal decided,
      SchemaHistory history,
      WalOrigin origin,
      List<TableId> unpublished) {
    this.debezium = Objects.requireNonNull(debezium, "debezium");
    this.resume = Objects.requireNonNull(resume, "resume");
    this.decided = Objects.requireNonNull(decided, "decided");
    this.history = Objects.requireNonNull(history, "history");
    this.origin = Objects.requireNonNull(origin, "origin");
    this.unpublished = List.copyOf(unpublished);
  }

  /** The position of a slot that nothing was read from yet. */
  public static Position start(Lsn consistentPoint, SchemaHistory history, WalOrigin origin) {
    return new Position(
        Map.of(LSN, consistentPoint.value()), consistentPoint, ChangeOrdinal.NONE, history, origin);
  }

  /** Reads what {@link #entries()} gave, also of an older build or of Debezium alone. */
  public static Position of(Map<String, ?> entries) {
    Map<String, Object> debezium = new HashMap<>(entries);
    Object history = debezium.remove(OffsetKeys.SCHEMA_HISTORY);
    Object decided = debezium.remove(OffsetKeys.POSITION);
    Object system = debezium.remove(OffsetKeys.SYSTEM_IDENTIFIER);
    Object timelines = debezium.remove(OffsetKeys.TIMELINES);
    Object unpublished = debezium.remove(OffsetKeys.UNPUBLISHED);
    Object resume = debezium.getOrDefault(LSN_COMMIT, debezium.get(LSN));
    if (!(resume instanceof Number lsn)) {
      throw new HistoryFormatException("the position has neither lsn_commit nor lsn");
    }
    return new Position(
        debezium,
        new Lsn(lsn.longValue()),
        decided == null ? ChangeOrdinal.NONE : ChangeOrdinal.parse(decided.toString()),
        history == null ? SchemaHistory.empty() : SchemaHistory.read(history.toString()),
        new WalOrigin(
            system == null ? "" : system.toString(),
            Optional.ofNullable(timelines).map(text -> TimelineHistory.parse(text.toString()))),
        unpublished == null ? List.of() : TableList.read(unpublished.toString()));
  }

  /** The same with another history. */
  public Position with(SchemaHistory other) {
    return new Position(debezium, resume, decided, other, origin, unpublished);
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
    return origin.systemIdentifier();
  }

  /** Whose WAL the LSNs belong to. */
  public WalOrigin origin() {
    return origin;
  }

  /**
   * Where a source's WAL stops being the one that this position was delivered from, if that is
   * short of the position: then some of what was delivered is not in that source. Empty if all of
   * it is, or if the timelines are not known.
   *
   * @param source the source's timelines
   * @return {@link Lsn#NONE} if no WAL is known to be shared
   */
  public Optional<Lsn> divergesFrom(TimelineHistory source) {
    Optional<Lsn> shared = origin.timelines().map(mine -> mine.sharedWith(source));
    // A resume position is a commit record's end; a decision names the commit record's begin.
    return shared.filter(
        last ->
            resume.compareTo(last) > 0
                || (!decided.equals(ChangeOrdinal.NONE) && decided.commit().hasPassed(last)));
  }

  /** The same position in the source's words for the same WAL. */
  public Position withOrigin(WalOrigin now) {
    return new Position(debezium, resume, decided, history, now, unpublished);
  }

  /** How far what was delivered reaches: at least up to where a restart resumes. */
  public Lsn delivered() {
    return Lsn.max(resume, decided.commit());
  }

  /** Tables that the publication had lost, and of which nothing was told yet. */
  public List<TableId> unpublished() {
    return unpublished;
  }

  /** The same position, with tables of which is to be told that the publication had lost them. */
  public Position withUnpublished(List<TableId> tables) {
    return new Position(debezium, resume, decided, history, origin, tables);
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
    entries.put(OffsetKeys.SYSTEM_IDENTIFIER, origin.systemIdentifier());
    origin
        .timelines()
        .ifPresent(timelines -> entries.put(OffsetKeys.TIMELINES, timelines.toString()));
    if (!unpublished.isEmpty()) {
      entries.put(OffsetKeys.UNPUBLISHED, TableList.text(unpublished));
    }
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
