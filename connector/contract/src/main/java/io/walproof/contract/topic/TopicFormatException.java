package io.walproof.contract.topic;

/** A record on a topic is not what it should be. The message names fields, never values. */
public final class TopicFormatException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With a message for the operator. */
  public TopicFormatException(String message) {
    super(message);
  }

  /** With a cause. */
  public TopicFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
