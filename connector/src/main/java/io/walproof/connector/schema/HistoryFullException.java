package io.walproof.connector.schema;

/** The schema history has no room for what it may never give up. The message names the way out. */
public final class HistoryFullException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Nothing is left that could be shed.
   *
   * @param history that is too long
   */
  public HistoryFullException(SchemaHistory history, HistoryLimits limits) {
    super(
        "drift.history.max.bytes="
            + limits.maxBytes()
            + " has no room for the schema history, although all is dropped from it that may be: "
            + history.diversions().size()
            + " diverted tables cannot be shortened. Nothing is lost: the next start comes to this"
            + " place again. Accept the shapes of diverted tables (drift.accept), or raise"
            + " drift.history.max.bytes and, in Connect, the offsets topic's max.message.bytes and"
            + " the workers' producer.max.request.size, which must allow half as much again");
  }
}
