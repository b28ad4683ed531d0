package io.walproof.connector.relation;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the protocol's basic fields. All text is UTF-8: pgjdbc pins client_encoding. */
final class Wire {

  private Wire() {}

  /** A NUL-terminated string. */
  static String string(ByteBuffer buffer) {
    int start = buffer.position();
    int end = start;
    while (buffer.get(end) != 0) {
      end++;
    }
    String text = text(buffer, end - start);
    buffer.get();
    return text;
  }

  /** A string of so many bytes. */
  static String text(ByteBuffer buffer, int length) {
    if (buffer.hasArray()) {
      String text =
          new String(
              buffer.array(),
              buffer.arrayOffset() + buffer.position(),
              length,
              StandardCharsets.UTF_8);
      buffer.position(buffer.position() + length);
      return text;
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** An unsigned 32-bit number. */
  static long uint32(ByteBuffer buffer) {
    return Integer.toUnsignedLong(buffer.getInt());
  }
}
