package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The constants of record format 1. */
final class AuditFormat {

  static final int VERSION = 1;

  /** What the first line of a file carries as {@code prev}. */
  static final String NO_PREVIOUS = "0".repeat(64);

  /**
   * The longest line, in bytes, that is written or read. Only a summary over tens of thousands of
   * tables comes near it; a key is limited by PostgreSQL's index rows.
   */
  static final int MAX_LINE_BYTES = 16 * 1024 * 1024;

  static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  static final JsonFactory WRITING =
      new JsonFactoryBuilder().characterEscapes(new VisibleEscapes()).build();

  static final ObjectReader READING =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .reader();

  private AuditFormat() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
