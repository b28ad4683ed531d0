package io.walproof.connector.relation;

/**
 * The stream and Debezium's records do not fit together, or the stream holds what was never asked
 * for. Going on could lose a key or name a wrong shape, so the capture ends.
 */
public final class TapException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /** With a message for the operator; it holds no row values. */
  public TapException(String message) {
    super(message);
  }

  /** With a cause. */
  public TapException(String message, Throwable cause) {
    super(message, cause);
  }
}
