package io.walproof.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The shape hash, version 1: the first 16 bytes of SHA-256, in lower-case hex, over a table's
 * columns sorted by name (by Unicode code point), independent of their order in the message.
 *
 * <p>The hashed bytes are {@code "walproof-shape-1"} in ASCII, the number of columns, then per
 * column: name, type, type modifier. The number, every length and the modifier are big-endian
 * 32-bit integers; name and type are length-prefixed UTF-8. A type is {@code "oid:<decimal>"} for
 * built-in types, whose OIDs are the same in every cluster, and {@code "name:<schema>.<name>"} for
 * all others; a type whose name was never announced falls back to {@code "oid:"}. The key flag and
 * the replica identity do not enter: changing them is an event of its own and not another shape.
 *
 * @param hex 32 lower-case hexadecimal digits
 */
public record ShapeHash(String hex) {

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");
  private static final byte[] MAGIC = "walproof-shape-1".getBytes(StandardCharsets.US_ASCII);

  /** Refuses anything but 32 lower-case hex digits. */
  public ShapeHash {
    if (!FORM.matcher(hex).matches()) {
      throw new IllegalArgumentException("a shape hash is 32 lower-case hex digits");
    }
  }

  /** The hash of a message's columns. */
  public static ShapeHash of(Shape shape) {
    MessageDigest digest = sha256();
    digest.update(MAGIC);
    List<ColumnShape> sorted =
        shape.columns().stream().sorted(Comparator.comparing(ShapeHash::codePoints)).toList();
    digest.update(int32(sorted.size()));
    for (ColumnShape column : sorted) {
      field(digest, column.name());
      field(digest, typeTag(column));
      digest.update(int32(column.typeModifier()));
    }
    return new ShapeHash(HexFormat.of().formatHex(digest.digest(), 0, 16));
  }

  /** The type as it enters the hash; equal tags are the same type to the shape. */
  public static String typeTag(ColumnShape column) {
    boolean builtIn = column.typeOid() < ColumnShape.FIRST_ASSIGNED_OID;
    return builtIn || column.typeName() == null
        ? "oid:" + column.typeOid()
        : "name:" + column.typeName();
  }

  /** Fixed-width code points as a sort key: UTF-16 order would differ from every other language. */
  private static String codePoints(ColumnShape column) {
    StringBuilder key = new StringBuilder();
    column.name().codePoints().forEach(c -> key.append((char) (c >>> 16)).append((char) c));
    return key.toString();
  }

  private static void field(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(int32(bytes.length));
    digest.update(bytes);
  }

  private static byte[] int32(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return hex;
  }
}
