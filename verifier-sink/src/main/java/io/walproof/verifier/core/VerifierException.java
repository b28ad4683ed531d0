package io.walproof.verifier.core;

/** Verification has stopped; the cause says why. */
public final class VerifierException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With what stopped it. */
  public VerifierException(String message, Throwable cause) {
    super(message, cause);
  }
}
