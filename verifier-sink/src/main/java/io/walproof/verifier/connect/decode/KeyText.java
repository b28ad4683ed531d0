package io.walproof.verifier.connect.decode;

/** A key column's value as PostgreSQL's text, or why it cannot be had. */
sealed interface KeyText {

  /**
   * The text, which PostgreSQL reads as the same value.
   *
   * @param text as the type's output function writes it
   */
  record Known(String text) implements KeyText {}

  /**
   * No certain text.
   *
   * @param detail why, and the way out; no values
   */
  record Unknown(String detail) implements KeyText {}

  static KeyText known(String text) {
    return new Known(text);
  }

  static KeyText unknown(String detail) {
    return new Unknown(detail);
  }
}
