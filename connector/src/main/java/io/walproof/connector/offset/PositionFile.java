package io.walproof.connector.offset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.connector.schema.HistoryFormatException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The position file's format, version 1: a header line {@code walproof-position 1 <sha256>} and a
 * line with the position's entries as JSON, whose checksum the header holds. Reading changes
 * nothing, so a file in use may be read by others.
 */
public final class PositionFile {

  private static final String MAGIC = "walproof-position ";
  private static final String VERSION = "1";
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

  private PositionFile() {}

  /**
   * Reads a file.
   *
   * @return empty if there is no such file
   * @throws PositionStoreException if it is damaged, of an unknown version, or cannot be read
   */
  public static Optional<Position> read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (CharacterCodingException e) {
      throw damaged(file.toString(), "it is not UTF-8", e);
    } catch (IOException e) {
      throw new PositionStoreException("cannot read the position file " + file, e);
    }
    return Optional.of(parse(file.toString(), text));
  }

  /**
   * Reads a file's text.
   *
   * @param file its name, for messages
   * @throws PositionStoreException if it is damaged or of an unknown version
   */
  public static Position parse(String file, String text) {
    String[] lines = text.split("\n", -1);
    if (lines.length != 3 || !lines[2].isEmpty() || !lines[0].startsWith(MAGIC)) {
      throw damaged(file, "it does not have the two lines of a position file", null);
    }
    String[] header = lines[0].substring(MAGIC.length()).split(" ", -1);
    if (!header[0].equals(VERSION)) {
      throw new PositionStoreException(
          "the position file "
              + file
              + " has format version "
              + header[0]
              + ", this build reads version 1; use the build that wrote it, or a newer one");
    }
    if (header.length != 2 || !header[1].equals(checksum(lines[1]))) {
      throw damaged(file, "its checksum does not match", null);
    }
    try {
      return Position.of(MAPPER.readValue(lines[1], new TypeReference<Map<String, Object>>() {}));
    } catch (HistoryFormatException e) {
      throw new PositionStoreException("the position file " + file + ": " + e.getMessage(), e);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw damaged(file, "its entries are no position", e);
    }
  }

  /** The file's bytes for a position. */
  static byte[] format(Position position) {
    try {
      String json = MAPPER.writeValueAsString(position.entries());
      return (MAGIC + VERSION + ' ' + checksum(json) + '\n' + json + '\n')
          .getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new PositionStoreException("a position holds an entry that JSON cannot express", e);
    }
  }

  private static PositionStoreException damaged(String file, String how, Exception cause) {
    return new PositionStoreException(
        "the position file "
            + file
            + " is damaged ("
            + how
            + "); it is left as it is. Restore it from a copy, or move it away: the next start then"
            + " begins at the slot's position, without a schema history",
        cause);
  }

  private static String checksum(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
