package io.walproof.contract;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing learned about a table's shape, or about the stream itself.
 *
 * @param kind what happened
 * @param occurrence whether the connector was listening when it happened
 * @param table the table; empty for events of the stream as a whole
 * @param lsn the LSN of the deciding change, or where the event was seen
 * @param transactionId the deciding change's transaction, 0 where there is none
 * @param previous the hash before the change, empty for {@code INITIAL} and stream events
 * @param current the hash of the deciding change, empty for stream events
 * @param changes the column differences; empty when only the hash survived a restart (then {@code
 *     detail} says so)
 * @param narrowing whether values that fitted before may not fit now; empty where it is not known
 * @param policy the drift policy in force
 * @param action what was done about it
 * @param detail a sentence for people; no row values
 * @param from of a gap, where what was delivered before it ends; empty where that is not known, and
 *     for everything else. A start that ends before its gap is durable tells it again, perhaps with
 *     a later {@code lsn}: the same kind, table and {@code from} are the same gap
 */
public record DriftEvent(
    Kind kind,
    Occurrence occurrence,
    Optional<TableId> table,
    Lsn lsn,
    long transactionId,
    Optional<ShapeHash> previous,
    Optional<ShapeHash> current,
    List<ColumnChange> changes,
    Optional<Boolean> narrowing,
    String policy,
    String action,
    String detail,
    Optional<Lsn> from) {

  /** An event that is no gap, or a gap of which it is not known where it begins. */
  public DriftEvent(
      Kind kind,
      Occurrence occurrence,
      Optional<TableId> table,
      Lsn lsn,
      long transactionId,
      Optional<ShapeHash> previous,
      Optional<ShapeHash> current,
      List<ColumnChange> changes,
      Optional<Boolean> narrowing,
      String policy,
      String action,
      String detail) {
    this(
        kind,
        occurrence,
        table,
        lsn,
        transactionId,
        previous,
        current,
        changes,
        narrowing,
        policy,
        action,
        detail,
        Optional.empty());
  }

  /** What happened. */
  public enum Kind {
    /** First shape ever seen of a table: a baseline, not drift. */
    INITIAL,
    /** The set of columns, a type or a type modifier changed. */
    SHAPE_CHANGED,
    /** The same columns in another order. */
    COLUMN_ORDER_CHANGED,
    /** The columns flagged as key changed. */
    KEY_CHANGED,
    /** The replica identity setting changed. */
    REPLICA_IDENTITY_CHANGED,
    /** The table was dropped and created again: another relation OID. */
    TABLE_RECREATED,
    /** The slot lost or skipped changes, up to {@code lsn}; {@code detail} says why. */
    GAP,
    /**
     * Something that the stream does not show was seen in the catalog: {@code lsn} is where the WAL
     * ended then, and no single change decided it.
     */
    CATALOG_CHANGED,
    /** A published table keeps changing by the server's statistics, and nothing of it arrives. */
    NOTHING_DELIVERED,
    /**
     * An operator accepted the shape that a diverted table has: its records go to its topic again.
     */
    SHAPE_ACCEPTED,
    /**
     * A capture was here before, and its position is not stored any more: what shapes the tables
     * had is not known.
     */
    BASELINE_LOST
  }

  /** When, seen from the connector. */
  public enum Occurrence {
    FIRST_SEEN,
    IN_PROCESS,
    ACROSS_RESTART
  }

  /** Whether this is a deviation that operators act on. */
  public boolean isDrift() {
    return kind != Kind.INITIAL && kind != Kind.SHAPE_ACCEPTED;
  }

  /**
   * Whether changes were made that will never be delivered, so that nothing can be judged there.
   */
  public boolean isGap() {
    return switch (kind) {
      case GAP, NOTHING_DELIVERED -> true;
      case INITIAL,
          SHAPE_CHANGED,
          COLUMN_ORDER_CHANGED,
          KEY_CHANGED,
          REPLICA_IDENTITY_CHANGED,
          TABLE_RECREATED,
          CATALOG_CHANGED,
          SHAPE_ACCEPTED,
          BASELINE_LOST ->
          false;
    };
  }

  /** Copies the list and refuses missing parts. */
  public DriftEvent {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(occurrence, "occurrence");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(lsn, "lsn");
    Objects.requireNonNull(previous, "previous");
    Objects.requireNonNull(current, "current");
    changes = List.copyOf(changes);
    Objects.requireNonNull(narrowing, "narrowing");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(from, "from");
  }

  /** The same with another action and sentence. */
  public DriftEvent withAction(String other, String sentence) {
    return new DriftEvent(
        kind,
        occurrence,
        table,
        lsn,
        transactionId,
        previous,
        current,
        changes,
        narrowing,
        policy,
        other,
        sentence,
        from);
  }

  /** The same with other column changes and sentence. */
  public DriftEvent withChanges(List<ColumnChange> others, String sentence) {
    return new DriftEvent(
        kind,
        occurrence,
        table,
        lsn,
        transactionId,
        previous,
        current,
        others,
        narrowing,
        policy,
        action,
        sentence,
        from);
  }

  /**
   * One column's difference.
   *
   * @param column the column's name, empty for what concerns the whole table
   * @param what which property differs
   * @param before the property before, empty for an addition
   * @param after the property after, empty for a removal
   * @param narrowing whether values may no longer fit
   */
  public record ColumnChange(
      String column, What what, String before, String after, boolean narrowing) {

    /** The property. */
    public enum What {
      ADDED,
      REMOVED,
      TYPE,
      TYPE_MODIFIER,
      KEY,
      ORDER,
      /** A removal and an addition that may be one rename; both are also reported. */
      POSSIBLE_RENAME,
      /** The name belongs to another column of the same shape: dropped and added, or swapped. */
      REPLACED,
      /** Another type under the same name, or another domain over the same type. */
      TYPE_REPLACED,
      COLLATION,
      /** Whether and how the column is generated. */
      GENERATED,
      ENUM_LABELS,
      DOMAIN_RULES,
      /** The same key columns in another order; of the table, not of one column. */
      KEY_ORDER,
      /** Whether the publication carries the table. */
      PUBLISHED,
      /** Which operations the publication carries, of all its tables. */
      PUBLISHED_OPERATIONS,
      /** Under which names the publication carries a partitioned table's rows. */
      PUBLISHED_AS,
      /** The publication's column list of the table. */
      PUBLISHED_COLUMNS,
      /** The publication's row filter of the table. */
      ROW_FILTER,
      /** Partitions attached or detached. */
      PARTITIONS,
      /** The table itself was dropped or renamed. */
      TABLE
    }
  }
}
