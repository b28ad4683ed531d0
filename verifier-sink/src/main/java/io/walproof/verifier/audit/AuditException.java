package io.walproof.verifier.audit;

/** Evidence could not be made durable, or the audit file cannot be used. Names file and remedy. */
public class AuditException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With the message for people. */
  public AuditException(String message) {
    super(message);
  }

  /** With the message for people and the cause. */
  public AuditException(String message, Throwable cause) {
    super(message, cause);
  }
}
