package io.walproof.verifier.row;

/** A value's text is not what its type prints: the type changed, or prints in an unknown way. */
final class MalformedValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedValueException() {
    super("a value's text does not have the form of its type");
  }
}
