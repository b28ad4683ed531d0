package io.walproof.verifier.connect.decode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/** Bytes and bits. */
final class BinaryTexts {

  private static final KeyText PLACEHOLDER =
      hex(KeyTexts.PLACEHOLDER.getBytes(StandardCharsets.UTF_8));

  private final DebeziumModes modes;

  BinaryTexts(DebeziumModes modes) {
    this.modes = modes;
  }

  KeyText bytes(ColumnType type, Schema schema, Object value) {
    KeyText text = decoded(type, schema, value);
    // In mode bytes the placeholder comes as its own bytes, and would be another row's key.
    return text.equals(PLACEHOLDER) ? KeyTexts.leftOut(type) : text;
  }

  private KeyText decoded(ColumnType type, Schema schema, Object value) {
    Optional<byte[]> raw = raw(value);
    if (raw.isPresent()) {
      return hex(raw.get());
    }
    if (!(value instanceof String text)) {
      return KeyTexts.mismatch(type, value);
    }
    if (modes.binary().isEmpty()) {
      return KeyTexts.modeMissing(type, "binary.handling.mode");
    }
    return switch (modes.binary().get()) {
      // The JSON converter writes bytes as base64, and reads them back only with the schema.
      case BYTES ->
          schema == null ? hex(Base64.getDecoder().decode(text)) : KeyTexts.mismatch(type, value);
      case BASE64 -> hex(Base64.getDecoder().decode(text));
      case BASE64_URL_SAFE -> hex(Base64.getUrlDecoder().decode(text));
      case HEX -> hex(HexFormat.of().parseHex(text));
    };
  }

  /** Debezium sends a {@code bit(n)} as a number, lowest byte first, without leading zeros. */
  KeyText bits(ColumnType type, Object value) {
    if (value instanceof Boolean bit) {
      return type.modifier() == 1 ? KeyText.known(bit ? "1" : "0") : KeyTexts.mismatch(type, value);
    }
    byte[] bytes =
        value instanceof String base64
            ? Base64.getDecoder().decode(base64)
            : raw(value).orElse(null);
    int length = type.modifier();
    BitSet bits = bytes == null ? null : BitSet.valueOf(bytes);
    if (bits == null || bits.length() > length) {
      return KeyTexts.mismatch(type, value);
    }
    StringBuilder text = new StringBuilder(length);
    for (int bit = length - 1; bit >= 0; bit--) {
      text.append(bits.get(bit) ? '1' : '0');
    }
    return KeyText.known(text.toString());
  }

  static Optional<byte[]> raw(Object value) {
    if (value instanceof byte[] bytes) {
      return Optional.of(bytes);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return Optional.of(bytes);
    }
    return Optional.empty();
  }

  private static KeyText hex(byte[] bytes) {
    return KeyText.known("\\x" + HexFormat.of().formatHex(bytes));
  }
}
