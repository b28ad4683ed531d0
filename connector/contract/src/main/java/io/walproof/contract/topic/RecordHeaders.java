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

  /**
   * Why a record was diverted to {@link TopicNames#dlq()}: {@link #SHAPE_NOT_ACCEPTED}. Every
   * record of that topic has it, also the drift events that say where a diversion begins and ends.
   */
  public static final String DLQ_REASON = "walproof.dlq.reason";

  /** The topic that the record would have gone to; not on drift events. */
  public static final String DLQ_TOPIC = "walproof.dlq.topic";

  /** The table, quoted where SQL needs it, as {@code drift.accept} takes it. */
  public static final String DLQ_TABLE = "walproof.dlq.table";

  /** The hash of the shape that was accepted last. */
  public static final String DLQ_PREVIOUS = "walproof.dlq.previous";

  /** The hash of the shape that waits to be accepted. */
  public static final String DLQ_CURRENT = "walproof.dlq.current";

  /** The LSN of the change that brought that shape. */
  public static final String DLQ_LSN = "walproof.dlq.lsn";

  /**
   * On drift events of that topic: {@link #BEGIN} where a table's diverted records begin, {@link
   * #AGAIN} where its shape changed once more, {@link #END} where it was accepted, {@link #FIRST}
   * where a table is seen for the first time.
   */
  public static final String DLQ_MARK = "walproof.dlq.mark";

  /** A diversion begins. */
  public static final String BEGIN = "begin";

  /** A diversion goes on with another shape. */
  public static final String AGAIN = "again";

  /** A diversion ends. */
  public static final String END = "end";

  /**
   * Nothing is known of the table from before: what still waits of it was diverted before the
   * source connector's offsets were reset, and nobody will accept it.
   */
  public static final String FIRST = "first";

  /** The one reason. */
  public static final String SHAPE_NOT_ACCEPTED = "shape_not_accepted";

  private RecordHeaders() {}
}
