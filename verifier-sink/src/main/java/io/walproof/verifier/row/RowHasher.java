package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.walproof.verifier.model.RowHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Hashes rows, version 1. For one thread and one list of columns.
 *
 * <p>A column's field is: the name's length, the name in UTF-8, one byte 0 for NULL or 1 for a
 * value, and for a value its length and its canonical bytes. Lengths are big-endian 32-bit
 * integers. A column's hash is XXH3-64 (seed 0) of its field; the row's is XXH3-128 (seed 0) of
 * {@code "walproof-row-1"} in ASCII, the number of columns, and all fields in the order of the
 * columns' names as unsigned UTF-8 bytes. So no two rows share their hashed bytes (invariant K).
 */
final class RowHasher {

  private static final byte[] MAGIC = "walproof-row-1".getBytes(StandardCharsets.US_ASCII);
  private static final Hasher128 ROW = Hashing.xxh3_128();
  private static final Hasher64 COLUMN = Hashing.xxh3_64();

  /** A buffer that grew beyond this for one row is not kept. */
  private static final int KEPT_BYTES = 1 << 20;

  /** What every JVM can allocate. */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final byte[][] headers;
  private final int start;
  private byte[] buffer;
  private int length;

  /**
   * For these columns.
   *
   * @param columns sorted by {@link #compareNames}
   */
  RowHasher(List<String> columns) {
    headers = new byte[columns.size()][];
    for (int i = 0; i < headers.length; i++) {
      byte[] name = columns.get(i).getBytes(StandardCharsets.UTF_8);
      headers[i] =
          ByteBuffer.allocate(Integer.BYTES + name.length).putInt(name.length).put(name).array();
    }
    byte[] prefix =
        ByteBuffer.allocate(MAGIC.length + Integer.BYTES).put(MAGIC).putInt(headers.length).array();
    buffer = Arrays.copyOf(prefix, 4096);
    start = prefix.length;
  }

  /** The order of columns. */
  static int compareNames(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  /** Starts a row. */
  void begin() {
    if (buffer.length > KEPT_BYTES) {
      buffer = Arrays.copyOf(buffer, KEPT_BYTES);
    }
    length = start;
  }

  /**
   * Adds the next column.
   *
   * @param canonical its canonical bytes, null for NULL
   * @return the column's hash
   * @throws ArithmeticException if the row's bytes do not fit an array (2 GiB)
   */
  long add(int column, byte[] canonical) {
    int from = length;
    append(column, canonical, 0, canonical == null ? 0 : canonical.length);
    return COLUMN.hashBytesToLong(buffer, from, length - from);
  }

  /**
   * Adds the next column without hashing it on its own.
   *
   * @param canonical holds its canonical bytes, null for NULL
   * @throws ArithmeticException if the row's bytes do not fit an array (2 GiB)
   */
  void append(int column, byte[] canonical, int from, int size) {
    byte[] header = headers[column];
    reserve(Math.addExact(header.length + 1, canonical == null ? 0 : Integer.BYTES + size));
    append(header, 0, header.length);
    if (canonical == null) {
      buffer[length++] = 0;
    } else {
      buffer[length++] = 1;
      buffer[length++] = (byte) (size >>> 24);
      buffer[length++] = (byte) (size >>> 16);
      buffer[length++] = (byte) (size >>> 8);
      buffer[length++] = (byte) size;
      append(canonical, from, size);
    }
  }

  /** Ends the row. */
  RowHash end() {
    HashValue128 hash = endRaw();
    return new RowHash(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
  }

  /** Ends the row; the hash as the library has it. */
  HashValue128 endRaw() {
    return ROW.hashBytesTo128Bits(buffer, 0, length);
  }

  private void append(byte[] bytes, int from, int size) {
    System.arraycopy(bytes, from, buffer, length, size);
    length += size;
  }

  private void reserve(int more) {
    int needed = Math.addExact(length, more);
    if (needed > LARGEST_ARRAY) {
      throw new ArithmeticException("row too long");
    }
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(LARGEST_ARRAY, needed * 2L));
    }
  }
}
