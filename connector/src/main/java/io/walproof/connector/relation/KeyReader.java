package io.walproof.connector.relation;

import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys that one change message names, as text from the raw tuples. Debezium's own key is not
 * used: it mixes in fresh catalog reads and is sometimes null or wrong.
 */
final class KeyReader {

  private KeyReader() {}

  /**
   * Reads a change's keys.
   *
   * @param kind {@code I}, {@code U} or {@code D}
   * @param tuples the message behind the relation's OID; it is consumed
   * @param key the key's column indexes, at least one
   * @param half which half of a key change the record is
   * @return the keys, or null if a key value is NULL or was not sent
   */
  static List<KeyChange> read(
      byte kind, ByteBuffer tuples, Relation relation, int[] key, Half half) {
    return switch (kind) {
      case 'I' -> {
        expect(tuples.get(), 'N');
        yield one(relation, key, TupleReader.readLast(tuples, key), Operation.INSERT);
      }
      case 'D' -> {
        expectOld(tuples.get());
        yield one(relation, key, TupleReader.readLast(tuples, key), Operation.DELETE);
      }
      case 'U' -> update(tuples, relation, key, half);
      default -> throw new IllegalArgumentException("not a row change: " + (char) kind);
    };
  }

  /** Which part of an update that changes the key a record stands for. */
  enum Half {
    /** Debezium made one record of the change. */
    WHOLE,
    OLD_KEY,
    NEW_KEY
  }

  private static List<KeyChange> update(
      ByteBuffer tuples, Relation relation, int[] key, Half half) {
    byte tuple = tuples.get();
    String[] before = null;
    if (tuple == 'K' || tuple == 'O') {
      before = TupleReader.read(tuples, key);
      tuple = tuples.get();
    }
    expect(tuple, 'N');
    String[] after = TupleReader.readLast(tuples, key);
    if (before != null) {
      for (int i = 0; i < after.length; i++) {
        if (isUnchanged(after[i])) {
          after[i] = before[i];
        }
      }
    }
    if (before == null || Arrays.equals(before, after)) {
      return one(relation, key, after, Operation.UPDATE);
    }
    List<KeyChange> gone = one(relation, key, before, Operation.DELETE);
    List<KeyChange> come = one(relation, key, after, Operation.INSERT);
    return switch (half) {
      case OLD_KEY -> gone;
      case NEW_KEY -> come;
      case WHOLE -> {
        if (gone == null || come == null) {
          yield null;
        }
        List<KeyChange> both = new ArrayList<>(gone);
        both.addAll(come);
        yield List.copyOf(both);
      }
    };
  }

  private static List<KeyChange> one(
      Relation relation, int[] key, String[] texts, Operation operation) {
    List<RowKey.Column> columns = new ArrayList<>(key.length);
    for (int i = 0; i < key.length; i++) {
      if (texts[i] == null || isUnchanged(texts[i])) {
        return null;
      }
      columns.add(new RowKey.Column(relation.columnName(key[i]), texts[i]));
    }
    return List.of(new KeyChange(new RowKey(columns), operation));
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isUnchanged(String text) {
    return text == TupleReader.UNCHANGED;
  }

  private static void expect(byte found, char expected) {
    if (found != expected) {
      throw new TapException(
          "a change message holds tuple '" + (char) found + "' where '" + expected + "' belongs");
    }
  }

  private static void expectOld(byte found) {
    if (found != 'K' && found != 'O') {
      throw new TapException("a DELETE message holds tuple '" + (char) found + "'");
    }
  }
}
