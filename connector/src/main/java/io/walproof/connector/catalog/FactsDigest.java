package io.walproof.connector.catalog;

import io.walproof.connector.catalog.TableFacts.ColumnFacts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is kept of a table's facts where there is no room for them: {@code #2:}, a hash over what
 * this build compares, each field with its length, and in the clear what tells of changes that are
 * not delivered. Another number is of a build that compares other things, and decides nothing.
 *
 * @param hash over everything but what follows, in hex; not over what concerns the publication as a
 *     whole, and the replica identity, which the stream tells
 * @param published whether the publication carries the table
 * @param members see {@link PublicationFacts}
 */
record FactsDigest(String hash, boolean published, List<Long> members) {

  private static final String MARK = "#";
  private static final String PREFIX = MARK + "2:";
  private static final String NOT_PUBLISHED = "-";
  private static final int BYTES = 12;

  /** Whether a text is a digest and not the facts. */
  static boolean is(String text) {
    return text.startsWith(MARK);
  }

  /** The digest of facts, as it is kept. */
  static String of(String facts) {
    if (facts.equals(TableFacts.GONE)) {
      return facts;
    }
    TableFacts table = TableFacts.parse(facts);
    PublicationFacts publication = table.publication();
    String members =
        publication.members().stream().map(String::valueOf).collect(Collectors.joining(","));
    return PREFIX + hash(table) + ':' + (publication.published() ? members : NOT_PUBLISHED);
  }

  /** Reads what is kept; empty if another build wrote it. */
  static Optional<FactsDigest> parse(String text) {
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String[] parts = text.substring(PREFIX.length()).split(":", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException("the digest of a table's facts is cut off");
    }
    boolean published = !parts[1].equals(NOT_PUBLISHED);
    List<Long> members = new ArrayList<>();
    if (published && !parts[1].isEmpty()) {
      for (String member : parts[1].split(",", -1)) {
        members.add(Long.valueOf(member));
      }
    }
    return Optional.of(new FactsDigest(parts[0], published, members));
  }

  /** Whether facts are the same as far as the hash goes. */
  boolean isSame(TableFacts facts) {
    return hash.equals(hash(facts));
  }

  private static String hash(TableFacts table) {
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
    add(hash, table.publication().viaRoot().map(String::valueOf).orElse(""));
    add(hash, table.publication().columns());
    add(hash, table.publication().rowFilter());
    add(hash, table.partitions());
    return HexFormat.of().formatHex(hash.digest(), 0, BYTES);
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
