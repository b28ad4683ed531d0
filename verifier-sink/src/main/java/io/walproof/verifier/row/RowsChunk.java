package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of one side that were read together: each one's key and hash, and the digest of all. Filled
 * by the read, then handed on; not thread-safe.
 */
public final class RowsChunk {

  private static final int FIRST = 256;

  private final List<String> keyColumns;
  private final boolean hashed;
  private long[] high = new long[FIRST];
  private long[] low = new long[FIRST];
  private int[] keyEnds = new int[FIRST];
  private byte[] keys = new byte[FIRST * 8];
  private int size;
  private long sumHigh;
  private long sumLow;
  private long bytes;

  RowsChunk(List<String> keyColumns, boolean hashed) {
    this.keyColumns = keyColumns;
    this.hashed = hashed;
  }

  /** Appends one key column's text to the key of the row that is being added. */
  void addKeyPart(byte[] text, int from, int length) {
    int end = keyEnd();
    reserveKeys(end + Integer.BYTES + length);
    keys[end] = (byte) (length >>> 24);
    keys[end + 1] = (byte) (length >>> 16);
    keys[end + 2] = (byte) (length >>> 8);
    keys[end + 3] = (byte) length;
    System.arraycopy(text, from, keys, end + Integer.BYTES, length);
    keyEnds[size] = end + Integer.BYTES + length;
  }

  /** Makes room for a row, whose key parts follow. */
  void beginRow() {
    if (size + 1 >= high.length) {
      int larger = high.length * 2;
      high = Arrays.copyOf(high, larger);
      low = Arrays.copyOf(low, larger);
      keyEnds = Arrays.copyOf(keyEnds, larger);
    }
    keyEnds[size] = keyStart(size);
  }

  /** Ends the row. */
  void endRow(long hashHigh, long hashLow, int rowBytes) {
    high[size] = hashHigh;
    low[size] = hashLow;
    sumLow += hashLow;
    sumHigh += hashHigh + (Long.compareUnsigned(sumLow, hashLow) < 0 ? 1 : 0);
    bytes += rowBytes;
    size++;
  }

  private int keyEnd() {
    return keyEnds[size];
  }

  private int keyStart(int row) {
    return row == 0 ? 0 : keyEnds[row - 1];
  }

  private void reserveKeys(int needed) {
    if (needed > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(needed, keys.length * 2));
    }
  }

  /** Whether the rows have hashes; if not, they are known by their keys alone. */
  public boolean hashed() {
    return hashed;
  }

  /** How many rows. */
  public int size() {
    return size;
  }

  /** The more significant half of a row's hash. */
  public long high(int row) {
    return high[row];
  }

  /** The less significant half of a row's hash. */
  public long low(int row) {
    return low[row];
  }

  /**
   * The digest of all rows.
   *
   * @throws IllegalStateException if they have no hashes
   */
  public RowDigest digest() {
    if (!hashed) {
      throw new IllegalStateException("rows without hashes have no digest");
    }
    return new RowDigest(size, sumHigh, sumLow);
  }

  /** How many bytes the rows took on the wire. */
  public long bytes() {
    return bytes;
  }

  /** A row's key values as text, in the plan's order. */
  public List<String> keyTexts(int row) {
    List<String> texts = new ArrayList<>(keyColumns.size());
    int at = keyStart(row);
    for (int i = 0; i < keyColumns.size(); i++) {
      int length =
          (keys[at] & 0xFF) << 24
              | (keys[at + 1] & 0xFF) << 16
              | (keys[at + 2] & 0xFF) << 8
              | (keys[at + 3] & 0xFF);
      at += Integer.BYTES;
      texts.add(new String(keys, at, length, StandardCharsets.UTF_8));
      at += length;
    }
    return texts;
  }

  /** A row's key. */
  public RowKey key(int row) {
    List<String> texts = keyTexts(row);
    List<RowKey.Column> columns = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      columns.add(new RowKey.Column(keyColumns.get(i), texts.get(i)));
    }
    return new RowKey(columns);
  }
}
