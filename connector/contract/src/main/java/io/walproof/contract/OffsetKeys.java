package io.walproof.contract;

/** The entries that Walproof adds to Debezium's own in a source offset. */
public final class OffsetKeys {

  /** The schema history, format 1, as a JSON string. */
  public static final String SCHEMA_HISTORY = "walproof.schema_history";

  /** The last change for which a drift decision was made. */
  public static final String POSITION = "walproof.position";

  /** {@code pg_control_system().system_identifier} of the cluster that the LSNs belong to. */
  public static final String SYSTEM_IDENTIFIER = "walproof.system_identifier";

  private OffsetKeys() {}
}
