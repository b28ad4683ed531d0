package io.walproof.contract.topic;

import io.walproof.contract.TableId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The topics of one prefix. Consumers take a table from the record, never from the topic's name;
 * still no two tables share a topic.
 *
 * @param prefix {@code topic.prefix}
 */
public record TopicNames(String prefix) {

  /** Kafka's limit. */
  private static final int LONGEST = 249;

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]+");

  /** What Kafka does not allow, the dot that parts names, and what would look like an escape. */
  private static final Pattern ESCAPED =
      Pattern.compile("[^A-Za-z0-9_-]|_(?=x[0-9a-f]{4,6}(?:_|[^A-Za-z0-9_-]))");

  /** Refuses a prefix that Kafka does not allow. */
  public TopicNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "topic.prefix may hold letters, digits, dots, hyphens and underscores");
    }
  }

  /** Drift events. */
  public String drift() {
    return prefix + ".drift";
  }

  /**
   * Records of tables whose shape nobody has accepted yet ({@code drift.policy=dlq}). A table's own
   * topic has a dot more, so it is never this one.
   */
  public String dlq() {
    return prefix + ".dlq";
  }

  /** What the verifier found. */
  public String verify() {
    return prefix + ".verify";
  }

  /** Records that only carry a position. */
  public String heartbeat() {
    return prefix + ".heartbeat";
  }

  /**
   * A table's changed keys: {@code prefix.schema.table}, where a character that Kafka does not
   * allow, or a dot, becomes {@code _x0023_}, its code point as in SQL/XML. What is too long for
   * Kafka is cut and ends in a hash of the whole.
   */
  public String table(TableId table) {
    String whole = prefix + '.' + escaped(table.schema()) + '.' + escaped(table.name());
    if (whole.length() <= LONGEST) {
      return whole;
    }
    String mark = "_h" + hash(whole);
    return whole.substring(0, LONGEST - mark.length()) + mark;
  }

  private static String escaped(String name) {
    return ESCAPED
        .matcher(name)
        .replaceAll(found -> String.format(Locale.ROOT, "_x%04x_", found.group().codePointAt(0)));
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
