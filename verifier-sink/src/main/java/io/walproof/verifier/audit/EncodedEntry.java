package io.walproof.verifier.audit;

import io.walproof.verifier.model.AuditEntry;
import java.util.Objects;

/** An entry with the bytes of its record, which are the same wherever it is kept. */
public final class EncodedEntry {

  private final AuditEntry entry;
  private final byte[] line;

  EncodedEntry(AuditEntry entry, byte[] line) {
    this.entry = Objects.requireNonNull(entry, "entry");
    this.line = Objects.requireNonNull(line, "line");
  }

  /** The entry. */
  public AuditEntry entry() {
    return entry;
  }

  /** The record: one JSON object in UTF-8, without a newline. Not to be changed. */
  public byte[] line() {
    return line;
  }
}
