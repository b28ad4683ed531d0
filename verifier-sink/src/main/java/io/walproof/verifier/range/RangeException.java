package io.walproof.verifier.range;

/** A range check cannot be done as asked. Names what is wrong and the way out, never a value. */
public class RangeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With the message for people. */
  public RangeException(String message) {
    super(message);
  }

  /** With the message for people and its cause. */
  public RangeException(String message, Throwable cause) {
    super(message, cause);
  }
}
