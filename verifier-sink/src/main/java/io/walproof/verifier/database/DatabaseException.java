package io.walproof.verifier.database;

/** A database cannot be used as configured. Names setting and remedy, never a secret. */
public final class DatabaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With the message for people. */
  public DatabaseException(String message) {
    super(message);
  }
}
