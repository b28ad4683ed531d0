package io.walproof.standalone.status;

/** The status page cannot be served; the message is for people. */
public final class StatusException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StatusException(String message, Throwable cause) {
    super(message, cause);
  }
}
