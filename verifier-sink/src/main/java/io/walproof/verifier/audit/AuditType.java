package io.walproof.verifier.audit;

import java.util.Locale;
import java.util.Optional;

/** What a record is, its {@code type}. */
public enum AuditType {
  /** A run began; its scope. */
  RUN_START,
  /** A mismatch at the first read, deferred. */
  OBSERVATION,
  /** The end of a key check. */
  DECISION,
  /** A drift event or a gap. */
  DRIFT,
  /** A range check began. */
  RANGE_START,
  /** A range check ended. */
  RANGE_END,
  /** Counts so far. */
  SUMMARY,
  /** A run ended; its final counts. */
  RUN_END,
  /** What lies between the record before and this one was cut off by a crash or a full disk. */
  TORN_LINE;

  /** Lower case with underscores, as in the file. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type with this text; empty if there is none. */
  public static Optional<AuditType> of(String text) {
    for (AuditType type : values()) {
      if (type.text().equals(text)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
