package io.walproof.verifier.row;

/**
 * A value's canonical bytes as a part of the array that its text lies in, so that the millions of
 * values of a range are not copied one by one. What it yields is what {@link ValueRule#canonical}
 * yields; only bytea differs in what it starts from, which here is text and there is bytes already.
 */
final class CanonicalSlice {

  private static final byte[] ZERO = {'0'};

  private byte[] bytes = ZERO;
  private int start;
  private int length;

  /** Looks at one value, given by its text. */
  void of(ValueRule rule, byte[] text, int from, int size) {
    bytes = text;
    start = from;
    length = size;
    switch (rule) {
      case EXACT_TEXT,
          JSON_AS_JSONB,
          TEXT_AS_UUID,
          TIMESTAMP_IN_UTC,
          FUNCTION_SIGNATURE,
          OPERATOR_SIGNATURE,
          BY_PARTS -> {}
      case BYTEA_BYTES -> decodeHex();
      case NUMERIC_BY_VALUE, MONEY_AS_NUMERIC -> {
        trimFraction();
        dropSignOfZero();
      }
      case FLOAT_SIGNLESS_ZERO -> dropSignOfZero();
      case CHAR_WITHOUT_PADDING -> trim((byte) ' ');
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int start() {
    return start;
  }

  int length() {
    return length;
  }

  private void trim(byte unwanted) {
    while (length > 0 && bytes[start + length - 1] == unwanted) {
      length--;
    }
  }

  private void trimFraction() {
    for (int i = 0; i < length; i++) {
      if (bytes[start + i] == '.') {
        trim((byte) '0');
        trim((byte) '.');
        return;
      }
    }
  }

  private void dropSignOfZero() {
    if (length == 2 && bytes[start] == '-' && bytes[start + 1] == '0') {
      start++;
      length = 1;
    }
  }

  /** From {@code \x}, as bytea_output=hex has it. */
  private void decodeHex() {
    if (length < 2 || length % 2 != 0 || bytes[start] != '\\' || bytes[start + 1] != 'x') {
      throw new IllegalStateException("bytea_output is pinned to hex and another form came");
    }
    byte[] decoded = new byte[length / 2 - 1];
    for (int i = 0; i < decoded.length; i++) {
      int at = start + 2 + 2 * i;
      decoded[i] =
          (byte) (Character.digit(bytes[at], 16) << 4 | Character.digit(bytes[at + 1], 16));
    }
    bytes = decoded;
    start = 0;
    length = decoded.length;
  }
}
