package io.walproof.connector.relation;

import io.walproof.contract.StreamedRow;
import java.nio.ByteBuffer;

/** Reads a few columns of a TupleData submessage as text and passes over the others. */
final class TupleReader {

  /** Out of line and unchanged, so not sent. Compared by identity. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  static final String UNCHANGED = new String("unchanged");

  private TupleReader() {}

  /**
   * Reads the texts of the wanted columns and leaves the buffer behind the tuple.
   *
   * @param wanted column indexes in any order
   * @return per wanted column its text, null for NULL, or {@link #UNCHANGED}
   */
  static String[] read(ByteBuffer buffer, int[] wanted) {
    return read(buffer, wanted, Integer.MAX_VALUE);
  }

  /**
   * Reads the texts of the wanted columns of a message's last tuple and leaves the buffer behind
   * the last of them: keys mostly stand in front, and rows are wide.
   *
   * @param wanted column indexes in any order
   * @return as {@link #read(ByteBuffer, int[])}
   */
  static String[] readLast(ByteBuffer buffer, int[] wanted) {
    int last = -1;
    for (int index : wanted) {
      last = Math.max(last, index);
    }
    return read(buffer, wanted, last + 1);
  }

  /**
   * Reads all columns and leaves the buffer behind the tuple.
   *
   * @return per column its text in UTF-8, null for NULL, or {@link StreamedRow#notSent()}
   */
  static byte[][] readAll(ByteBuffer buffer) {
    byte[][] texts = new byte[Short.toUnsignedInt(buffer.getShort())][];
    for (int column = 0; column < texts.length; column++) {
      byte kind = buffer.get();
      switch (kind) {
        case 'n' -> {}
        case 'u' -> texts[column] = StreamedRow.notSent();
        case 't' -> {
          texts[column] = new byte[buffer.getInt()];
          buffer.get(texts[column]);
        }
        default -> throw unknown(kind);
      }
    }
    return texts;
  }

  private static String[] read(ByteBuffer buffer, int[] wanted, int limit) {
    String[] texts = new String[wanted.length];
    int columns = Math.min(limit, Short.toUnsignedInt(buffer.getShort()));
    for (int column = 0; column < columns; column++) {
      byte kind = buffer.get();
      switch (kind) {
        case 'n' -> {}
        case 'u' -> put(texts, wanted, column, UNCHANGED);
        case 't' -> {
          int length = buffer.getInt();
          int end = buffer.position() + length;
          if (isWanted(wanted, column)) {
            put(texts, wanted, column, Wire.text(buffer, length));
          }
          buffer.position(end);
        }
        default -> throw unknown(kind);
      }
    }
    return texts;
  }

  private static TapException unknown(byte kind) {
    return new TapException(
        "a tuple holds column data of kind '"
            + (char) kind
            + "', which was not asked for; the replication stream is not plain pgoutput version 1");
  }

  private static boolean isWanted(int[] wanted, int column) {
    for (int index : wanted) {
      if (index == column) {
        return true;
      }
    }
    return false;
  }

  private static void put(String[] texts, int[] wanted, int column, String text) {
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] == column) {
        texts[i] = text;
      }
    }
  }
}
