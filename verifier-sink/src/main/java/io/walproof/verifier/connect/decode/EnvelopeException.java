package io.walproof.verifier.connect.decode;

/**
 * An envelope is not what Debezium's PostgreSQL connector writes. To follow "The record at ...".
 */
final class EnvelopeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EnvelopeException(String message) {
    super(message);
  }
}
