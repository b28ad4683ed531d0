package io.walproof.verifier.replay;

/** Replay cannot be confirmed as configured. Names what was found, the choices and the remedy. */
public final class ConfirmationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With the message for people. */
  public ConfirmationException(String message) {
    super(message);
  }
}
