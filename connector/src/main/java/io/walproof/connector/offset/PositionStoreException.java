package io.walproof.connector.offset;

/** A position could not be read or kept. The message names the file and the way out. */
public final class PositionStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public PositionStoreException(String message) {
    super(message);
  }

  /** With a cause. */
  public PositionStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
