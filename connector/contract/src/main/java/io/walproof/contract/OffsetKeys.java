package io.walproof.contract;

/** The entries that Walproof adds to Debezium's own in a source offset. */
public final class OffsetKeys {

  /** The schema history, format 1, as a JSON string. */
  public static final String SCHEMA_HISTORY = "walproof.schema_history";

  /** The last change for which a drift decision was made. */
  public static final String POSITION = "walproof.position";

  /** {@code pg_control_system().system_identifier} of the cluster that the LSNs belong to. */
  public static final String SYSTEM_IDENTIFIER = "walproof.system_identifier";

  /**
   * The timelines that the cluster's WAL went through: each ancestor's number and where it was
   * left, then the current number.
   */
  public static final String TIMELINES = "walproof.timelines";

  /**
   * Tables that the publication had lost, as a JSON array: it is about to be completed, and what
   * was not delivered of them is still to be told.
   */
  public static final String UNPUBLISHED = "walproof.unpublished";

  private OffsetKeys() {}
}
