package io.walproof.verifier.row;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Reads the text of arrays, composites and ranges from left to right. In quotes a backslash takes
 * the next byte as it is, and two quotes are one; all three kinds of text agree on that.
 */
final class NestedText {

  private final byte[] text;
  private int at;

  NestedText(byte[] text) {
    this.text = text;
  }

  /** The next byte. */
  int peek() {
    if (at >= text.length) {
      throw new MalformedValueException();
    }
    return text[at];
  }

  void skip(char expected) {
    if (peek() != expected) {
      throw new MalformedValueException();
    }
    at++;
  }

  int oneOf(char one, char other) {
    int next = peek();
    if (next != one && next != other) {
      throw new MalformedValueException();
    }
    at++;
    return next;
  }

  void requireEnd() {
    if (at != text.length) {
      throw new MalformedValueException();
    }
  }

  /** Everything before this byte, which is left behind. */
  byte[] until(char end) {
    int from = at;
    while (peek() != end) {
      at++;
    }
    return Arrays.copyOfRange(text, from, at++);
  }

  /** One part without its quotes, up to one of these bytes outside quotes, which stays. */
  byte[] item(char end, char otherEnd) {
    return peek() == '"' ? quoted(end, otherEnd) : bare(end, otherEnd);
  }

  private byte[] bare(char end, char otherEnd) {
    int from = at;
    while (peek() != end && text[at] != otherEnd) {
      at++;
    }
    return Arrays.copyOfRange(text, from, at);
  }

  private byte[] quoted(char end, char otherEnd) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    at++;
    while (true) {
      int next = peek();
      at++;
      if (next == '\\') {
        plain.write(peek());
        at++;
      } else if (next != '"') {
        plain.write(next);
      } else if (peek() == '"') {
        plain.write('"');
        at++;
      } else {
        oneMoreOf(end, otherEnd);
        return plain.toByteArray();
      }
    }
  }

  private void oneMoreOf(char end, char otherEnd) {
    if (peek() != end && peek() != otherEnd) {
      throw new MalformedValueException();
    }
  }
}
