package io.walproof.verifier.connect.decode;

/** The source's catalog could not be asked; the same records may be decoded later. */
public final class SourceUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With a sentence for people. */
  public SourceUnavailableException(String message) {
    super(message);
  }
}
