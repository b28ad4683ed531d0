package io.walproof.connector.schema;

/** A stored schema history that this build cannot read. */
public final class HistoryFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public HistoryFormatException(String message) {
    super(message);
  }

  /** With a cause. */
  public HistoryFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
