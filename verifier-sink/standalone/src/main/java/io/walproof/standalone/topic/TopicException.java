package io.walproof.standalone.topic;

/** A topic cannot be read; the message is for people and holds no secret. */
public final class TopicException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TopicException(String message) {
    super(message);
  }

  TopicException(String message, Throwable cause) {
    super(message, cause);
  }
}
