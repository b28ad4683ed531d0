package io.walproof.verifier.audit;

/** The state directory cannot be used. Names it and the remedy. */
public final class StateDirectoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StateDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }

  StateDirectoryException(String message) {
    super(message);
  }
}
