package io.walproof.contract.topic;

/** The headers of records that belong to a stream; all are strings. */
public final class RecordHeaders {

  /**
   * The {@code system_identifier} of the cluster that the record's LSN and transaction belong to;
   * with another cluster's they may not be compared.
   */
  public static final String SYSTEM_IDENTIFIER = "walproof.system_identifier";

  /** The hash of the shape that the change was decoded with; only where the value has none. */
  public static final String SHAPE = "walproof.shape";

  private RecordHeaders() {}
}
