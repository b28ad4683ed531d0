package io.walproof.standalone.run;

/** The keys of diverted tables could not be read or kept. The message names the way out. */
final class DivertedStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DivertedStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
