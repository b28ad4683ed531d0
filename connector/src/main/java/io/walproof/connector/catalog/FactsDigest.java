package io.walproof.connector.catalog;

import io.walproof.connector.catalog.TableFacts.ColumnFacts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is kept of a table's facts where there is no room for them: {@code #1:} and a hash over what
 * this build compares, each field with its length. Another number is of a build that compares other
 * things, and decides nothing.
 */
final class FactsDigest {

  private static final String MARK = "#";
  private static final String PREFIX = MARK + "1:";
  private static final int BYTES = 12;

  private FactsDigest() {}

  /** Whether a text is a digest and not the facts. */
  static boolean is(String text) {
    return text.startsWith(MARK);
  }

  /** Whether a digest says that the facts are others. */
  static boolean differs(String digest, String facts) {
    return digest.startsWith(PREFIX) && !digest.equals(of(facts));
  }

  /** The digest of facts. */
  static String of(String facts) {
    TableFacts table = TableFacts.parse(facts);
    MessageDigest hash = sha256();
    add(hash, Long.toString(table.oid()));
    for (Map.Entry<String, ColumnFacts> entry : new TreeMap<>(table.columns()).entrySet()) {
      ColumnFacts column = entry.getValue();
      add(hash, entry.getKey());
      add(hash, Integer.toString(column.number()));
      add(hash, column.type());
      add(hash, Long.toString(column.typeOid()));
      add(hash, column.collation());
      add(hash, column.generated());
      add(hash, column.labels());
      add(hash, column.rules());
    }
    add(hash, table.key());
    add(hash, Boolean.toString(table.published()));
    add(hash, table.publishedColumns());
    add(hash, table.rowFilter());
    add(hash, table.partitions());
    return PREFIX + HexFormat.of().formatHex(hash.digest(), 0, BYTES);
  }

  private static void add(MessageDigest hash, List<String> texts) {
    add(hash, Integer.toString(texts.size()));
    texts.forEach(text -> add(hash, text));
  }

  private static void add(MessageDigest hash, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    hash.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
